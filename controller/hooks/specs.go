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

// specChange is a change to a plan or a task. old or new is nil if the object
// did not exist before or after.
type specChange struct {
	key      resources.Key
	old, new resources.Object
}

// Specs records recent changes to plans and tasks, for determining the changes
// in a call. The controller passes all changes to it; a hook without a
// controller compares the files instead. It is safe for concurrent use.
type Specs struct {
	mu      sync.Mutex
	seq     int            // the number of changes so far
	changes []specChange   // the latest changes
	calls   map[string]int // seq at the beginning of a call
}

// Sizes of Specs. A call that was removed, or that has more changes, is not
// judged.
const (
	maxChanges = 4096
	maxCalls   = 256
)

// NewSpecs returns a Specs without changes.
func NewSpecs() *Specs { return &Specs{calls: map[string]int{}} }

// Note records a change to an object. It ignores objects that are not planned.
func (s *Specs) Note(key resources.Key, old, next resources.Object) {
	if !store.IsPlanned(key.Kind) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	if s.changes = append(s.changes, specChange{key, old, next}); len(s.changes) > 2*maxChanges {
		s.changes = slices.Clone(s.changes[maxChanges:])
	}
}

// begin remembers which changes precede a call. end returns those since.
func (s *Specs) begin(call string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.calls) >= maxCalls {
		clear(s.calls)
	}
	s.calls[call] = s.seq
}

// end returns the changes since a call began, one for each object, or nil if there
// are more than Specs keeps. known is false if the beginning of the call is
// unknown. end forgets the call.
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

// merged combines successive changes of each object into one, from the first old to the last new
// version.
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

// sweep compares the files of plans and tasks with the ledger, updates the
// ledger, and returns the changes. If an open object was removed by neither a
// command nor git, its last version is kept and still counts. Changes before
// the last run of a controller are unknown.
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

// planned yields the readable plans, tasks and decisions.
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

// changedSince returns the plans and tasks that differ from the ledger, by key.
func (f *files) changedSince(before ledger) (changes []specChange) {
	for key, t := range f.planned {
		switch was := before.specs[key]; {
		case was == nil:
			changes = append(changes, specChange{key, nil, t.object(key)})
		case !was.equal(t):
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

// keepLost marks an object with a missing file, so that its last valid version
// counts.
func (r *repo) keepLost(c specChange, before ledger) {
	since := before.scanned.Add(-time.Second) // a command records a removal before it removes the file
	if !status.Open(c.old) || r.Indexing() || exists(r.Abs(layout.ArchivePath(c.key))) || githistory.IsExplained(context.Background(), r.Root, c.key, since) {
		return
	}
	problem := store.RemovedProblem(c.key, layout.Path(c.key))
	_ = r.Marks().Put(c.key, store.Mark{Problem: problem, Since: resources.NewTime(r.now), LastGood: before.specs[c.key].data, Revision: c.old.Source().Revision, ModTime: c.old.Source().ModTime})
	r.specs.forgetLists()
}

// outdated reports whether the ledger is missing, or a controller has run since
// it was written.
func (r *repo) outdated(l ledger) bool {
	beat, err := os.Lstat(r.Abs(layout.ControllerFile))
	return l.scanned.IsZero() || err == nil && beat.ModTime().After(l.scanned)
}

// findLost finds objects that were removed while no program of iDumb ran. It
// reads the lists again.
func (r *repo) findLost() {
	githistory.FindLost(context.Background(), r.Root, r.now)
	r.specs.forgetLists()
}

// forgetLists clears the lists of plans, tasks and decisions, because the last
// versions of missing objects now count.
func (f *files) forgetLists() {
	for _, kind := range [...]string{resources.WorkPlans, resources.Tasks, resources.Decisions} {
		delete(f.lists, kind)
	}
	for key := range f.objects {
		if store.IsPlanned(key.Kind) && f.objects[key] == nil {
			delete(f.objects, key)
		}
	}
	clear(f.mentions)
}
