package status

import (
	"strconv"

	"github.com/idumb-dev/idumb/resources"
)

// maxNamed is the number of names that a message lists before it counts the rest.
const maxNamed = 8

// blocker is one unfinished prerequisite of a task or a plan.
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

// taskBlockers returns the unmet edges of Precedence at a task, in their order.
func taskBlockers(t *resources.Task, v View) blockers {
	return stepBlockers(Step{Key: t.Key()}, t, t.Spec.WorkPlan, maxParents, v)
}

// maxParents limits the number of parents that are followed, because parents may form a
// cycle.
const maxParents = 100

// stepBlockers returns the unmet edges at a step of a task. A parent step is unmet if it has
// unmet edges itself, other than its plan if that is plan, which blocks the task directly.
func stepBlockers(s Step, t *resources.Task, plan string, parents int, v View) (found blockers) {
	for _, edge := range taskPrecedence(s, t, byName{v}) {
		switch name := edge.To.Key.Name; edge.Field {
		case "spec.workPlan":
			if !s.Start || name != plan {
				found = append(found, planBlockers(name, v)...)
			}
		case "spec.decisions":
			if why := decisionTrouble(name, v); why != "" {
				found = append(found, blocker{decisionPrefix + name, decisionUnresolved, why})
			}
		case "spec.parent":
			if parent, ok := v.Task(name); ok && parents > 0 && len(stepBlockers(edge.To, parent, plan, parents-1, v)) > 0 {
				found = append(found, blocker{name, parentBlocked, "it is a part of that, which is blocked"})
			}
		case "spec.temporalGate.after":
			found = appendUnmet(found, name, gateClosed, v)
		default:
			found = appendUnmet(found, name, dependencyUnmet, v)
		}
	}
	return found
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

// has reports whether a list contains a prerequisite with a name.
func (b blockers) has(name string) bool {
	for i := range b {
		if b[i].name == name {
			return true
		}
	}
	return false
}

// appendUnmet appends the blocker for a prerequisite task, unless that counts
// as completed (TaskDone).
func appendUnmet(found blockers, name, reason string, v View) blockers {
	switch first, ok := v.Task(name); {
	case !ok:
		return append(found, blocker{name, reason, Absence(resources.Key{Kind: resources.Tasks, Name: name}, v)})
	case first.Spec.State == resources.TaskFailed, first.Spec.State == resources.TaskAbandoned:
		return append(found, blocker{name, reason, first.Spec.State})
	case first.Spec.State != resources.TaskCompleted:
		return append(found, blocker{name, reason, ""})
	case !TaskDone(first, v.Evidence(name)):
		return append(found, blocker{name, reason, "in review, evidence is missing"})
	}
	return found
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
	if setAside(plan) {
		return blockers{{"workplan/" + name, planInTheWay, plan.Spec.State}}
	}
	return unmetPlans(plan, v)
}

// unmetPlans returns the incomplete dependencies of a plan. It does not look into the
// archive: tasks call it too, and only the plan itself is notified when a dependency is
// archived.
func unmetPlans(plan *resources.WorkPlan, v View) blockers {
	var found blockers
	for _, edge := range planPrecedence(Step{plan.Key(), true}, plan, byName{v}) {
		name := edge.To.Key.Name
		if first, ok := v.Plan(name); !ok {
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

// reason returns the reason of the first blocker, which must exist.
func (b blockers) reason() string { return b[0].reason }

// message lists the first blockers with their problems, and the reason of the
// gate of t. t is nil for a plan.
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
