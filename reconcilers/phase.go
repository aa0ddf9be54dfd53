package reconcilers

import (
	"context"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// taskPhases keeps the phases of tasks in the cache's indexes, before reconcileTask writes their
// statuses: to write ten thousand takes a quarter of a second, and what is ready, and how far
// plans are, is asked for at once. Who packs is told of each task that is looked at.
type taskPhases struct {
	packs *Packs
	watch planWatch
}

// keys are those of reconcileTask, but for the first listing: a status that is there is right,
// most often, and reconcileTask looks.
func (p *taskPhases) keys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.First && c.Status(ch.Key) != nil {
		return nil
	}
	return p.watch.taskKeys(ch, c)
}

func (p *taskPhases) reconcile(_ context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	p.packs.stock.Changed(key)
	if task, ok := c.Task(key.Name); ok {
		derived, _ := status.DeriveTask(task, planWatcher{at(c), &p.watch})
		c.SetPhase(key, derived.Phase, derived.Ready)
	}
	return controller.Result{}, nil
}
