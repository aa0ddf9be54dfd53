package reconcilers

import (
	"context"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// phaseLoop keeps the phases of tasks in the cache's indexes, before taskLoop writes their
// statuses: to write ten thousand takes a quarter of a second, and what is ready, and how far
// plans are, is asked for at once. Who packs is told of each task that is looked at.
func phaseLoop(packs *Packs) controller.Registration {
	watch := &planWatch{}
	return controller.Registration{
		Name: "phase",
		Keys: func(ch controller.Change, c controller.Client) []resources.Key {
			if ch.First && c.Status(ch.Key) != nil {
				return nil // it is right, most often, and taskLoop looks
			}
			return taskKeys(ch, c, watch)
		},
		New: func(c controller.Client) controller.Reconciler {
			return controller.Func(func(_ context.Context, key resources.Key) (controller.Result, error) {
				packs.stock.Changed(key)
				if task, ok := c.Task(key.Name); ok {
					derived, _ := status.DeriveTask(task, planWatcher{at(c), watch})
					c.SetPhase(key, derived.Phase, derived.Ready)
				}
				return controller.Result{}, nil
			})
		},
	}
}
