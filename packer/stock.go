package packer

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Stock is what is known of a repository's memory, ready to be packed and recalled: its mems and
// anchors with what holds about them, analysed, and what they came to for each reader; besides
// them statuses of tasks and plans. It changes how long a pack or a recall takes, and nothing
// else, as long as it is told (Changed) of each object that is another one, or whose status is.
// The zero Stock is empty and ready for use, by Make and Recall on any number of goroutines.
type Stock struct {
	mu      sync.Mutex
	changed map[resources.Key]bool

	use      sync.Mutex // held while somebody packs or recalls
	day      string
	settings *resources.ConfigSpec
	tasks    map[string]resources.TaskStatus
	plans    map[string]resources.WorkPlanStatus
	ahead    map[string][]string // of large plans: the ready tasks that are planned ahead, sorted

	index   search.Index
	facts   []*fact                   // by the numbers of the index
	naming  map[resources.Key][]int32 // the facts that name an object
	next    time.Time                 // the first moment at which a status changes by itself
	version int                       // another one whenever a mem or an anchor is; 0: nothing is at hand
	weighed map[string]weighed        // by session
}

// fact is one mem or one anchor.
type fact struct {
	mem                 *Mem
	anchor              *Anchor
	id                  string
	phase               string
	twin                string // the anchor that a mem was made of, as its source names it; "" for none
	falsePath, critical bool
	made                int64     // when, in Unix seconds
	next                time.Time // when its status changes by itself; zero: never
	names               []resources.Key
	text                string // of a mem, as a pack tells it; "" until somebody asks
	size                size
}

// rendered is a mem as a pack tells it, with its size.
func (f *fact) rendered() (string, size) {
	if f.text == "" {
		if f.falsePath {
			f.text = falsePathText(f.mem) + "\n"
		} else {
			f.text = memText(f.mem) + "\n"
		}
		f.size = measure(f.text)
	}
	return f.text, f.size
}

// weighed is what the mems and anchors came to for one reader, and what that depends on
// besides themselves.
type weighed struct {
	version  int // of the stock
	question search.Query
	links    map[resources.Key]closeness
	held     map[string]int
	terse    bool
	offered  candidates
}

// Changed says that an object may be another one, or have another status.
func (s *Stock) Changed(key resources.Key) {
	switch key.Kind {
	case resources.CheckpointsKind:
		key.Kind = resources.Tasks
	case resources.Tasks, resources.WorkPlans, resources.Mems, resources.Anchors:
	default:
		return // looked at each time
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = map[resources.Key]bool{}
	}
	s.changed[key] = true
}

// Only says for which sessions there will be packs, "" for none in particular.
func (s *Stock) Only(sessions map[string]bool) {
	s.use.Lock()
	defer s.use.Unlock()
	maps.DeleteFunc(s.weighed, func(session string, _ weighed) bool { return !sessions[session] })
}

// Doubt derives the statuses of tasks and plans anew: they may not follow yet from what changed.
func (s *Stock) Doubt() {
	s.use.Lock()
	defer s.use.Unlock()
	clear(s.tasks)
	clear(s.plans)
	clear(s.ahead)
}

// renew throws out what is not true any more. Everything depends on the day and the settings.
func (s *Stock) renew(source Source) {
	s.mu.Lock()
	changed := s.changed
	s.changed = nil
	s.mu.Unlock()
	if day := date(source.Now()); s.version == 0 || day != s.day || !reflect.DeepEqual(s.settings, source.Settings()) {
		s.day, s.settings, s.tasks = day, source.Settings(), map[string]resources.TaskStatus{}
		s.plans, s.ahead = map[string]resources.WorkPlanStatus{}, map[string][]string{}
		changed = s.everything(source)
		s.version++
	}
	var tasks []resources.Key
	for key := range changed {
		switch key.Kind {
		case resources.Tasks:
			delete(s.tasks, key.Name)
			tasks = append(tasks, key)
		case resources.WorkPlans:
			delete(s.plans, key.Name)
		default:
			s.look(source, key)
		}
	}
	s.pass(source)
	s.renewAhead(source, tasks)
}

// everything names all mems and anchors that there are and that there were.
func (s *Stock) everything(source Source) map[resources.Key]bool {
	all := map[resources.Key]bool{}
	for _, kind := range []string{resources.Mems, resources.Anchors} {
		for _, key := range source.List(kind) {
			all[key] = true
		}
	}
	for _, f := range s.facts {
		if f != nil {
			all[f.key()] = true
		}
	}
	return all
}

// pass looks at what changed because time went by.
func (s *Stock) pass(source Source) {
	now := source.Now()
	if s.next.IsZero() || s.next.After(now) {
		return
	}
	s.next = time.Time{}
	for _, f := range s.facts {
		if f == nil {
			continue
		}
		if f.next.IsZero() || f.next.After(now) {
			s.awaits(f.next)
		} else {
			s.look(source, f.key())
		}
	}
}

// awaits notes when a status changes by itself.
func (s *Stock) awaits(t time.Time) {
	if !t.IsZero() && (s.next.IsZero() || t.Before(s.next)) {
		s.next = t
	}
}

func (f *fact) key() resources.Key {
	if f.mem != nil {
		return f.mem.Object.Key()
	}
	return f.anchor.Object.Key()
}

// look takes in a mem or an anchor as it is now, or forgets it.
func (s *Stock) look(source Source, key resources.Key) {
	switch key.Kind {
	case resources.Mems:
		if m, next, ok := observed(source, key, memory.Assess); ok {
			s.put(factOf(&m, next), DocumentOf(&m))
			return
		}
	case resources.Anchors:
		if a, next, ok := observed(source, key, status.DeriveAnchor); ok {
			s.put(factOfAnchor(&a, next), anchorDocument(&a))
			return
		}
	}
	if n, known := s.index.Number(key.String()); known {
		s.forget(n)
		s.index.Remove(key.String())
	}
}

// factOf is a mem with what it names.
func factOf(m *Mem, next time.Time) *fact {
	spec := &m.Object.Spec
	f := &fact{mem: m, id: memIDs + m.Object.Metadata.Name, phase: m.Status.Phase, made: m.Object.Created().Unix(), next: next}
	f.falsePath, f.critical = spec.Type == resources.FalsePath, spec.Critical
	if strings.HasPrefix(spec.Source, "anchor/") && !f.falsePath {
		f.twin = spec.Source
	}
	f.naming(resources.Mems, spec.OriginTask, spec.RelatedTo)
	for _, name := range []string{spec.Supersedes, spec.Parent} {
		if name != "" {
			f.names = append(f.names, resources.Key{Kind: resources.Mems, Name: name})
		}
	}
	return f
}

func factOfAnchor(a *Anchor, next time.Time) *fact {
	f := &fact{anchor: a, id: anchorIDs + a.Object.Metadata.Name, phase: a.Status.Phase, made: a.Object.Created().Unix(), next: next}
	origin := ""
	if source := a.Object.Spec.Source; source != nil {
		origin = source.Task
	}
	f.naming(resources.Anchors, origin, a.Object.Spec.RelatedTo)
	return f
}

// naming notes what an object of a kind names: the task it came from, and what it is related to.
func (f *fact) naming(kind, origin string, relatedTo []string) {
	if origin != "" {
		f.names = append(f.names, resources.Key{Kind: resources.Tasks, Name: origin})
	}
	for _, reference := range relatedTo {
		f.names = append(f.names, referenced(kind, reference))
	}
}

// put takes in a fact in place of the one of its ID.
func (s *Stock) put(f *fact, d search.Document) {
	s.awaits(f.next)
	n := s.index.Put(d)
	if n < len(s.facts) && s.facts[n] != nil {
		if old := s.facts[n]; old.says(f) {
			old.next = f.next
			return
		}
		s.forget(n)
	}
	for len(s.facts) <= n {
		s.facts = append(s.facts, nil)
	}
	s.facts[n] = f
	for _, key := range f.names {
		if s.naming == nil {
			s.naming = map[resources.Key][]int32{}
		}
		s.naming[key] = append(s.naming[key], int32(n))
	}
	s.version++
}

// says reports whether two facts are the same.
func (f *fact) says(other *fact) bool {
	if f.mem != nil {
		return f.mem.Object == other.mem.Object && reflect.DeepEqual(f.mem.Status, other.mem.Status)
	}
	return f.anchor.Object == other.anchor.Object && reflect.DeepEqual(f.anchor.Status, other.anchor.Status)
}

// forget drops a fact. Its number is that of another one soon.
func (s *Stock) forget(n int) {
	for _, key := range s.facts[n].names {
		if rest := slices.DeleteFunc(s.naming[key], func(other int32) bool { return int(other) == n }); len(rest) > 0 {
			s.naming[key] = rest
		} else {
			delete(s.naming, key)
		}
	}
	s.facts[n] = nil
	s.version++
}

// stockOf is a stock of mems and anchors that change no more.
func stockOf(mems []Mem, anchors []Anchor) *Stock {
	s := &Stock{}
	for i := range mems {
		s.put(factOf(&mems[i], time.Time{}), DocumentOf(&mems[i]))
	}
	for i := range anchors {
		s.put(factOfAnchor(&anchors[i], time.Time{}), anchorDocument(&anchors[i]))
	}
	return s
}

// anchors are all of them, by name.
func (s *Stock) anchors() []Anchor {
	var list []Anchor
	for _, f := range s.facts {
		if f != nil && f.anchor != nil {
			list = append(list, *f.anchor)
		}
	}
	slices.SortFunc(list, func(a, b Anchor) int { return strings.Compare(a.Object.Metadata.Name, b.Object.Metadata.Name) })
	return list
}

// renewAhead looks at the tasks that changed, or at all of them where many did.
func (s *Stock) renewAhead(source Source, changed []resources.Key) {
	switch {
	case len(changed) == 0:
		return
	case len(changed) > 100:
		clear(s.ahead)
		return
	}
	for plan, names := range s.ahead {
		ready := source.PlanReady(plan)
		for _, key := range changed {
			at, known := slices.BinarySearch(names, key.Name)
			if known {
				names = slices.Delete(names, at, at+1)
			}
			if _, is := slices.BinarySearch(ready, key.Name); is && aheadIn(source, key.Name) {
				names = slices.Insert(names, at, key.Name)
			}
		}
		s.ahead[plan] = names
	}
}

// readyAhead names the tasks of a plan that are planned ahead and could be started.
func (s *Stock) readyAhead(plan string, source Source) []string {
	names, known := s.ahead[plan]
	if !known {
		names = readyAhead(plan, source)
		s.ahead[plan] = names
	}
	return names
}

// plan is the status of a plan.
func (s *Stock) plan(p *resources.WorkPlan, v status.WideView) resources.WorkPlanStatus {
	st, known := s.plans[p.Metadata.Name]
	if !known {
		st, _ = status.DerivePlan(p, v)
		s.plans[p.Metadata.Name] = st
	}
	return st
}

// mostTasks is of how many tasks statuses are remembered.
const mostTasks = 2 * maxPlanTasks

// task is the status of a task.
func (s *Stock) task(t *resources.Task, v status.WideView) resources.TaskStatus {
	st, known := s.tasks[t.Metadata.Name]
	if !known {
		st, _ = status.DeriveTask(t, v)
		if len(s.tasks) >= mostTasks {
			clear(s.tasks)
		}
		s.tasks[t.Metadata.Name] = st
	}
	return st
}

// weighedBefore returns what mems and anchors came to for a reader, unless that has to be found
// out anew.
func (s *Stock) weighedBefore(session string, w weighed) (weighed, bool) {
	last, known := s.weighed[session]
	return last, known && last.version == s.version && last.terse == w.terse && maps.Equal(last.links, w.links) && maps.Equal(last.held, w.held) && reflect.DeepEqual(last.question, w.question)
}

// keep remembers what mems and anchors came to for a reader.
func (s *Stock) keep(session string, w weighed) {
	if s.weighed == nil {
		s.weighed = map[string]weighed{}
	}
	w.version = s.version
	s.weighed[session] = w
}
