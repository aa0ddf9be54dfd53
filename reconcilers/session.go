package reconcilers

import (
	"context"
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// sessionKeys returns the session itself, the sessions of a changed task or of
// its checkpoints, and the sessions that name a created or deleted delegation.
// It returns all sessions if the configuration or a trigger changed.
func sessionKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.Initial {
		return firstKeys(ch, resources.Sessions)
	}
	switch {
	case configChanged(ch), ch.Key.Kind == resources.Triggers && !ch.StatusOnly:
		return c.List(resources.Sessions) // config.sessionIdleAfter, sessionStaleAfter and sessionCollectAfter
	case ch.Key.Kind == resources.Tasks: // also for a status: a session drifts when its task is stale
		return referring(c, ch.Key, resources.Sessions)
	case ch.Key.Kind == resources.CheckpointsKind:
		return referring(c, taskKey(ch.Key.Name), resources.Sessions)
	case ch.StatusOnly:
		return nil
	case ch.Key.Kind == resources.Sessions:
		return []resources.Key{ch.Key}
	case ch.Key.Kind == resources.Delegations && existenceChanged(ch):
		return referring(c, ch.Key, resources.Sessions)
	}
	return nil
}

// reconcileSession writes the status of a session, and archives a session after its collection
// time.
func reconcileSession(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := finishMissing(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	session := seen.Object.(*resources.Session)
	now := newSnapshot(c)
	before := statusBefore[resources.SessionStatus](seen)
	st, next := status.DeriveSession(session, now)
	phase := st.Phase
	// Triggers that count calls are reported by the hook.
	for _, name := range st.Triggers {
		object, _ := c.Get(resources.Key{Kind: resources.Triggers, Name: name})
		if t, ok := object.(*resources.Trigger); ok && !slices.Contains(before.Triggers, name) && !resources.IsLoopTrigger(t) {
			c.Event(key, resources.Warning, resources.ReasonTriggered, "trigger %s: %s", name, status.TriggerText(t))
		}
	}
	if err := c.WriteStatus(ctx, seen, &st); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, phase, sessionNews)
	if hasEnded(phase) && !now.now.Before(status.SessionCollectAt(session, now.Settings())) {
		return controller.Result{}, collect(ctx, c, key)
	}
	return now.requeueAt(next), nil
}

// hasEnded reports whether phase is the phase of an ended or stale session.
func hasEnded(phase string) bool {
	return phase == resources.SessionEnded || phase == resources.SessionStale
}

// collect archives a session and emits an event, unless the file of the session
// cannot be parsed. The next packing removes its pack.
func collect(ctx context.Context, c controller.Client, key resources.Key) error {
	if _, broken := c.Problem(key); broken {
		return nil
	}
	if err := c.Archive(ctx, key); err != nil {
		return err
	}
	c.Event(key, resources.Normal, "Collected", "its retention time after its end has passed, and it was moved to the archive")
	return nil
}

// sessionNews returns the event about the new phase of a session.
func sessionNews(_, now string) event {
	switch now {
	case resources.SessionIdle:
		return event{resources.Normal, "Idle", "nothing was heard of it for a while"}
	case resources.SessionStale:
		return event{resources.Normal, resources.Stale, "it reported nothing for too long and counts as ended"}
	case resources.SessionEnded:
		return event{resources.Normal, "Ended", "its host ended it"}
	case resources.SessionResumed:
		return event{resources.Normal, "Resumed", "it continues after its end or after a pause"}
	}
	return event{resources.Normal, "Active", "it is being worked in"}
}
