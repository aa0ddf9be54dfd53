package hooks

import (
	"bytes"
	"maps"
	"path"
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

// specsFile is the ledger of a hook on its own: every plan and task as it was last seen.
const specsFile = layout.RunDir + "/specs"

// seenSpec is an entry of it.
type seenSpec struct {
	stamp   string // of the file
	spec    []byte
	tracked bool // git's index knew it
}

// ledger is what specsFile holds, and when that was last seen; the zero time is never.
type ledger struct {
	specs map[resources.Key]seenSpec
	at    time.Time
}

// sweep compares the files of plans and tasks with the ledger, brings it up to date, and returns
// what changed. What is open and was removed, while neither a command nor git is known to have
// done it, is kept: its last version goes on to count. Of what changed before a controller was at
// work last, nothing is known.
func (r *repo) sweep() []specChange {
	before := r.ledger()
	if _, beat, err := r.Root.Read(layout.ControllerFile, layout.MaxSpec); err == nil && beat.ModTime.After(before.at) {
		before = ledger{}
	}
	now := r.specsNow(before.specs)
	changes := changedSpecs(before.specs, now)
	changed := len(changes) > 0 || before.at.IsZero()
	if changed || r.IndexMoved(before.at) {
		changed = r.track(now) || changed
	}
	r.writeLedger(now, changed)
	if before.at.IsZero() {
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
	before := r.ledger()
	if before.at.IsZero() || before.at.Before(begun) {
		return nil
	}
	return changedSpecs(before.specs, r.specsNow(before.specs))
}

// specsNow are the plans and tasks as their files are. One that was not read for the decision, nor
// touched since it was seen, costs a look at its size and its time.
func (r *repo) specsNow(before map[resources.Key]seenSpec) map[resources.Key]seenSpec {
	now := map[resources.Key]seenSpec{}
	for _, kind := range [...]string{resources.WorkPlans, resources.Tasks} {
		folder, err := r.Open(layout.Folder(kind))
		if err != nil {
			continue
		}
		for _, name := range r.specs.Names(kind) {
			key := resources.Key{Kind: kind, Name: name}
			if t, read := r.specs.texts[key]; read {
				now[key] = seenSpec{stamp(t.info), t.data, before[key].tracked}
			} else if s, ok := specIn(folder, path.Base(layout.Path(key)), before[key]); ok {
				now[key] = s
			}
		}
		folder.Close()
	}
	return now
}

// specIn is a file as it is, read anew if it is not as it was.
func specIn(folder *layout.OpenDir, file string, was seenSpec) (seenSpec, bool) {
	info, err := folder.Info(file)
	if err != nil {
		return was, false
	}
	if was.stamp == stamp(info) {
		return was, true
	}
	data, _, err := folder.Read(file, layout.MaxSpec)
	return seenSpec{stamp(info), data, was.tracked}, err == nil
}

// stamp is another one for a file that was changed.
func stamp(info layout.Info) string {
	return strconv.FormatInt(info.ModTime.UnixNano(), 10) + "/" + strconv.FormatInt(info.Size, 10)
}

// track notes which files git's index knows, and reports whether that is news of any.
func (r *repo) track(now map[resources.Key]seenSpec) (news bool) {
	known := map[string]bool{}
	for _, file := range r.Tracked() {
		known[file] = true
	}
	for key, s := range now {
		if tracked := known[layout.Path(key)]; tracked != s.tracked {
			s.tracked, news = tracked, true
			now[key] = s
		}
	}
	return news
}

// changedSpecs are the changes from one view of the files to another, by key.
func changedSpecs(before, now map[resources.Key]seenSpec) (changes []specChange) {
	for key, s := range now {
		if old := before[key]; old.stamp != s.stamp {
			changes = append(changes, specChange{key, old.object(key), s.object(key)})
		}
	}
	for key, old := range before {
		if _, there := now[key]; !there {
			changes = append(changes, specChange{key, old.object(key), nil})
		}
	}
	slices.SortFunc(changes, func(a, b specChange) int { return a.key.Compare(b.key) })
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
func (r *repo) keepLost(c specChange, before ledger) {
	open := false
	switch o := c.old.(type) {
	case *resources.Task:
		open = status.LiveTask(o)
	case *resources.WorkPlan:
		open = resources.PlanState(o) == resources.PlanActive
	}
	since := before.at.Add(-time.Second)
	if !open || exists(r.Abs(layout.ArchivePath(c.key))) || r.TakenAway(c.key, since) {
		return
	}
	if before.specs[c.key].tracked && r.GitMoved(since) && !slices.Contains(r.Tracked(), layout.Path(c.key)) {
		return // git took it
	}
	problem := store.RemovedProblem(c.key, layout.Path(c.key))
	_ = r.WriteMark(c.key, store.Mark{Problem: problem, Since: resources.NewTime(r.now), LastGood: before.specs[c.key].spec, Revision: c.old.Source().Revision})
	delete(r.specs.objects, c.key)
	delete(r.specs.texts, c.key)
	delete(r.specs.names, c.key.Kind)
}

// ledger reads what was last seen.
func (r *repo) ledger() ledger {
	data, info, err := r.Root.Read(specsFile, 16*layout.MaxLog)
	if err != nil {
		return ledger{}
	}
	all := ledger{map[resources.Key]seenSpec{}, info.ModTime}
	for len(data) > 0 {
		head, rest, _ := bytes.Cut(data, []byte("\n"))
		words := strings.Fields(string(head))
		if len(words) < 3 {
			break
		}
		size, err := strconv.Atoi(words[2])
		if err != nil || size < 0 || size+1 > len(rest) {
			break
		}
		kind, name, _ := strings.Cut(words[0], "/")
		all.specs[resources.Key{Kind: kind, Name: name}] = seenSpec{words[1], rest[:size:size], len(words) > 3}
		data = rest[size+1:]
	}
	return all
}

// writeLedger keeps what is seen now; of what did not change only when that was.
func (r *repo) writeLedger(now map[resources.Key]seenSpec, changed bool) {
	if !changed {
		r.touch(specsFile)
		return
	}
	var b bytes.Buffer
	for _, key := range slices.SortedFunc(maps.Keys(now), resources.Key.Compare) {
		s := now[key]
		b.WriteString(key.String() + " " + s.stamp + " " + strconv.Itoa(len(s.spec)))
		if s.tracked {
			b.WriteString(" tracked")
		}
		b.WriteByte('\n')
		b.Write(s.spec)
		b.WriteByte('\n')
	}
	_ = r.Replace(specsFile, b.Bytes())
}
