package resources

import "strconv"

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

// checkRelated checks spec.relatedTo.
func (o *orphan) checkRelated(related []Key) {
	for i, key := range related {
		o.check("spec.relatedTo["+strconv.Itoa(i)+"]", key.Kind, key.Name)
	}
}

// RelatedKeys returns what a mem or an anchor names in spec.relatedTo, in its order;
// nil for any other object.
func RelatedKeys(o Object) []Key {
	var related []string
	switch o := o.(type) {
	case *Mem:
		related = o.Spec.RelatedTo
	case *Anchor:
		related = o.Spec.RelatedTo
	}
	if len(related) == 0 {
		return nil
	}
	self, _ := KindOf(o.Key().Kind)
	keys := make([]Key, len(related))
	for i, entry := range related {
		keys[i] = relatedKey(self, entry)
	}
	return keys
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
