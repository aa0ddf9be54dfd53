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

// settle does what every kind has in common: an object that is gone loses its
// status; one whose file cannot be read, with no good version of it, gets a status
// that says so. It reports whether that was all.
func settle(ctx context.Context, c controller.Client, key resources.Key) (done bool, err error) {
	if _, ok := c.Get(key); ok {
		return false, nil
	}
	if _, broken := c.Problem(key); broken {
		kind, ok := resources.KindOf(key.Kind)
		if !ok {
			return true, nil
		}
		return true, c.WriteStatus(ctx, key, kind.New().StatusPointer())
	}
	if c.Exists(key) || c.Status(key) == nil {
		return true, nil // being written, or there is nothing left of it
	}
	return true, c.DeleteStatus(ctx, key)
}
