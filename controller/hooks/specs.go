package hooks

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// specChange is what became of a plan or a task: nil for none.
type specChange struct {
	key      resources.Key
	old, new resources.Object
}

// Specs remembers how plans and tasks changed of late, so that it can be told what changed in a
// call. The controller feeds it with all that changes; a hook on its own looks at the files
// instead. Any number of goroutines may use it.
type Specs struct {
	mu      sync.Mutex
	seq     int            // how many changes there were
	changes []specChange   // the last of them
	calls   map[string]int // seq when a call began
}

// Sizes of Specs. A call that is forgotten, or in which more changed, is not judged.
const (
	maxChanges = 4096
	maxCalls   = 256
)

// NewSpecs returns one that knows of no change.
func NewSpecs() *Specs { return &Specs{calls: map[string]int{}} }

// Note tells of a change of any object.
func (s *Specs) Note(key resources.Key, old, next resources.Object) {
	if !store.Planned(key.Kind) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	if s.changes = append(s.changes, specChange{key, old, next}); len(s.changes) > 2*maxChanges {
		s.changes = slices.Clone(s.changes[maxChanges:])
	}
}

func (s *Specs) begin(call string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.calls) >= maxCalls {
		clear(s.calls)
	}
	s.calls[call] = s.seq
}

// end returns what changed since a call began, one change for each object, and whether it is known
// when that was.
func (s *Specs) end(call string) (changes []specChange, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	since, known := s.calls[call]
	delete(s.calls, call)
	if n := s.seq - since; known && n <= len(s.changes) {
		changes = merged(s.changes[len(s.changes)-n:])
	}
	return changes, known
}

// merged makes one change of those that follow each other.
func merged(all []specChange) []specChange {
	var one []specChange
	at := map[resources.Key]int{}
	for _, c := range all {
		if n, seen := at[c.key]; seen {
			one[n].new = c.new
			continue
		}
		at[c.key] = len(one)
		one = append(one, c)
	}
	return one
}

// sweep compares the files of plans and tasks with the ledger, brings it up to date, and returns
// what changed. What is open and was removed, while neither a command nor git is known to have
// done it, is kept: its last version goes on to count. Of what changed before a controller was at
// work last, nothing is known.
func (r *repo) sweep() []specChange {
	began, before := time.Now(), r.specs.ledger()
	changes := r.specs.changedSince(before)
	r.writeLedger(before, began)
	if r.outdated(before) {
		return nil
	}
	for _, c := range changes {
		if c.new == nil {
			r.keepLost(c, before)
		}
	}
	return changes
}

// sinceLedger is what changed since a call began before which the ledger was brought up to date,
// whoever answers now; nil for any other.
func (r *repo) sinceLedger(begun time.Time) []specChange {
	if info, err := os.Lstat(r.Abs(specsFile)); err != nil || info.ModTime().Before(begun) {
		return nil // as mostly: the ledger is large
	}
	if before := r.specs.ledger(); !before.at.IsZero() {
		return r.specs.changedSince(before)
	}
	return nil
}

// planned are the plans, tasks and decisions that can be read.
func (f *files) planned(yield func(resources.Key, *text) bool) {
	for _, kind := range [...]string{resources.WorkPlans, resources.Tasks, resources.Decisions} {
		all := f.readAll(kind)
		for i, name := range all.names {
			if t := all.texts[i]; t != nil && !yield(resources.Key{Kind: kind, Name: name}, t) {
				return
			}
		}
	}
}

// changedSince tells which plans and tasks are not as in the ledger, by key.
func (f *files) changedSince(before ledger) (changes []specChange) {
	for key, t := range f.planned {
		switch was := before.specs[key]; {
		case was == nil:
			changes = append(changes, specChange{key, nil, t.object(key)})
		case !was.same(t):
			changes = append(changes, specChange{key, was.object(key), t.object(key)})
		}
	}
	for key, was := range before.specs {
		if f.text(key) == nil {
			changes = append(changes, specChange{key, was.object(key), nil})
		}
	}
	slices.SortFunc(changes, func(a, b specChange) int { return a.key.Compare(b.key) })
	return changes
}

// keepLost marks an object whose file is gone so that its last good version counts.
func (r *repo) keepLost(c specChange, before ledger) {
	since := before.at.Add(-time.Second) // a command notes what it takes away before it does
	if !status.Open(c.old) || r.Indexing() || exists(r.Abs(layout.ArchivePath(c.key))) || githistory.Explained(context.Background(), r.Root, c.key, since) {
		return
	}
	problem := store.RemovedProblem(c.key, layout.Path(c.key))
	_ = r.Marks().Put(c.key, store.Mark{Problem: problem, Since: resources.NewTime(r.now), LastGood: before.specs[c.key].data, Revision: c.old.Source().Revision, ModTime: c.old.Source().ModTime})
	r.specs.forgetLists()
}

// outdated reports whether there is no ledger, or a controller was at work since it was written.
func (r *repo) outdated(l ledger) bool {
	beat, err := os.Lstat(r.Abs(layout.ControllerFile))
	return l.at.IsZero() || err == nil && beat.ModTime().After(l.at)
}

// findLost finds what was removed while no program of iDumb looked. The lists are read again.
func (r *repo) findLost() {
	githistory.FindLost(context.Background(), r.Root, r.now)
	r.specs.forgetLists()
}

// forgetLists has plans, tasks and decisions read again: the versions of missing ones count.
func (f *files) forgetLists() {
	for _, kind := range [...]string{resources.WorkPlans, resources.Tasks, resources.Decisions} {
		delete(f.lists, kind)
	}
	for key := range f.objects {
		if store.Planned(key.Kind) && f.objects[key] == nil {
			delete(f.objects, key)
		}
	}
	clear(f.mentions)
}
