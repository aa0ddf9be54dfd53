package main

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// world is the repository as a reading verb sees it: every file read once,
// every phase computed from the specs.
type world struct {
	root  layout.Root
	files *filestore.Store
	snap  *graph.Snapshot
	now   time.Time
}

// root finds the repository that the command works in: the one of -C, or the one that governs work in the working
// directory (layout.FindIn). In an agent's shell that is the one that governs the agent's session.
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

// open opens the repository's store, for as long as it takes.
func (a *app) open() (*filestore.Store, error) {
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	return filestore.Open(string(root))
}

// planning is all that the phases of tasks and plans depend on: to whom a task was handed,
// whether those are still at work, and what is decided, among it.
var planning = [...]string{resources.WorkPlans, resources.Tasks, resources.CheckpointsKind, resources.Delegations, resources.Sessions, resources.Trajectories, resources.Decisions}

// planningOnly are those of them of which planning is all that there is to know.
var planningOnly = planning[:3]

// load opens the store and reads everything, or some kinds.
func (a *app) load(ctx context.Context, kinds ...string) (*world, error) {
	files, err := a.open()
	if err != nil {
		return nil, err
	}
	return a.reload(ctx, files, kinds...)
}

// kindsFor are the kinds that the answer to a request depends on; none: all of them.
func kindsFor(r naming.Request) []string {
	for _, kind := range r.AllKinds() {
		if !slices.Contains(planningOnly, kind.Plural) {
			return nil
		}
	}
	return planning[:]
}

// reload reads everything, or some kinds, again.
func (a *app) reload(ctx context.Context, files *filestore.Store, kinds ...string) (*world, error) {
	w := &world{root: files.Root(), files: files, now: a.now()}
	var err error
	w.snap, err = files.Load(ctx, w.now, kinds...)
	return w, err
}

// source is what questions are answered from.
func (w *world) source() *questions.Source { return questions.FromFiles(w.root, w.snap) }
