package migrate

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Plan reads a record as a plan. It returns nil for an identical record.
func (b *Builder) Plan(f File, r *Record) *Draft {
	d := b.Add(resources.WorkPlans, f, r, r.Text(strings.Fields(idNames)...))
	if d == nil {
		return nil
	}
	title := or(r.Text(strings.Fields(titleNames)...), d.ID)
	list, text := criteria(r)
	if len(list) == 0 {
		list = Bullets(text)
	}
	word := r.Text(strings.Fields(statusNames)...)
	state, known := PlanState(word)
	*Spec[resources.WorkPlanSpec](d) = resources.WorkPlanSpec{Title: firstLine(title), Acceptance: list, State: state}
	b.Map(d)
	if firstLine(title) != title {
		d.Annotate("title", title)
	}
	if !known {
		b.Report.Note(&b.Report.Odd, "unknown status "+word+" of a plan: "+state, d.ID)
	}
	return d
}

// criteria takes the list of criteria. If the record contains one text instead, it returns
// the text.
func criteria(r *Record) (list []string, text string) {
	names := strings.Fields(criteriaNames)
	if v, ok := r.Peek(names...); ok && v.Type == String {
		return nil, r.Text(names...)
	}
	return r.Texts(names...), ""
}

// Bullets splits a list of criteria into lines without bullets.
func Bullets(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, bullet := range []string{"- [ ] ", "- [x] ", "- [X] ", "- ", "* "} {
			if rest, ok := strings.CutPrefix(line, bullet); ok {
				line = strings.TrimSpace(rest)
				break
			}
		}
		if line != "" {
			list = append(list, line)
		}
	}
	return list
}

// homeID is the ID of the plan for tasks without a plan.
const homeID = "(no plan)"

// assignPlans assigns tasks without a plan to the plan of their parent, or to a generated plan.
func (b *Builder) assignPlans() {
	for _, d := range b.drafts[resources.Tasks] {
		if d.complete {
			continue
		}
		spec := Spec[resources.TaskSpec](d)
		if said := spec.WorkPlan; said != "" && b.Find(resources.WorkPlans, said) == nil {
			b.dangling(d, "plan", said)
		}
		if plan := b.planOf(d); plan != nil {
			spec.WorkPlan = plan.ID
			continue
		}
		spec.WorkPlan, spec.Phase = homeID, ""
		b.MakePlan(homeID, "Tasks without a plan ("+b.title+")").Name = b.format + "-tasks"
	}
	b.furnish()
}

// planOf returns the plan of a task or of its closest parent with a plan, or nil.
func (b *Builder) planOf(d *Draft) *Draft {
	for seen := map[*Draft]bool{}; d != nil && !seen[d]; {
		seen[d] = true
		spec := Spec[resources.TaskSpec](d)
		if plan := b.Find(resources.WorkPlans, spec.WorkPlan); plan != nil {
			return plan
		}
		d = b.Find(resources.Tasks, spec.Parent)
	}
	return nil
}

// MakePlan returns the generated plan with an ID, and creates it if necessary. The plan is
// active while one of its tasks is open. It is as old as its oldest task.
func (b *Builder) MakePlan(id, title string) *Draft {
	if d := b.exact(resources.WorkPlans, id); d != nil {
		return d
	}
	d := b.Make(resources.WorkPlans, id)
	d.madeUp = true
	*Spec[resources.WorkPlanSpec](d) = resources.WorkPlanSpec{Title: title, State: resources.PlanCompleted}
	return d
}

// furnish sets the state and age of generated plans from their tasks.
func (b *Builder) furnish() {
	dated := map[*Draft]bool{} // whether the creator of the plan set its age
	for _, d := range b.drafts[resources.WorkPlans] {
		dated[d] = !d.Meta().CreationTimestamp.IsZero()
	}
	for _, d := range b.drafts[resources.Tasks] {
		t := Spec[resources.TaskSpec](d)
		plan := b.exact(resources.WorkPlans, t.WorkPlan)
		if plan == nil || !plan.madeUp {
			continue
		}
		if !IsOver(t.State) {
			Spec[resources.WorkPlanSpec](plan).State = resources.PlanActive
		}
		first := plan.Meta().CreationTimestamp
		if c := d.Meta().CreationTimestamp; !dated[plan] && !c.IsZero() && (first.IsZero() || c.Before(first.Time)) {
			plan.Meta().CreationTimestamp = c
		}
	}
}

// IsOver reports whether a task state is final: completed, failed or abandoned.
func IsOver(state string) bool {
	return state == resources.TaskCompleted || state == resources.TaskFailed || state == resources.TaskAbandoned
}
