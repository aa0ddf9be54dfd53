package reconcilers

import (
	"context"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// taskPhases updates the phases of tasks in the cache's indexes before reconcileTask writes
// the statuses. Writing ten thousand statuses takes a quarter of a second, but ready tasks and
// plan counts are needed at once. It reports each task to Packs.
type taskPhases struct {
	packs *Packs
	watch planWatch
}

// keys returns the tasks whose phase a change may affect, as planWatch.taskKeys does. In the first
// listing it skips tasks with a status, because that status is usually right and reconcileTask
// checks it.
func (p *taskPhases) keys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.Initial && c.Status(ch.Key) != nil {
		return nil
	}
	return p.watch.taskKeys(ch, c)
}

// reconcile derives the phase of a task and stores it in the cache, if the task exists. It
// invalidates the task in the stock of Packs.
func (p *taskPhases) reconcile(_ context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	p.packs.stock.Invalidate(key)
	if task, ok := c.Task(key.Name); ok {
		derived, _ := status.DeriveTask(task, planWatcher{newSnapshot(c), &p.watch})
		c.SetPhase(key, derived.Phase, derived.Ready)
	}
	return controller.Result{}, nil
}
