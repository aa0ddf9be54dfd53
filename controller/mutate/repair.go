package mutate

import (
	"bytes"
	"context"
	"fmt"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Truncated is a truncated object file: it contains only the beginning of the last
// good version, as after a crash. Restoring the rest loses nothing.
type Truncated struct {
	Key      resources.Key
	Content  []byte // current content
	LastGood []byte // last good version
	rev      string
}

// TruncatedOf reports whether the file of a record is a truncated version of its
// last good version.
func TruncatedOf(record store.Record, good []byte) (t Truncated, torn bool) {
	t = Truncated{record.Key, record.Spec, good, record.Rev}
	_, _, err := resources.Read(record.Key, good)
	return t, err == nil && len(t.Content) < len(good) && bytes.HasPrefix(good, t.Content)
}

// Repair restores a truncated file. It returns a conflict if the file changed
// since it was checked.
func (r Repo) Repair(ctx context.Context, t Truncated) error {
	return r.Run(ctx, func(tx *Tx) error {
		record, err := tx.Record(t.Key)
		if err != nil {
			return err
		}
		if record.Rev != t.rev {
			return apierrors.Conflict(t.Key)
		}
		o, _, err := resources.Read(t.Key, t.LastGood)
		if err != nil {
			return fmt.Errorf("the last good version of %s: %w", t.Key, err)
		}
		_, err = tx.putAll([]resources.Object{o}, []string{record.Rev})
		return err
	})
}
