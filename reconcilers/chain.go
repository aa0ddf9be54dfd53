package reconcilers

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// chainKeys returns the task itself, and the abandoned tasks among its
// dependencies. In the first listing it omits tasks that are neither abandoned
// nor orphaned. It returns all tasks if the configuration changed.
func chainKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.Initial {
		if t := asTask(ch.New); t != nil && t.Spec.State != resources.TaskAbandoned && !orphaned(c, ch.Key) {
			return nil // nothing to do, unless reconcileTask finds that it is orphaned
		}
		return firstKeys(ch, resources.Tasks)
	}
	if configChanged(ch) {
		return c.List(resources.Tasks) // config.orphanGracePeriod
	}
	if ch.Key.Kind != resources.Tasks {
		return nil
	}
	keys := []resources.Key{ch.Key}
	if !specChanged(ch) {
		return keys
	}
	for _, name := range blockersOf(asTask(ch.New)) {
		if t, ok := c.Task(name); ok && t.Spec.State == resources.TaskAbandoned {
			keys = append(keys, taskKey(name))
		}
	}
	return keys
}

// reconcile handles broken chains. The statuses of tasks report them: ChainBroken for a dependency
// that was abandoned, archived or is part of a cycle, Orphaned for a missing one. reconcile
// archives an abandoned task that live tasks depend on, and emits an event for a reference that
// stays missing. It never moves a task because a file is missing: git and editors remove files for
// a moment.
func (told *orphanReports) reconcile(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	task, ok := c.Task(key.Name)
	if !ok {
		told.forget(key)
		return controller.Result{}, nil
	}
	if broken := tasksBrokenBy(task, c); len(broken) > 0 {
		return controller.Result{}, archiveBreaker(ctx, c, key, broken)
	}
	return told.remind(newSnapshot(c), key), nil
}

// tasksBrokenBy returns the live tasks whose chain an abandoned task breaks. It
// returns nil for a task that is not abandoned.
func tasksBrokenBy(t *resources.Task, c controller.Client) []string {
	if t.Spec.State != resources.TaskAbandoned {
		return nil
	}
	var waiting []string
	for _, key := range c.Dependents(taskKey(t.Metadata.Name)) {
		if d, ok := c.Task(key.Name); ok && status.LiveTask(d) {
			waiting = append(waiting, key.Name)
		}
	}
	return waiting
}

// archiveBreaker archives a chain-breaker and emits an event that names the
// waiting tasks. It does nothing if the file of the chain-breaker cannot be
// parsed.
func archiveBreaker(ctx context.Context, c controller.Client, key resources.Key, waiting []string) error {
	if _, broken := c.Problem(key); broken {
		return nil
	}
	if err := c.Archive(ctx, key); err != nil {
		return err
	}
	c.Event(key, resources.Warning, "ChainBreakerArchived",
		"it was abandoned while %s for it, and was moved to the archive; edit their dependsOn, abandon them as well, or have the user bring it back (idumb restore task/%s)",
		waitingFor(waiting), key.Name)
	return nil
}

// waitingFor returns a phrase with the names of waiting tasks, such as "a, b and 3 more wait". It
// lists at most five names.
func waitingFor(names []string) string {
	const most = 5
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	if len(names) == 1 {
		return text + " waits"
	}
	return text + " wait"
}

// orphanReports records the missing references for which an event was emitted, and since when each is
// missing. It is not safe for concurrent use.
type orphanReports struct{ since map[resources.Key]time.Time }

// forget deletes the record of a task, so that its next missing reference is reported again.
func (o *orphanReports) forget(key resources.Key) { delete(o.since, key) }

// orphaned reports whether the status of a task may contain the condition Orphaned. It searches the
// bytes, which is much cheaper than decoding them.
func orphaned(c controller.Client, key resources.Key) bool {
	return bytes.Contains(c.Status(key), []byte(`"`+resources.Orphaned+`"`))
}

// remind emits one event for a reference that is missing for longer than config.orphanGracePeriod.
// Before that it returns the time of the next check.
func (o *orphanReports) remind(now snapshot, key resources.Key) controller.Result {
	var condition *resources.Condition
	if orphaned(now.Client, key) {
		status := statusBefore[resources.TaskStatus](now.Revision(key))
		condition = resources.FindCondition(status.Conditions, resources.Orphaned)
	}
	if condition == nil {
		o.forget(key)
		return controller.Result{}
	}
	since := condition.LastTransitionTime.Time
	grace := resources.Duration(now.Settings().OrphanGracePeriod, 0)
	if due := since.Add(grace); now.now.Before(due) {
		return now.requeueAt(due)
	}
	if told, ok := o.since[key]; ok && told.Equal(since) {
		return controller.Result{}
	}
	if o.since == nil {
		o.since = map[resources.Key]time.Time{}
	}
	o.since[key] = since
	now.Event(key, resources.Warning, resources.Orphaned, "since %s: %s", since.UTC().Format(time.RFC3339), condition.Message)
	return controller.Result{}
}
