package mutate

import (
	"bytes"
	"context"
	"fmt"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Torn is the file of an object that was cut off: it holds the beginning of the last version that was
// read, and nothing else, as after a crash of whoever wrote it. To bring back the rest loses nothing.
type Torn struct {
	Key  resources.Key
	Left []byte // what stands in the file
	Good []byte // what stood there
	rev  string
}

// TornOf looks whether the file of a record was cut off, given its last good version.
func TornOf(record store.Record, good []byte) (t Torn, torn bool) {
	t = Torn{record.Key, record.Spec, good, record.Rev}
	_, _, err := resources.Read(record.Key, good)
	return t, err == nil && len(t.Left) < len(good) && bytes.HasPrefix(good, t.Left)
}

// Mend brings back what was cut off. It is a conflict if the file changed since it was looked at.
func (r Repo) Mend(ctx context.Context, t Torn) error {
	return r.Run(ctx, func(tx *Tx) error {
		record, err := tx.Record(t.Key)
		if err != nil {
			return err
		}
		if record.Rev != t.rev {
			return apierrors.Conflict(t.Key)
		}
		o, _, err := resources.Read(t.Key, t.Good)
		if err != nil {
			return fmt.Errorf("the last good version of %s: %w", t.Key, err)
		}
		_, err = tx.putAll([]resources.Object{o}, []string{record.Rev})
		return err
	})
}
