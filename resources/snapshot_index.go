package resources

import "sync"

// snapshotIndexes are built when they are first asked for. Everything in them is
// sorted by name.
type snapshotIndexes struct {
	plans       func() map[string][]*Task // of a plan's name
	states      func() map[Key][]string   // of {kind, state}: tasks and plans
	dependents  func() map[Key][]Key
	circles     func() map[Key][]string
	superseders func() map[string][]*Mem
	delegations func() map[string][]*Delegation // of a task's name
}

func (s *Snapshot) lazyIndexes() snapshotIndexes {
	return snapshotIndexes{
		plans:       sync.OnceValue(s.indexPlans),
		states:      sync.OnceValue(s.indexStates),
		dependents:  sync.OnceValue(s.indexDependents),
		circles:     sync.OnceValue(s.indexCircles),
		superseders: sync.OnceValue(s.indexSuperseders),
		delegations: sync.OnceValue(s.indexDelegations),
	}
}

// Dependents returns the objects of the same kind that wait for that task or plan.
func (s *Snapshot) Dependents(key Key) []Key { return s.indexes.dependents()[key] }

// Circle returns the dependency circle that a task or plan stands in.
func (s *Snapshot) Circle(key Key) []string { return s.indexes.circles()[key] }

// TasksInState returns the names of all tasks with that spec.state, sorted.
func (s *Snapshot) TasksInState(state string) []string {
	return s.indexes.states()[Key{Tasks, state}]
}

// PlansInState returns the names of all plans with that spec.state, sorted.
func (s *Snapshot) PlansInState(state string) []string {
	return s.indexes.states()[Key{WorkPlans, state}]
}

// Superseders returns the mems that replace that mem, sorted by name.
func (s *Snapshot) Superseders(mem string) []*Mem { return s.indexes.superseders()[mem] }

// Delegations returns the delegations that hand over that task, sorted by name.
func (s *Snapshot) Delegations(task string) []*Delegation { return s.indexes.delegations()[task] }

// PlanTasks returns the names of a plan's tasks, sorted.
func (s *Snapshot) PlanTasks(plan string) []string {
	var names []string
	for _, t := range s.indexes.plans()[plan] {
		names = append(names, t.Metadata.Name)
	}
	return names
}

// each calls do with every readable object of a kind, in the order of their names.
func each[T Object](s *Snapshot, kind string, do func(name string, o T)) {
	shelf := s.byKind[kind]
	if shelf == nil {
		return
	}
	for _, name := range shelf.names {
		if o, ok := shelf.objects[name].(T); ok {
			do(name, o)
		}
	}
}

func (s *Snapshot) indexPlans() map[string][]*Task {
	plans := map[string][]*Task{}
	each(s, Tasks, func(_ string, t *Task) { plans[t.Spec.WorkPlan] = append(plans[t.Spec.WorkPlan], t) })
	return plans
}

func (s *Snapshot) indexStates() map[Key][]string {
	states := map[Key][]string{}
	add := func(kind, state, name string) {
		key := Key{kind, state}
		states[key] = append(states[key], name)
	}
	each(s, Tasks, func(name string, t *Task) { add(Tasks, TaskState(t), name) })
	each(s, WorkPlans, func(name string, p *WorkPlan) { add(WorkPlans, PlanState(p), name) })
	return states
}

func (s *Snapshot) indexDependents() map[Key][]Key {
	dependents := map[Key][]Key{}
	add := func(kind, name string, firsts []string) {
		for _, first := range firsts {
			key := Key{kind, first}
			if list := dependents[key]; len(list) == 0 || list[len(list)-1].Name != name {
				dependents[key] = append(list, Key{kind, name})
			}
		}
	}
	each(s, Tasks, func(name string, t *Task) { add(Tasks, name, comesFirst(&t.Spec)) })
	each(s, WorkPlans, func(name string, p *WorkPlan) { add(WorkPlans, name, p.Spec.DependsOn) })
	return dependents
}

func (s *Snapshot) indexCircles() map[Key][]string {
	edges := map[string][]string{}
	each(s, Tasks, func(name string, t *Task) {
		if waits(&t.Spec) {
			edges[name] = comesFirst(&t.Spec)
		}
	})
	circles := map[Key][]string{}
	for name, circle := range Circles(edges) {
		circles[Key{Tasks, name}] = circle
	}
	clear(edges)
	each(s, WorkPlans, func(name string, p *WorkPlan) { edges[name] = p.Spec.DependsOn })
	for name, circle := range Circles(edges) {
		circles[Key{WorkPlans, name}] = circle
	}
	return circles
}

func (s *Snapshot) indexSuperseders() map[string][]*Mem {
	superseders := map[string][]*Mem{}
	each(s, Mems, func(_ string, m *Mem) {
		if old := m.Spec.Supersedes; old != "" {
			superseders[old] = append(superseders[old], m)
		}
	})
	return superseders
}

func (s *Snapshot) indexDelegations() map[string][]*Delegation {
	delegations := map[string][]*Delegation{}
	each(s, Delegations, func(_ string, d *Delegation) {
		delegations[d.Spec.Task] = append(delegations[d.Spec.Task], d)
	})
	return delegations
}
