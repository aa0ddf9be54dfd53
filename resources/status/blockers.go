package status

import (
	"slices"
	"strconv"

	"github.com/idumb-dev/idumb/resources"
)

// maxNamed is the number of names that a message lists before it counts the rest.
const maxNamed = 8

// blocker is one unfinished prerequisite.
type blocker struct {
	name   string // as in status.blockedBy (see BlockerKey)
	reason string // one CamelCase word
	why    string // problem of the prerequisite, as text; empty if it is only unfinished
}

// blockers lists the unfinished prerequisites of a task or a plan.
type blockers []blocker

// Reasons of the condition Blocked.
const (
	dependencyUnmet = "DependencyNotCompleted"
	gateClosed      = "GateClosed"
	planInTheWay    = "PlanBlocked"
	parentBlocked   = "ParentBlocked"

	decisionUnresolved = "DecisionUnresolved"
)

// taskBlockers returns the unfinished prerequisites of a task in this order: dependencies,
// gate, decisions, plan, and the parent if it is blocked.
func taskBlockers(t *resources.Task, v View) blockers {
	found := append(ownBlockers(t, v), planBlockers(t.Spec.WorkPlan, v)...)
	if t.Spec.Parent != "" && blockedAbove(t, v) {
		found = append(found, blocker{t.Spec.Parent, parentBlocked, "it is a part of that, which is blocked"})
	}
	return found
}

// maxParents limits the number of parents that are followed, because parents may form a
// cycle.
const maxParents = 100

// blockedAbove reports whether a parent of a task is blocked by more than its subtasks. It
// ignores the plan of a parent in the same plan, because that plan blocks the task
// directly.
func blockedAbove(t *resources.Task, v View) bool {
	at := t
	for range maxParents {
		parent, ok := v.Task(at.Spec.Parent)
		if !ok {
			return false
		}
		if state := resources.TaskState(parent); state != resources.TaskPlanned && state != resources.TaskActive {
			return false
		}
		others := slices.DeleteFunc(ownBlockers(parent, v), func(b blocker) bool { return isPart(b.name, parent.Metadata.Name, v) })
		if len(others) > 0 || parent.Spec.WorkPlan != t.Spec.WorkPlan && len(planBlockers(parent.Spec.WorkPlan, v)) > 0 {
			return true
		}
		at = parent
	}
	return false
}

// isPart reports whether a task is a direct or indirect subtask of another task.
func isPart(name, of string, v interface {
	Task(name string) (*resources.Task, bool)
}) bool {
	for range maxParents {
		t, ok := v.Task(name)
		if !ok || t.Spec.Parent == "" {
			return false
		}
		if name = t.Spec.Parent; name == of {
			return true
		}
	}
	return false
}

// ownBlockers returns the incomplete dependencies, the gate and the unresolved decisions of
// a task.
func ownBlockers(t *resources.Task, v View) blockers {
	var found blockers
	for i, name := range t.Spec.DependsOn {
		b, unmet := taskBlocker(name, dependencyUnmet, v)
		if !unmet {
			continue
		}
		if found == nil {
			found = make(blockers, 0, len(t.Spec.DependsOn)-i+1)
		}
		found = append(found, b)
	}
	if gate := t.Spec.TemporalGate; gate != nil && gate.After != "" && !found.has(gate.After) {
		if b, unmet := taskBlocker(gate.After, gateClosed, v); unmet {
			found = append(found, b)
		}
	}
	return append(found, decisionBlockers(t, v)...)
}

// has reports whether a list contains a prerequisite with a name.
func (b blockers) has(name string) bool {
	for i := range b {
		if b[i].name == name {
			return true
		}
	}
	return false
}

// taskBlocker returns the blocker for a prerequisite task. unmet is false if the task is
// completed.
func taskBlocker(name, reason string, v View) (b blocker, unmet bool) {
	first, ok := v.Task(name)
	switch {
	case !ok:
		return blocker{name, reason, Absence(resources.Key{Kind: resources.Tasks, Name: name}, v)}, true
	case first.Spec.State == resources.TaskFailed, first.Spec.State == resources.TaskAbandoned:
		return blocker{name, reason, first.Spec.State}, true
	case first.Spec.State != resources.TaskCompleted:
		return blocker{name, reason, ""}, true
	case !TaskDone(first, v.Evidence(name)):
		return blocker{name, reason, "in review, evidence is missing"}, true
	}
	return blocker{}, false
}

// Absence returns why an object has no valid version, as text.
func Absence(key resources.Key, v View) string {
	switch {
	case v.Exists(key):
		return "its file cannot be read"
	case v.Archived(key):
		return "archived"
	}
	return "missing"
}

// planBlockers returns why a plan blocks its tasks: it is missing, archived or abandoned,
// or a plan that it depends on is not completed. A draft plan does not block its tasks.
func planBlockers(name string, v View) blockers {
	plan, ok := v.Plan(name)
	if !ok {
		return blockers{{"workplan/" + name, planInTheWay, Absence(resources.Key{Kind: resources.WorkPlans, Name: name}, v)}}
	}
	switch plan.Spec.State {
	case resources.PlanArchived, resources.PlanAbandoned:
		return blockers{{"workplan/" + name, planInTheWay, plan.Spec.State}}
	}
	return unmetPlans(plan, v)
}

// unmetPlans returns the incomplete dependencies of a plan. It does not look into the
// archive: tasks call it too, and only the plan itself is notified when a dependency is
// archived.
func unmetPlans(plan *resources.WorkPlan, v View) blockers {
	var found blockers
	for _, name := range plan.Spec.DependsOn {
		first, ok := v.Plan(name)
		if !ok {
			why := "not there"
			if v.Exists(resources.Key{Kind: resources.WorkPlans, Name: name}) {
				why = "its file cannot be read"
			}
			found = append(found, blocker{"workplan/" + name, planInTheWay, why})
		} else if !planMet(plan, first, v) {
			found = append(found, blocker{"workplan/" + name, planInTheWay, planTrouble(first)})
		}
	}
	return found
}

// planMet reports whether first, a dependency of plan, is completed. In a cycle of plans it
// only considers spec.state. Counting tasks would not terminate in a View that derives
// them.
func planMet(plan, first *resources.WorkPlan, v View) bool {
	switch first.Spec.State {
	case resources.PlanCompleted:
		return true
	case resources.PlanActive:
		return v.Circle(resources.Key{Kind: resources.WorkPlans, Name: plan.Metadata.Name}) == nil && PlanDone(first, v.PlanCounts(first.Metadata.Name))
	}
	return false
}

// planTrouble returns the state of a plan that is not active, or "".
func planTrouble(plan *resources.WorkPlan) string {
	switch plan.Spec.State {
	case resources.PlanActive:
		return ""
	case "":
		return resources.PlanDraft
	}
	return plan.Spec.State
}

// names returns the names of the prerequisites in order, or nil.
func (b blockers) names() []string {
	if len(b) == 0 {
		return nil
	}
	names := make([]string, len(b))
	for i := range b {
		names[i] = b[i].name
	}
	return names
}

// reason returns the reason of the first blocker.
func (b blockers) reason() string { return b[0].reason }

// message lists the first blockers with their problems, and the gate's reason.
func (b blockers) message(t *resources.Task) string {
	text := make([]byte, 0, 128)
	text = append(text, "waits for "...)
	for i := range b[:min(len(b), maxNamed)] {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = appendName(text, b[i].name)
		if b[i].why != "" {
			text = append(append(append(text, " ("...), b[i].why...), ')')
		}
	}
	if len(b) > maxNamed {
		text = append(text, " and "...)
		text = append(strconv.AppendInt(text, int64(len(b)-maxNamed), 10), " more"...)
	}
	if t != nil && t.Spec.TemporalGate != nil && t.Spec.TemporalGate.Reason != "" && b.has(t.Spec.TemporalGate.After) {
		text = append(append(text, "; gate: "...), t.Spec.TemporalGate.Reason...)
	}
	return string(text)
}

// appendName appends a quoted name. The common case needs no escapes.
func appendName(text []byte, name string) []byte {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '-' || c > '9') {
			return strconv.AppendQuote(text, name)
		}
	}
	return append(append(append(text, '"'), name...), '"')
}

// Listed joins the first items and counts the rest.
func Listed(items []string, between string) string {
	return resources.Listed(items, maxNamed, between)
}

// Quoted quotes names and joins them with commas. It counts those beyond maxNamed.
func Quoted(names []string) string {
	quoted := make([]string, 0, min(len(names), maxNamed+1))
	for _, name := range names {
		quoted = append(quoted, strconv.Quote(name))
	}
	return Listed(quoted, ", ")
}

// isAre returns the verb for a list of names: "is" for one, else "are".
func isAre(names []string) string {
	if len(names) == 1 {
		return "is"
	}
	return "are"
}
