package controller

import "github.com/idumb-dev/idumb/resources"

// Dependents returns the objects of the same kind that wait for that task or
// plan, sorted by name.
func (w *world) Dependents(key resources.Key) []resources.Key {
	return w.cache.by(IndexDependsOn, key.String())
}

// PlanTasks returns the names of a plan's tasks, sorted.
func (w *world) PlanTasks(plan string) []string { return w.cache.names(IndexPlan, plan) }

// Delegations returns the delegations that hand over that task, sorted by name.
func (w *world) Delegations(task string) []*resources.Delegation {
	var found []*resources.Delegation
	for _, key := range w.cache.by(IndexRefers, resources.Key{Kind: resources.Tasks, Name: task}.String()) {
		if d, ok := w.cache.object(key).(*resources.Delegation); ok && d.Spec.Task == task {
			found = append(found, d)
		}
	}
	return found
}

// Triggers returns all triggers, sorted by name.
func (w *world) Triggers() []*resources.Trigger {
	var list []*resources.Trigger
	for _, key := range w.List(resources.Triggers) {
		if t, ok := w.cache.object(key).(*resources.Trigger); ok {
			list = append(list, t)
		}
	}
	return list
}

// Delegates returns the sessions that work under that delegation, sorted by name.
func (w *world) Delegates(delegation string) []*resources.Session {
	var found []*resources.Session
	for _, key := range w.cache.by(IndexRefers, resources.Key{Kind: resources.Delegations, Name: delegation}.String()) {
		if s, ok := w.cache.object(key).(*resources.Session); ok && s.Spec.Delegation == delegation {
			found = append(found, s)
		}
	}
	return found
}
