package main

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// snapshot is a snapshot of the repository for a reading verb: it reads every file once and computes
// every phase from the specs.
type snapshot struct {
	root  layout.Root
	files *filestore.Store
	snap  *graph.Snapshot
	now   time.Time
}

// root returns the repository of the command: the repository of -C, or the one that
// governs the working directory (layout.FindIn). In an agent's shell it is the one
// that governs the agent's session.
func (a *app) root() (layout.Root, error) {
	dir, err := a.folder()
	if err != nil {
		return "", err
	}
	if a.dir != "" {
		root, err := layout.Find(dir)
		return root, githistory.Absence(dir, err)
	}
	root, err := layout.FindIn(layout.Project(os.Environ()), dir)
	if err != nil {
		return "", githistory.Absence(dir, err)
	}
	return callers.Governing(root, os.Getpid()), nil
}

// open opens the repository's store.
func (a *app) open() (*filestore.Store, error) {
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	return filestore.Open(string(root))
}

// planning lists the kinds that the phases of tasks and plans depend on, including delegations,
// sessions and decisions.
var planning = [...]string{resources.WorkPlans, resources.Tasks, resources.CheckpointsKind, resources.Delegations, resources.Sessions, resources.Trajectories, resources.Decisions}

// planningOnly lists the kinds of planning that depend on no other kinds.
var planningOnly = planning[:3]

// load opens the store and reads all kinds, or the given ones.
func (a *app) load(ctx context.Context, kinds ...string) (*snapshot, error) {
	files, err := a.open()
	if err != nil {
		return nil, err
	}
	return a.reload(ctx, files, kinds...)
}

// kindsFor returns the kinds that the answer to a request depends on; nil means all kinds.
func kindsFor(r kindRequest) []string {
	for _, kind := range r.AllKinds() {
		if !slices.Contains(planningOnly, kind.Plural) {
			return nil
		}
	}
	return planning[:]
}

// reload reads all kinds, or the given ones, again.
func (a *app) reload(ctx context.Context, files *filestore.Store, kinds ...string) (*snapshot, error) {
	w := &snapshot{root: files.Root(), files: files, now: a.now()}
	var err error
	w.snap, err = files.Load(ctx, w.now, kinds...)
	return w, err
}

// source returns the source of answers to queries.
func (w *snapshot) source() *queries.Source { return queries.FromFiles(w.root, w.snap) }
