package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// homeID is the id of the plan for tasks that belong to none.
const homeID = "(no plan)"

// home gives tasks without a plan the one of their parent, or the plan for all that have none.
func (b *Builder) home() {
	for _, d := range b.drafts[resources.Tasks] {
		spec := d.Object.SpecPointer().(*resources.TaskSpec)
		if d.given {
			continue
		}
		if plan := b.planOf(d); plan != nil {
			if spec.WorkPlan != "" && b.Find(resources.WorkPlans, spec.WorkPlan) == nil {
				b.dangling(d, "plan", spec.WorkPlan)
			}
			spec.WorkPlan = plan.ID
			continue
		}
		if spec.WorkPlan != "" {
			b.dangling(d, "plan", spec.WorkPlan)
		}
		spec.WorkPlan, spec.Phase = homeID, ""
		b.MakePlan(homeID, "Tasks without a plan ("+b.title+")").Name = b.format + "-tasks"
	}
	b.furnish()
}

// planOf is the plan of a task, or of the next one above it that has one; nil if there is none.
func (b *Builder) planOf(d *Draft) *Draft {
	for seen := map[*Draft]bool{}; d != nil && !seen[d]; {
		seen[d] = true
		spec := d.Object.SpecPointer().(*resources.TaskSpec)
		if plan := b.Find(resources.WorkPlans, spec.WorkPlan); plan != nil {
			return plan
		}
		d = b.Find(resources.Tasks, spec.Parent)
	}
	return nil
}

// allDone is the criterion of a plan that names none.
const allDone = "Every task of the plan is completed"

// MakePlan returns the plan of an id that no record says, or begins it. It is active while a task of it is not over, and
// as old as the oldest of them.
func (b *Builder) MakePlan(id, title string) *Draft {
	if d := b.exact(resources.WorkPlans, id); d != nil {
		return d
	}
	d := b.Make(resources.WorkPlans, id)
	d.madeUp = true
	*d.Object.SpecPointer().(*resources.WorkPlanSpec) = resources.WorkPlanSpec{Title: title, Acceptance: []string{allDone}, State: resources.PlanCompleted}
	return d
}

// furnish says of the plans that were made up what follows from their tasks.
func (b *Builder) furnish() {
	dated := map[*Draft]bool{} // by what made them
	for _, d := range b.drafts[resources.WorkPlans] {
		dated[d] = !d.Meta().CreationTimestamp.IsZero()
	}
	for _, d := range b.drafts[resources.Tasks] {
		t := d.Object.SpecPointer().(*resources.TaskSpec)
		plan := b.exact(resources.WorkPlans, t.WorkPlan)
		if plan == nil || !plan.madeUp {
			continue
		}
		if !IsOver(t.State) {
			plan.Object.SpecPointer().(*resources.WorkPlanSpec).State = resources.PlanActive
		}
		first := plan.Meta().CreationTimestamp
		if c := d.Meta().CreationTimestamp; !dated[plan] && !c.IsZero() && (first.IsZero() || c.Before(first.Time)) {
			plan.Meta().CreationTimestamp = c
		}
	}
}

// IsOver reports whether nothing is to be done any more in a state.
func IsOver(state string) bool {
	return state == resources.TaskCompleted || state == resources.TaskFailed || state == resources.TaskAbandoned
}

// turn makes of what a task blocks what the others wait for.
func (b *Builder) turn() {
	for _, d := range b.drafts[resources.Tasks] {
		var missing []string
		for _, id := range d.Blocks {
			target := b.Find(resources.Tasks, id)
			if target == nil {
				missing = append(missing, id)
				continue
			}
			spec := target.Object.SpecPointer().(*resources.TaskSpec)
			if !slices.ContainsFunc(spec.DependsOn, func(on string) bool { return b.Find(resources.Tasks, on) == d }) {
				spec.DependsOn = append(spec.DependsOn, d.ID)
			}
		}
		if len(missing) > 0 {
			b.dangling(d, "blocked task", strings.Join(missing, ", "))
		}
	}
}

// dangling notes a reference that leads nowhere, and reports it.
func (b *Builder) dangling(d *Draft, what, id string) {
	d.Annotate("missing-"+strings.ReplaceAll(what, " ", "-"), id)
	b.report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: "its " + what + " " + id + " is not there; kept as an annotation"})
}

// ref is a field of an object that refers to others.
type ref struct {
	kind   string // of what it refers to; "" for any
	what   string // it is called
	circle string // in which it may close one; "" for none
	one    *string
	many   *[]string // instead of one
}

// refsOf is the table of fields that refer to others.
func refsOf(o resources.Object) []ref {
	switch spec := o.SpecPointer().(type) {
	case *resources.WorkPlanSpec:
		return []ref{{kind: resources.WorkPlans, what: "dependency", circle: "dependencies", many: &spec.DependsOn}}
	case *resources.TaskSpec:
		refs := []ref{
			{kind: resources.WorkPlans, what: "plan", one: &spec.WorkPlan},
			{kind: resources.Tasks, what: "parent", circle: "parents", one: &spec.Parent},
			{kind: resources.Tasks, what: "dependency", circle: "dependencies", many: &spec.DependsOn},
		}
		if spec.TemporalGate != nil {
			refs = append(refs, ref{kind: resources.Tasks, what: "temporal gate", circle: "dependencies", one: &spec.TemporalGate.After})
		}
		if spec.Result != nil {
			refs = append(refs, ref{kind: resources.Anchors, what: "anchor", many: &spec.Result.AnchorsCreated})
		}
		return refs
	case *resources.MemSpec:
		return []ref{
			{kind: resources.Tasks, what: "origin task", one: &spec.OriginTask},
			{kind: resources.Mems, what: "parent", circle: "parents", one: &spec.Parent},
			{kind: resources.Mems, what: "superseded mem", circle: "superseded mems", one: &spec.Supersedes},
			{what: "relation", many: &spec.RelatedTo},
		}
	case *resources.SessionSpec:
		return []ref{{kind: resources.Tasks, what: "task", one: &spec.ActiveTask}, {kind: resources.Sessions, what: "parent", one: &spec.Parent}}
	case *resources.DelegationSpec:
		return []ref{{kind: resources.Tasks, what: "task", one: &spec.Task}}
	case *resources.TrajectorySpec:
		return []ref{{kind: resources.WorkPlans, what: "plan", one: &spec.ActivePlan}, {kind: resources.Tasks, what: "active task", many: &spec.ActiveTasks}}
	}
	return nil
}

// resolve replaces ids by names, and opens circles.
func (b *Builder) resolve() {
	for _, k := range resources.Kinds() {
		for _, d := range b.drafts[k.Plural] {
			if d.given {
				continue
			}
			for _, r := range refsOf(d.Object) {
				if r.many != nil {
					*r.many = b.names(d, r, *r.many)
				} else {
					*r.one = strings.Join(b.names(d, r, []string{*r.one}), "")
				}
			}
		}
		if !b.KeepBroken {
			for _, circle := range []string{"dependencies", "parents", "superseded mems"} {
				b.breakCircles(k.Plural, circle)
			}
		}
	}
	b.tidyTasks()
}

// names returns the names of what has these ids, each once.
func (b *Builder) names(d *Draft, r ref, ids []string) []string {
	var list, missing []string
	seen := map[string]bool{"": true}
	for _, id := range ids {
		if id == "" {
			continue
		}
		name, target := b.named(r.kind, id)
		switch {
		case target == nil && b.KeepBroken:
			name = b.namers[r.kind].Of(id)
		case target == nil:
			missing = append(missing, id)
		case target == d:
			name = ""
			d.Annotate(r.what+"-itself", id)
			b.report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: "its " + r.what + " is itself; kept as an annotation"})
		}
		if !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	if len(missing) > 0 {
		b.dangling(d, r.what, strings.Join(missing, ", "))
	}
	return list
}

// named is what has an id, with its name; for one of any kind that is kind/name.
func (b *Builder) named(kind, id string) (string, *Draft) {
	if kind != "" {
		if target := b.Find(kind, id); target != nil {
			return target.Meta().Name, target
		}
		return "", nil
	}
	for _, any := range []string{resources.Mems, resources.Tasks, resources.WorkPlans, resources.Anchors} {
		if target := b.Find(any, id); target != nil {
			k, _ := resources.KindOf(any)
			return k.Singular + "/" + target.Meta().Name, target
		}
	}
	return "", nil
}

// edgesOf are the references of an object that may close a circle.
func edgesOf(o resources.Object, circle string) []*string {
	var edges []*string
	for _, r := range refsOf(o) {
		switch {
		case r.circle != circle:
		case r.many != nil:
			for i := range *r.many {
				edges = append(edges, &(*r.many)[i])
			}
		default:
			edges = append(edges, r.one)
		}
	}
	return edges
}

// breakCircles empties each reference that closes a circle, in the order of names, and reports it.
func (b *Builder) breakCircles(kind, circle string) {
	const entered, left = 1, 2
	seen, byName := map[string]int{}, map[string]*Draft{}
	for _, d := range b.drafts[kind] {
		byName[d.Meta().Name] = d
	}
	var visit func(name string)
	visit = func(name string) {
		seen[name] = entered
		var closing []string
		for _, to := range edgesOf(byName[name].Object, circle) {
			switch {
			case *to == "" || byName[*to] == nil:
			case seen[*to] == entered:
				closing = append(closing, *to)
				*to = ""
			case seen[*to] == 0:
				visit(*to)
			}
		}
		if d := byName[name]; len(closing) > 0 {
			d.Annotate("circular-"+circle, strings.Join(closing, ", "))
			b.report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: "its " + circle + " lead in a circle over " + short(strings.Join(closing, ", ")) + "; kept as an annotation"})
		}
		seen[name] = left
	}
	for _, name := range sortedKeys(byName) {
		if seen[name] == 0 {
			visit(name)
		}
	}
}

// tidyTasks takes out what led nowhere, or in a circle.
func (b *Builder) tidyTasks() {
	empty := func(s string) bool { return s == "" }
	for _, d := range b.drafts[resources.WorkPlans] {
		spec := d.Object.SpecPointer().(*resources.WorkPlanSpec)
		spec.DependsOn = slices.DeleteFunc(spec.DependsOn, empty)
	}
	for _, d := range b.drafts[resources.Tasks] {
		spec := d.Object.SpecPointer().(*resources.TaskSpec)
		spec.DependsOn = slices.DeleteFunc(spec.DependsOn, empty)
		if spec.TemporalGate != nil && spec.TemporalGate.After == "" {
			d.Annotate("temporal-gate-reason", spec.TemporalGate.Reason)
			spec.TemporalGate = nil
		}
	}
}

// firstLine is a title for a text: its first line, cut at a word where it is long.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(line)
	const most = 120
	if len(line) <= most {
		return line
	}
	cut := strings.LastIndexByte(line[:most], ' ')
	if cut < most/2 {
		cut = most
	}
	return strings.ToValidUTF8(line[:cut], "") + "..."
}

// or returns the first text that says something.
func or(texts ...string) string {
	for i, t := range texts {
		texts[i] = strings.TrimSpace(t)
	}
	return cmp.Or(texts...)
}
