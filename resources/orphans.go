package resources

import (
	"strconv"
	"strings"
)

// orphan collects references that name nothing that there is.
type orphan struct {
	view  View
	found []string
}

// check notes a reference unless what it names exists or stands in the archive.
func (o *orphan) check(field, kind, name string) {
	if name == "" {
		return
	}
	key := Key{kind, name}
	if !o.view.Exists(key) && !o.view.Archived(key) {
		o.found = append(o.found, field+" names "+key.String())
	}
}

// condition is Orphaned, if anything was found.
func (o *orphan) condition() (Condition, bool) {
	if len(o.found) == 0 {
		return Condition{}, false
	}
	return Condition{Type: Orphaned, Status: True, Reason: "ReferenceMissing",
		Message: listed(o.found, ", ") + ", which does not exist; create it, or take the reference out"}, true
}

// conditions is condition as the list of a kind that has no other.
func (o *orphan) conditions() []Condition {
	if c, orphaned := o.condition(); orphaned {
		return []Condition{c}
	}
	return nil
}

// checkRelated checks a list of kind/name, or of plain names of one kind. A word
// that is no name of an object is left to validation.
func (o *orphan) checkRelated(kind string, related []string) {
	for i, text := range related {
		where, name := kind, text
		if before, after, found := strings.Cut(text, "/"); found {
			k, ok := LookupKind(before)
			if !ok {
				continue
			}
			where, name = k.Plural, after
		}
		o.check("spec.relatedTo["+strconv.Itoa(i)+"]", where, name)
	}
}

// orphanedTask checks what a task refers to. A task's plan is looked at first
// because a plan that is there costs next to nothing.
func orphanedTask(t *Task, v View) (Condition, bool) {
	o := orphan{view: v}
	spec := &t.Spec
	plan, ok := v.Plan(spec.WorkPlan)
	if !ok {
		o.check("spec.workPlan", WorkPlans, spec.WorkPlan)
	} else if spec.Phase != "" && !hasPhase(plan, spec.Phase) {
		o.found = append(o.found, "spec.phase names "+strconv.Quote(spec.Phase)+" of workplans/"+spec.WorkPlan)
	}
	o.check("spec.parent", Tasks, spec.Parent)
	for i, name := range spec.DependsOn {
		if _, ok := v.Task(name); !ok {
			o.check("spec.dependsOn["+strconv.Itoa(i)+"]", Tasks, name)
		}
	}
	if spec.TemporalGate != nil {
		o.check("spec.temporalGate.after", Tasks, spec.TemporalGate.After)
	}
	return o.condition()
}

func hasPhase(plan *WorkPlan, name string) bool {
	for i := range plan.Spec.Phases {
		if plan.Spec.Phases[i].Name == name {
			return true
		}
	}
	return false
}
