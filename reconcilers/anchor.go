package reconcilers

import (
	"context"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// anchorKeys returns a changed anchor, the anchors related to it in at most two
// steps, whose depth it affects, and the anchors that name an object that was
// created, deleted or, for a task, concluded or given a checkpoint. It returns
// all anchors if a task becomes active or stops being active, and if the
// configuration changed. A change of a source file arrives as a change of its
// anchors.
func anchorKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.Initial {
		return firstKeys(ch, resources.Anchors)
	}
	switch ch.Key.Kind {
	case resources.CheckpointsKind:
		return referring(c, taskKey(ch.Key.Name), resources.Anchors)
	case resources.Configs:
		if configChanged(ch) {
			return c.List(resources.Anchors) // config.anchorStaleAfter
		}
	}
	if ch.StatusOnly {
		return nil
	}
	var keys []resources.Key
	switch {
	case ch.Key.Kind == resources.Anchors:
		keys = append(keys, ch.Key)
		for range 2 { // the depth of anchors that are related to it, and of those related to these
			for _, key := range keys {
				keys = append(keys, referring(c, key, resources.Anchors)...)
			}
		}
	case isActive(ch.Old) != isActive(ch.New):
		return c.List(resources.Anchors) // their depth
	}
	if existenceChanged(ch) || ch.Key.Kind == resources.Tasks && outcomeChanged(ch, c) {
		keys = append(keys, referring(c, ch.Key, resources.Anchors)...)
	}
	return keys
}

// isActive reports whether an object is a task with the state active.
func isActive(o resources.Object) bool {
	t := asTask(o)
	return t != nil && t.Spec.State == resources.TaskActive
}

// reconcileAnchor writes the status of an anchor. An anchor is stale after a time, or after its
// subject ended or changed.
func reconcileAnchor(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := finishMissing(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	now := newSnapshot(c)
	before := statusBefore[resources.AnchorStatus](seen)
	status, next := status.DeriveAnchor(seen.Object.(*resources.Anchor), now)
	if status.Phase == resources.StalePhase && status.StaleSince.IsZero() {
		if status.StaleSince = before.StaleSince; status.StaleSince.IsZero() {
			status.StaleSince = resources.NewTime(now.now)
		}
	}
	phase, conditions := status.Phase, status.Conditions
	if err := c.WriteStatus(ctx, seen, &status); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, phase, func(_, now string) event {
		if now == resources.StalePhase {
			return event{resources.Warning, resources.Stale, messageOf(conditions, resources.Stale)}
		}
		return event{resources.Normal, "Fresh", "it is valid again"}
	})
	return now.requeueAt(next), nil
}
