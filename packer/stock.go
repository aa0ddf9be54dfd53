package packer

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Stock is what a packer has at hand from one packing to the next, where many packs are
// made of objects that seldom change: statuses of tasks, plans and mems, the mems analysed, and what
// they came to for each reader. It changes how long Gather and Build take, and nothing else, as
// long as it is told (Changed) of each object that is another one, or whose status is. The zero
// Stock is empty and ready for use. One goroutine packs with it; Changed may be called at once.
type Stock struct {
	mu      sync.Mutex
	changed map[resources.Key]bool

	day      string
	settings *resources.ConfigSpec
	tasks    map[string]resources.TaskStatus
	plans    map[string]resources.WorkPlanStatus
	ahead    map[string][]string // of large plans: the ready tasks that are planned ahead, sorted
	mems     []Mem               // by name
	version  int                 // another one whenever a mem or an anchor is; 0: nothing is at hand
	kept     *search.Analysed    // the mems, as of some time ago
	weighed  map[string]weighed  // by session
}

// weighed is what the mems and anchors came to for one reader, and what that depends on
// besides themselves.
type weighed struct {
	version  int // of the stock
	question search.Query
	links    map[resources.Key]closeness
	held     map[string]int
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

// Analysed is Input.Index, for a packing without the stock.
func (s *Stock) Analysed() *search.Analysed { return s.kept }

// Only says for which sessions there will be packs, "" for none in particular.
func (s *Stock) Only(sessions map[string]bool) {
	maps.DeleteFunc(s.weighed, func(session string, _ weighed) bool { return !sessions[session] })
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
		s.restock(Mems(source))
		return
	}
	var mems, tasks []resources.Key
	for key := range changed {
		switch key.Kind {
		case resources.Tasks:
			delete(s.tasks, key.Name)
			tasks = append(tasks, key)
		case resources.WorkPlans:
			delete(s.plans, key.Name)
		case resources.Anchors:
			s.version++
		case resources.Mems:
			mems = append(mems, key)
		}
	}
	s.renewMems(source, mems)
	s.renewAhead(source, tasks)
}

// restock takes in all mems.
func (s *Stock) restock(mems []Mem) {
	s.mems = mems
	s.version++
}

// renewMems looks at the mems that changed, or at all of them where many did.
func (s *Stock) renewMems(source Source, changed []resources.Key) {
	if len(changed) > 100+len(s.mems)/16 {
		s.restock(Mems(source))
		return
	}
	for _, key := range changed {
		s.version++
		at, known := slices.BinarySearchFunc(s.mems, key.Name, func(m Mem, name string) int { return strings.Compare(m.Object.Metadata.Name, name) })
		m, there := observed(source, key, assess)
		switch {
		case known && there:
			s.mems[at] = m
		case known:
			s.mems = slices.Delete(s.mems, at, at+1)
		case there:
			s.mems = slices.Insert(s.mems, at, m)
		}
	}
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

// analyse makes the index of documents, from what was analysed before.
func (s *Stock) analyse(documents []search.Document) *search.Index {
	x := search.New(s.kept, documents)
	if x.Stale() {
		s.kept = x.Analysed()
	}
	return x
}

// recall returns what mems and anchors came to for a reader, unless that has to be found out
// anew.
func (s *Stock) recall(session string, w weighed) (weighed, bool) {
	last, known := s.weighed[session]
	return last, known && last.version == s.version && maps.Equal(last.links, w.links) && maps.Equal(last.held, w.held) && reflect.DeepEqual(last.question, w.question)
}

// keep remembers what mems and anchors came to for a reader.
func (s *Stock) keep(session string, w weighed) {
	if s.weighed == nil {
		s.weighed = map[string]weighed{}
	}
	w.version = s.version
	s.weighed[session] = w
}
