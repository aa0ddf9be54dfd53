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

// chainKeys: the task itself, and the abandoned ones among those that it waits for.
func chainKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.First {
		if t := asTask(ch.New); t != nil && t.Spec.State != resources.TaskAbandoned && !orphaned(c, ch.Key) {
			return nil // there is nothing to do, unless reconcileTask finds that it is orphaned by now
		}
		return itself(ch, resources.Tasks)
	}
	if isConfig(ch) {
		return c.List(resources.Tasks) // orphanGracePeriod
	}
	if ch.Key.Kind != resources.Tasks {
		return nil
	}
	keys := []resources.Key{ch.Key}
	if !respecified(ch) {
		return keys
	}
	for _, name := range firsts(asTask(ch.New)) {
		if t, ok := c.Task(name); ok && t.Spec.State == resources.TaskAbandoned {
			keys = append(keys, taskKey(name))
		}
	}
	return keys
}

// reconcile acts on broken chains. What is broken is in the statuses of tasks
// (ChainBroken for what was abandoned, archived or goes in a circle, Orphaned for
// what is missing); here an abandoned task that others wait for is set aside, and
// what stays missing is told. Nothing is ever moved because something is missing:
// git and editors make files vanish.
func (told *orphansTold) reconcile(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	task, ok := c.Task(key.Name)
	if !ok {
		told.forget(key)
		return controller.Result{}, nil
	}
	if broken := chainBroken(task, c); len(broken) > 0 {
		return controller.Result{}, setAside(ctx, c, key, broken)
	}
	return told.remind(at(c), key), nil
}

// chainBroken returns the live tasks whose chain this task breaks: none, unless it
// is abandoned.
func chainBroken(t *resources.Task, c controller.Client) []string {
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

// setAside moves a chain-breaker to the archive, unless its file says something
// that cannot be read.
func setAside(ctx context.Context, c controller.Client, key resources.Key, waiting []string) error {
	if _, broken := c.Problem(key); broken {
		return nil
	}
	if err := c.Archive(ctx, key); err != nil {
		return err
	}
	c.Event(key, resources.Warning, "ChainBreakerArchived",
		"it was abandoned while %s for it, and was moved to the archive; edit their dependsOn, abandon them as well, or have the person bring it back (idumb restore task/%s)",
		waitingFor(waiting), key.Name)
	return nil
}

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

// orphansTold is which missing references were told of, and since when they are
// missing. One goroutine uses it.
type orphansTold struct{ since map[resources.Key]time.Time }

func (o *orphansTold) forget(key resources.Key) { delete(o.since, key) }

// orphaned reports whether a task's status may say so, which is far cheaper than decoding it.
func orphaned(c controller.Client, key resources.Key) bool {
	return bytes.Contains(c.Status(key), []byte(`"`+resources.Orphaned+`"`))
}

// remind tells once of a reference that is missing for longer than
// config.orphanGracePeriod, or says when to look again.
func (o *orphansTold) remind(now frozen, key resources.Key) controller.Result {
	var condition *resources.Condition
	if orphaned(now.Client, key) {
		status := statusBefore[resources.TaskStatus](now.Known(key))
		condition = resources.FindCondition(status.Conditions, resources.Orphaned)
	}
	if condition == nil {
		o.forget(key)
		return controller.Result{}
	}
	since := condition.LastTransitionTime.Time
	grace := resources.Duration(now.Settings().OrphanGracePeriod, 0)
	if due := since.Add(grace); now.now.Before(due) {
		return now.until(due)
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
