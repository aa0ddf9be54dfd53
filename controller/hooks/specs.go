package hooks

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
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
	if !layout.Planned(key.Kind) {
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

// end returns what changed since a call began, one change for each object.
func (s *Specs) end(call string) []specChange {
	s.mu.Lock()
	defer s.mu.Unlock()
	since, known := s.calls[call]
	delete(s.calls, call)
	if n := s.seq - since; !known || n > len(s.changes) {
		return nil
	} else {
		return merged(s.changes[len(s.changes)-n:])
	}
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

// specsFile is the ledger of a hook on its own: every plan and task as it was last seen.
const specsFile = layout.RunDir + "/specs"

// seenSpec is an entry of it.
type seenSpec struct {
	stamp string // of the file
	spec  []byte
}

// sweep compares the files of plans and tasks with the ledger, brings it up to date, and returns
// what changed. What is open and was removed, while neither a command nor git is known to have
// done it, is kept: its last version goes on to count. A file that was not touched costs a look at its size and
// its time.
func (r *repo) sweep() []specChange {
	before, since := r.ledger()
	now, changes := map[resources.Key]seenSpec{}, []specChange(nil)
	for _, kind := range []string{resources.WorkPlans, resources.Tasks} {
		folder, err := r.Open(layout.Folder(kind))
		if err != nil {
			continue
		}
		files, _ := r.Root.Names(layout.Folder(kind))
		for _, file := range files {
			name, ok := layout.ObjectName(file)
			info, err := folder.Info(file)
			if !ok || err != nil {
				continue
			}
			key, stamp := resources.Key{Kind: kind, Name: name}, strconv.FormatInt(info.ModTime.UnixNano(), 10)+"/"+strconv.FormatInt(info.Size, 10)
			if old, known := before[key]; known && old.stamp == stamp {
				now[key] = old
				continue
			}
			if data, _, err := folder.Read(file, layout.MaxSpec); err == nil {
				now[key] = seenSpec{stamp, data}
				changes = append(changes, specChange{key, before[key].object(key), now[key].object(key)})
			}
		}
		folder.Close()
	}
	for key, old := range before {
		if _, there := now[key]; !there {
			o := old.object(key)
			changes = append(changes, specChange{key, o, nil})
			r.keepLost(key, o, old.spec, since)
		}
	}
	r.writeLedger(now, len(changes) > 0 || since.IsZero())
	if since.IsZero() {
		return nil // nothing was known before
	}
	return changes
}

// object is what an entry of the ledger says; nil if that cannot be read.
func (s seenSpec) object(key resources.Key) resources.Object {
	if s.spec == nil {
		return nil
	}
	o := decoded(key, s.spec, layout.Info{})
	if o != nil {
		o.Source().Revision = resources.Revision(s.spec)
	}
	return o
}

// keepLost marks an object whose file is gone so that its last good version counts.
func (r *repo) keepLost(key resources.Key, o resources.Object, spec []byte, since time.Time) {
	open := false
	switch o := o.(type) {
	case *resources.Task:
		open = status.LiveTask(o)
	case *resources.WorkPlan:
		open = resources.PlanState(o) == resources.PlanActive
	}
	if !open || exists(r.Abs(layout.ArchivePath(key))) || r.GitMoved(since) || slices.ContainsFunc(r.Written(since.Add(-time.Second)), func(w layout.Written) bool { return w.Key == key && w.Rev == "" }) {
		return
	}
	problem := store.RemovedProblem(key, layout.Path(key))
	_ = r.WriteMark(key, store.Mark{Problem: problem, Since: resources.NewTime(r.now), LastGood: spec, Revision: o.Source().Revision})
	delete(r.specs.objects, key)
	delete(r.specs.names, key.Kind)
}

// ledger reads what was last seen, and when that was: never, where a controller was at work since.
func (r *repo) ledger() (map[resources.Key]seenSpec, time.Time) {
	all := map[resources.Key]seenSpec{}
	data, info, err := r.Root.Read(specsFile, 16*layout.MaxLog)
	if err != nil {
		return all, time.Time{}
	}
	if _, beat, err := r.Root.Read(layout.ControllerFile, layout.MaxSpec); err == nil && beat.ModTime.After(info.ModTime) {
		return all, time.Time{}
	}
	for text := string(data); text != ""; {
		head, rest, _ := strings.Cut(text, "\n")
		words := strings.Fields(head)
		if len(words) != 3 {
			break
		}
		size, err := strconv.Atoi(words[2])
		if err != nil || size < 0 || size+1 > len(rest) {
			break
		}
		kind, name, _ := strings.Cut(words[0], "/")
		all[resources.Key{Kind: kind, Name: name}] = seenSpec{words[1], []byte(rest[:size])}
		text = rest[size+1:]
	}
	return all, info.ModTime
}

// writeLedger keeps what is seen now; of what did not change only when that was.
func (r *repo) writeLedger(now map[resources.Key]seenSpec, changed bool) {
	if !changed {
		r.touch(specsFile)
		return
	}
	var b strings.Builder
	for _, key := range slices.SortedFunc(maps.Keys(now), resources.Key.Compare) {
		s := now[key]
		b.WriteString(key.String() + " " + s.stamp + " " + strconv.Itoa(len(s.spec)) + "\n")
		b.Write(s.spec)
		b.WriteByte('\n')
	}
	_ = r.Replace(specsFile, []byte(b.String()))
}
