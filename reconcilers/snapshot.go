package reconcilers

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// snapshot is a Client with a fixed clock, so that everything computed from it refers to one instant.
type snapshot struct {
	controller.Client
	now time.Time
}

// newSnapshot returns a snapshot of c at the current time.
func newSnapshot(c controller.Client) snapshot { return snapshot{c, c.Now()} }

// Now returns the time at which the snapshot was made.
func (m snapshot) Now() time.Time { return m.now }

// requeueAt returns a Result that requeues the key at next; the zero time means no requeue.
func (m snapshot) requeueAt(next time.Time) controller.Result {
	if next.IsZero() {
		return controller.Result{}
	}
	return controller.Result{RequeueAfter: max(time.Millisecond, next.Sub(m.now))}
}

// finishMissing returns the cached revision of an object and handles two cases that all kinds share. It
// deletes the status of a deleted object, and writes a status for an invalid file without a valid
// version. done reports whether nothing remains to be done.
func finishMissing(ctx context.Context, c controller.Client, key resources.Key) (seen controller.Revision, done bool, err error) {
	seen = c.Revision(key)
	switch {
	case seen.Object != nil:
		return seen, false, nil
	case seen.Problem != nil:
		if kind, ok := resources.KindOf(key.Kind); ok {
			err = c.WriteStatus(ctx, seen, kind.New().StatusPointer())
		}
	case !c.Exists(key) && c.Status(key) != nil: // otherwise the file is being written, or no status is left
		err = c.DeleteStatus(ctx, key)
	}
	return seen, true, err
}

// ReaderOf returns the packer.Reader of a session; of the repository's pack if session is nil.
// Commands use it too, so that they print the same bytes.
func ReaderOf(session *resources.Session) packer.Reader {
	reader := packer.Reader{Session: session}
	if session != nil {
		reader.Limit = packer.LimitFor(hosts.TraitsOf(session.Spec.Host).ContextLimit)
	}
	return reader
}
