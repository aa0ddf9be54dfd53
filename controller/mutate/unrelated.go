package mutate

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// batch is how many objects are written together, which waits for the disk a few times only.
const batch = 256

// PutAllUnrelated writes objects over what is there without the rules between objects: for
// what is taken over from elsewhere with its circles and loose ends, which are kept and
// marked. told is called with how many were written so far.
func (t *Tx) PutAllUnrelated(objects []resources.Object, told func(done int)) error {
	done := 0
	for some := range slices.Chunk(objects, batch) {
		changes := make([]*change, len(some))
		for i, o := range some {
			var err error
			if changes[i], err = t.unrelated(o); err != nil {
				return err
			}
		}
		for _, err := range t.writeAll(changes) {
			if err != nil {
				return err
			}
		}
		done += len(some)
		told(done)
	}
	return nil
}

func (t *Tx) unrelated(o resources.Object) (*change, error) {
	record, err := t.Record(o.Key())
	if err != nil && !isNotFound(err) {
		return nil, err
	}
	if err := invalid(o.Key(), resources.Validate(o)); err != nil {
		return nil, err
	}
	was := before(record)
	if was != nil && !o.Head().Complete() {
		resources.KeepUnknown(o, was)
	}
	return newChange(record, Result{Key: o.Key(), Before: was, After: o})
}
