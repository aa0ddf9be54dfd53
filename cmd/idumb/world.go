package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/memory"
	"github.com/idumb-dev/idumb/cmd/internal/naming"
	"github.com/idumb-dev/idumb/cmd/internal/observed"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// world is the repository as a reading verb sees it: every file read once,
// every phase computed from the specs.
type world struct {
	root  layout.Root
	files *filestore.Store
	snap  *resources.Snapshot
	now   time.Time
}

// root finds the repository that the command works in.
func (a *app) root() (layout.Root, error) {
	dir, err := a.folder()
	if err != nil {
		return "", err
	}
	return layout.Find(dir)
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
// and whether those are still at work, among it.
var planning = [...]string{resources.WorkPlans, resources.Tasks, resources.CheckpointsKind, resources.Delegations, resources.Sessions}

// planned are those of them of which planning is all that there is to know.
var planned = planning[:3]

// load opens the store and reads everything, or some kinds.
func (a *app) load(ctx context.Context, kinds ...string) (*world, error) {
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	files, err := filestore.OpenBriefly(string(root))
	if err != nil {
		return nil, err
	}
	if len(kinds) == 0 {
		return a.reload(ctx, files)
	}
	w := &world{root: files.Root(), files: files, now: a.now()}
	w.snap, err = files.LoadKinds(ctx, w.now, kinds...)
	return w, err
}

// loadFor reads what the answer to a request depends on.
func (a *app) loadFor(ctx context.Context, r naming.Request) (*world, error) {
	for _, kind := range r.Kinds {
		if !slices.Contains(planned, kind.Plural) {
			return a.load(ctx)
		}
	}
	for _, key := range r.Keys {
		if !slices.Contains(planned, key.Kind) {
			return a.load(ctx)
		}
	}
	return a.load(ctx, planning[:]...)
}

// reload reads everything again.
func (a *app) reload(ctx context.Context, files *filestore.Store) (*world, error) {
	w := &world{root: files.Root(), files: files, now: a.now()}
	var err error
	w.snap, err = files.Load(ctx, w.now)
	return w, err
}

// entry returns one object with what holds about it; nil if there is none.
func (w *world) entry(key resources.Key) *printers.Entry {
	var e printers.Entry
	if !w.fill(&e, key) {
		return nil
	}
	return &e
}

// fill makes an entry of an object; false if there is none.
func (w *world) fill(e *printers.Entry, key resources.Key) bool {
	e.Key = key
	e.Object, _ = w.snap.Get(key)
	problem, broken := w.snap.Problem(key)
	if !broken && e.Object == nil {
		return false
	}
	if broken {
		found := problem
		e.Problem = &found
	}
	e.Status = w.snap.Derived(key)
	return true
}

// entries returns all objects of a kind, sorted by name; in brief: of tasks without
// conditions.
func (w *world) entries(plural string, brief bool) []*printers.Entry {
	slab := make([]printers.Entry, w.snap.Count(plural)) // one allocation for all
	entries := make([]*printers.Entry, 0, len(slab))
	if brief {
		for o := range w.snap.Outlines(plural) {
			e := &slab[len(entries)]
			e.Key, e.Object, e.Problem, e.Status = o.Key, o.Object, o.Problem, o.Status
			entries = append(entries, e)
		}
		return entries
	}
	for i, key := range w.snap.List(plural) {
		if w.fill(&slab[i], key) {
			entries = append(entries, &slab[i])
		}
	}
	return entries
}

// join completes what was computed with what only the controller can have seen:
// when conditions changed, when a task was started.
func (w *world) join(entries ...*printers.Entry) {
	accesses := sync.OnceValue(func() map[string]memory.Access { return memory.Accesses(w.root) })
	for _, e := range entries {
		file, _, err := w.root.Read(layout.StatusPath(e.Key), layout.MaxSpec)
		if err != nil {
			file = nil
		}
		e.Status = observed.Join(e.Status, file)
		if s, ok := e.Status.(*resources.MemStatus); ok {
			access := accesses()[e.Key.Name]
			s.AccessCount, s.LastAccessed = access.Count, access.Last
		}
	}
}
