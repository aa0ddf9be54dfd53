package graph

import (
	"sync"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// snapshotIndexes are built when they are first asked for. Everything in them is
// sorted by name.
type snapshotIndexes struct {
	plans       func() map[string][]int    // of a plan's name: the numbers of its tasks
	taskStates  func() map[string][]string // of a spec.state: the names of tasks
	planStates  func() map[string][]string
	chains      func() map[string]*chain // of a kind, tasks or plans
	superseders func() map[string][]*resources.Mem
	memChains   func() *memory.Chains
	topics      func() map[string][]*resources.Mem // of a topic, as NormalTopic spells it
	said        func() map[string][]*resources.Mem // of the words of mems, as NormalText leaves them
	workDays    func() status.WorkDays
	delegations func() map[string][]*resources.Delegation // of a task's name
	delegates   func() map[string][]*resources.Session    // of a delegation's name
	triggers    func() []*resources.Trigger
}

func (s *Snapshot) lazyIndexes() snapshotIndexes {
	return snapshotIndexes{
		plans:       sync.OnceValue(s.indexPlans),
		taskStates:  sync.OnceValue(s.indexTaskStates),
		planStates:  sync.OnceValue(s.indexPlanStates),
		chains:      sync.OnceValue(s.indexChains),
		superseders: sync.OnceValue(s.indexSuperseders),
		memChains:   sync.OnceValue(s.indexMemChains),
		topics:      sync.OnceValue(s.indexTopics),
		said:        sync.OnceValue(s.indexSaid),
		workDays:    sync.OnceValue(s.listWorkDays),
		delegations: sync.OnceValue(s.indexDelegations),
		delegates:   sync.OnceValue(s.indexDelegates),
		triggers:    sync.OnceValue(s.listTriggers),
	}
}

// Dependents returns the objects of the same kind that wait for that task or plan,
// sorted by name.
func (s *Snapshot) Dependents(key resources.Key) []resources.Key {
	chain, shelf := s.indexes.chains()[key.Kind], s.shelves[key.Kind]
	if chain == nil {
		return nil
	}
	return chain.dependents(key, shelf)
}

// Circle returns the dependency circle that a task or plan stands in.
func (s *Snapshot) Circle(key resources.Key) []string {
	if chain := s.indexes.chains()[key.Kind]; chain != nil {
		return chain.circles()[key.Name]
	}
	return nil
}

// TasksInState returns the names of all tasks with that spec.state, sorted.
func (s *Snapshot) TasksInState(state string) []string {
	return s.indexes.taskStates()[state]
}

// PlansInState returns the names of all plans with that spec.state, sorted.
func (s *Snapshot) PlansInState(state string) []string {
	return s.indexes.planStates()[state]
}

// Superseders returns the mems that replace that mem, sorted by name.
func (s *Snapshot) Superseders(mem string) []*resources.Mem { return s.indexes.superseders()[mem] }

// Delegations returns the delegations that hand over that task, sorted by name.
func (s *Snapshot) Delegations(task string) []*resources.Delegation {
	return s.indexes.delegations()[task]
}

// Triggers returns all triggers, sorted by name.
func (s *Snapshot) Triggers() []*resources.Trigger { return s.indexes.triggers() }

// Delegates returns the sessions that work under that delegation, sorted by name.
func (s *Snapshot) Delegates(delegation string) []*resources.Session {
	return s.indexes.delegates()[delegation]
}

// PlanTasks returns the names of a plan's tasks, sorted.
func (s *Snapshot) PlanTasks(plan string) []string {
	var names []string
	for _, n := range s.indexes.plans()[plan] {
		names = append(names, s.tasks.names[n])
	}
	return names
}

// each calls do with every readable object of a kind, in the order of their names.
func each[T resources.Object](s *Snapshot, kind string, do func(name string, o T)) {
	shelf := s.shelves[kind]
	if shelf == nil {
		return
	}
	for i, name := range shelf.names {
		if o, ok := shelf.objects[i].(T); ok {
			do(name, o)
		}
	}
}

func (s *Snapshot) indexPlans() map[string][]int {
	plans := map[string][]int{}
	if s.tasks == nil {
		return plans
	}
	for i, o := range s.tasks.objects {
		if t, ok := o.(*resources.Task); ok {
			plans[t.Spec.WorkPlan] = append(plans[t.Spec.WorkPlan], i)
		}
	}
	return plans
}

func (s *Snapshot) indexTaskStates() map[string][]string {
	states := map[string][]string{}
	each(s, resources.Tasks, func(name string, t *resources.Task) {
		states[resources.TaskState(t)] = append(states[resources.TaskState(t)], name)
	})
	return states
}

func (s *Snapshot) indexPlanStates() map[string][]string {
	states := map[string][]string{}
	each(s, resources.WorkPlans, func(name string, p *resources.WorkPlan) {
		states[resources.PlanState(p)] = append(states[resources.PlanState(p)], name)
	})
	return states
}

func (s *Snapshot) indexChains() map[string]*chain {
	return map[string]*chain{resources.Tasks: newChain(s.tasks), resources.WorkPlans: newChain(s.plans)}
}

func (s *Snapshot) indexSuperseders() map[string][]*resources.Mem {
	superseders := map[string][]*resources.Mem{}
	each(s, resources.Mems, func(_ string, m *resources.Mem) {
		if old := m.Spec.Supersedes; old != "" {
			superseders[old] = append(superseders[old], m)
		}
	})
	return superseders
}

func (s *Snapshot) indexTopics() map[string][]*resources.Mem {
	topics := map[string][]*resources.Mem{}
	each(s, resources.Mems, func(_ string, m *resources.Mem) {
		if topic := memory.NormalTopic(m.Spec.TopicKey); topic != "" {
			topics[topic] = append(topics[topic], m)
		}
	})
	return topics
}

func (s *Snapshot) indexSaid() map[string][]*resources.Mem {
	said := map[string][]*resources.Mem{}
	each(s, resources.Mems, func(_ string, m *resources.Mem) {
		words := memory.NormalText(m.Spec.Content)
		said[words] = append(said[words], m)
	})
	return said
}

func (s *Snapshot) listWorkDays() status.WorkDays {
	var days []int
	for _, kind := range status.WorkKinds() {
		each(s, kind, func(_ string, o resources.Object) { days = status.ObjectDays(days, o) })
	}
	if s.input.CommitDays != nil {
		days = append(days, s.input.CommitDays()...)
	}
	return status.NewWorkDays(days)
}

func (s *Snapshot) indexDelegations() map[string][]*resources.Delegation {
	delegations := map[string][]*resources.Delegation{}
	each(s, resources.Delegations, func(_ string, d *resources.Delegation) {
		delegations[d.Spec.Task] = append(delegations[d.Spec.Task], d)
	})
	return delegations
}

func (s *Snapshot) listTriggers() []*resources.Trigger {
	var list []*resources.Trigger
	each(s, resources.Triggers, func(_ string, t *resources.Trigger) { list = append(list, t) })
	return list
}

func (s *Snapshot) indexDelegates() map[string][]*resources.Session {
	delegates := map[string][]*resources.Session{}
	each(s, resources.Sessions, func(_ string, session *resources.Session) {
		if under := session.Spec.Delegation; under != "" {
			delegates[under] = append(delegates[under], session)
		}
	})
	return delegates
}
