package reconcilers

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// frozen is a Client with the clock standing still, so that what is computed from
// it is of one instant.
type frozen struct {
	controller.Client
	now time.Time
}

func at(c controller.Client) frozen { return frozen{c, c.Now()} }

// Now is the instant.
func (m frozen) Now() time.Time { return m.now }

// until is the Result that comes back at next, for what was computed at now.
func (m frozen) until(next time.Time) controller.Result {
	if next.IsZero() {
		return controller.Result{}
	}
	return controller.Result{After: max(time.Millisecond, next.Sub(m.now))}
}

// settle returns what is known of an object and does what every kind has in common: one that
// is gone loses its status; one whose file cannot be read, with no good version of it, gets a
// status that says so. It reports whether that was all.
func settle(ctx context.Context, c controller.Client, key resources.Key) (seen controller.Revision, done bool, err error) {
	seen = c.Known(key)
	switch {
	case seen.Object != nil:
		return seen, false, nil
	case seen.Problem != nil:
		if kind, ok := resources.KindOf(key.Kind); ok {
			err = c.WriteStatus(ctx, seen, kind.New().StatusPointer())
		}
	case !c.Exists(key) && c.Status(key) != nil: // else it is being written, or there is nothing left of it
		err = c.DeleteStatus(ctx, key)
	}
	return seen, true, err
}
