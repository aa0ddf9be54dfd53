package reconcilers

import (
	"context"
	"encoding/json"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// statusBefore decodes the last written status. It returns the zero status if the file is missing
// or invalid.
func statusBefore[S any](seen controller.Revision) (status S) {
	if json.Unmarshal(seen.Status, &status) != nil {
		var none S
		return none
	}
	return status
}

// event is the content of an event.
type event struct{ eventType, reason, message string }

// emit emits the event about the object of key. It does nothing for an event without a reason.
func (n event) emit(c controller.Client, key resources.Key) {
	if n.reason != "" {
		c.Event(key, n.eventType, n.reason, "%s", n.message)
	}
}

// announce emits an event if the phase changed. It emits nothing for a first status, because a
// start with an empty status folder would emit one event per object, and nothing for a file that
// became invalid or was repaired, because the informer reports that.
func announce(c controller.Client, key resources.Key, before, now string, say func(before, now string) event) {
	if _, broken := c.Problem(key); broken || before == "" || before == now || before == resources.PhaseInvalid {
		return
	}
	say(before, now).emit(c, key)
}

// announceCondition emits an event if a condition became true or stopped being true.
func announceCondition(c controller.Client, key resources.Key, conditionType string, before, now []resources.Condition, ended event) {
	switch was, is := resources.IsTrue(before, conditionType), resources.FindCondition(now, conditionType); {
	case is != nil && !was:
		event{resources.Warning, conditionType, is.Message}.emit(c, key)
	case is == nil && was:
		ended.emit(c, key)
	}
}

// messageOf returns the message of the condition of a type. It returns "" if the condition is
// missing.
func messageOf(conditions []resources.Condition, conditionType string) string {
	if c := resources.FindCondition(conditions, conditionType); c != nil {
		return c.Message
	}
	return ""
}

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
