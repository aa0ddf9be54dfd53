package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

func newSessionClose(a *app) *cobra.Command {
	var w writeFlags
	c := newCommand("session close", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return a.closeSessions(c.Context(), &w, args) })
	c.ValidArgsFunction = a.completeNamesOf(resources.Sessions)
	addWriteFlags(c, &w)
	return c
}

// closeSessions ends sessions of hosts that did not report the end, for example after a crash. It
// exports them and releases their tasks.
func (a *app) closeSessions(ctx context.Context, w *writeFlags, args []string) error {
	keys, err := allNamedOf(resources.Sessions, args, "%s is not a session; idumb get sessions lists all sessions")
	if err != nil {
		return err
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	return each(keys, func(key resources.Key) error { return a.closeSession(ctx, repo, w, key) })
}

// closeSession ends a session, exports it, and releases the tasks that it holds.
func (a *app) closeSession(ctx context.Context, repo mutate.Repo, w *writeFlags, key resources.Key) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	held := leases.Open(root).Snapshot().TasksOf(key.Name)
	result, err := repo.One(ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		s := *o.(*resources.Session)
		if !status.HasEnded(&s) {
			s.Spec.EndedAt = resources.NewTime(a.now())
		}
		return &s, nil
	})
	if err != nil {
		return err
	}
	if err := a.echo(w, result.New, done("closed")(result)); err != nil || result.Operation == mutate.Unchanged || w.dry() {
		return err
	}
	there, e, err := a.exportOf(ctx, key.Name, memory.ExportEnd)
	if err != nil {
		return err
	}
	_, err = hooks.KeepExport(there.root, &e, there.now)
	return errors.Join(err, a.release(there, held))
}

// release releases the tasks that an ended session held, and prints each. Once the session's record
// is removed, its end would be unknown.
func (a *app) release(w *snapshot, held []string) error {
	return each(held, func(name string) error {
		t, ok := w.snap.Task(name)
		if !ok {
			return nil
		}
		a.errf("task/%s is released; start it with idumb start %[1]s\n", name)
		return leases.Open(w.root).Release(t)
	})
}

func newSessionPrune(a *app) *cobra.Command {
	var w writeFlags
	olderThan := duration(24 * time.Hour)
	c := newCommand("session prune", cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		return a.pruneSessions(c.Context(), &w, time.Duration(olderThan))
	})
	c.Flags().Var(&olderThan, "older-than", "only sessions that ended this long ago (7d, 24h); 0 means all ended sessions")
	addWriteFlags(c, &w)
	return c
}

// pruneSessions archives sessions that ended a while ago, like the controller after
// config.sessionCollectAfter, and releases their tasks.
func (a *app) pruneSessions(ctx context.Context, w *writeFlags, olderThan time.Duration) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	there, err := a.load(ctx)
	if err != nil {
		return err
	}
	over := slices.DeleteFunc(there.snap.List(resources.Sessions), func(key resources.Key) bool {
		o, _ := there.snap.Get(key)
		s, ok := o.(*resources.Session)
		return !ok || !endedSince(s, there, olderThan)
	})
	if len(over) == 0 {
		a.errf("No sessions ended %s ago or earlier\n", olderThan)
		return nil
	}
	gone, err := repo.Archive(ctx, over, mutate.Orphan)
	a.echoEach(w, gone, "archived", qualified)
	if w.dry() {
		return err
	}
	roll := leases.Open(there.root).Snapshot()
	for _, key := range gone {
		err = errors.Join(err, a.release(there, roll.TasksOf(key.Name)))
	}
	return err
}

// endedSince reports whether a session ended at least olderThan ago.
func endedSince(s *resources.Session, w *snapshot, olderThan time.Duration) bool {
	switch phase, _ := status.SessionPhase(s, w.snap); phase {
	case resources.SessionEnded:
		return w.now.Sub(s.Spec.EndedAt.Time) >= olderThan
	case resources.SessionStale:
		return w.now.Sub(s.Spec.LastSeenAt.Time) >= olderThan
	}
	return false
}
