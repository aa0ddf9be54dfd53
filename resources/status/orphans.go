package status

import (
	"strconv"

	"github.com/idumb-dev/idumb/resources"
)

// Orphan collects references to missing objects.
type Orphan struct {
	View       View
	Object     resources.Key // object with the references
	candidates []string
}

// Check records a reference unless its object exists or is archived.
func (o *Orphan) Check(field, kind, name string) {
	if name == "" {
		return
	}
	key := resources.Key{Kind: kind, Name: name}
	if !o.View.Exists(key) && !o.View.Archived(key) {
		o.candidates = append(o.candidates, field+" names "+key.String())
	}
}

// Condition returns the condition Orphaned if a reference was recorded.
func (o *Orphan) Condition() (resources.Condition, bool) {
	if len(o.candidates) == 0 {
		return resources.Condition{}, false
	}
	kind, _ := resources.KindOf(o.Object.Kind)
	return resources.Condition{Type: resources.Orphaned, Status: resources.True, Reason: "ReferenceMissing",
		Message: Listed(o.candidates, ", ") + ", which does not exist; create it, or remove the reference: idumb edit " + kind.Singular + "/" + o.Object.Name}, true
}

// conditions returns Condition as a list, for kinds without other conditions.
func (o *Orphan) conditions() []resources.Condition {
	if c, orphaned := o.Condition(); orphaned {
		return []resources.Condition{c}
	}
	return nil
}

// CheckRelated checks spec.relatedTo.
func (o *Orphan) CheckRelated(related []resources.Key) {
	for i, key := range related {
		o.Check("spec.relatedTo["+strconv.Itoa(i)+"]", key.Kind, key.Name)
	}
}

// orphanedTask returns the condition Orphaned if a task names missing objects,
// or a phase that its plan does not define. It looks up the plan first, because
// finding an existing plan is cheap.
func orphanedTask(t *resources.Task, v View) (resources.Condition, bool) {
	o := Orphan{View: v, Object: t.Key()}
	spec := &t.Spec
	if plan, ok := v.Plan(spec.WorkPlan); !ok {
		o.Check("spec.workPlan", resources.WorkPlans, spec.WorkPlan)
	} else if spec.Phase != "" && !hasPhase(plan, spec.Phase) {
		o.candidates = append(o.candidates, "spec.phase names "+strconv.Quote(spec.Phase)+" of workplans/"+spec.WorkPlan)
	}
	o.Check("spec.parent", resources.Tasks, spec.Parent)
	for i, name := range spec.DependsOn {
		if _, ok := v.Task(name); !ok {
			o.Check("spec.dependsOn["+strconv.Itoa(i)+"]", resources.Tasks, name)
		}
	}
	if spec.TemporalGate != nil {
		o.Check("spec.temporalGate.after", resources.Tasks, spec.TemporalGate.After)
	}
	for i, name := range spec.Decisions {
		o.Check("spec.decisions["+strconv.Itoa(i)+"]", resources.Decisions, name)
	}
	return o.Condition()
}

// hasPhase reports whether a plan defines a phase with this name.
func hasPhase(plan *resources.WorkPlan, name string) bool {
	for i := range plan.Spec.Phases {
		if plan.Spec.Phases[i].Name == name {
			return true
		}
	}
	return false
}
