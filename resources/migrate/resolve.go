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
		b.Make(resources.WorkPlans, homeID)
	}
	if home := b.exact(resources.WorkPlans, homeID); home != nil {
		b.furnish(home)
	}
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

// furnish completes the plan for tasks without one.
func (b *Builder) furnish(home *Draft) {
	spec := home.Object.SpecPointer().(*resources.WorkPlanSpec)
	*spec = resources.WorkPlanSpec{Title: "Tasks without a plan (" + b.title + ")", Acceptance: []string{allDone}, State: resources.PlanCompleted}
	home.Meta().Name = ""
	for _, d := range b.drafts[resources.Tasks] {
		t := d.Object.SpecPointer().(*resources.TaskSpec)
		if t.WorkPlan == homeID && !isOver(t.State) {
			spec.State = resources.PlanActive
		}
		if c := d.Meta().CreationTimestamp; t.WorkPlan == homeID && !c.IsZero() && (home.Meta().CreationTimestamp.IsZero() || c.Before(home.Meta().CreationTimestamp.Time)) {
			home.Meta().CreationTimestamp = c
		}
	}
}

func isOver(state string) bool {
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

// resolve replaces ids by names.
func (b *Builder) resolve() {
	for _, d := range b.drafts[resources.WorkPlans] {
		spec := d.Object.SpecPointer().(*resources.WorkPlanSpec)
		spec.DependsOn = b.names(d, resources.WorkPlans, "dependency", spec.DependsOn)
	}
	for _, d := range b.drafts[resources.Tasks] {
		b.resolveTask(d)
	}
	b.breakCircles(resources.WorkPlans, "dependencies", func(o resources.Object) []*string {
		return pointers(o.SpecPointer().(*resources.WorkPlanSpec).DependsOn)
	})
	b.breakCircles(resources.Tasks, "dependencies", func(o resources.Object) []*string { return waitsFor(o.SpecPointer().(*resources.TaskSpec)) })
	b.breakCircles(resources.Tasks, "parents", func(o resources.Object) []*string { return []*string{&o.SpecPointer().(*resources.TaskSpec).Parent} })
	b.tidyTasks()
	for _, d := range b.drafts[resources.Mems] {
		spec := d.Object.SpecPointer().(*resources.MemSpec)
		spec.OriginTask = b.one(d, resources.Tasks, "origin task", spec.OriginTask)
		spec.Parent = b.one(d, resources.Mems, "parent", spec.Parent)
		spec.Supersedes = b.one(d, resources.Mems, "superseded mem", spec.Supersedes)
		spec.RelatedTo = b.related(d, spec.RelatedTo)
	}
	b.breakCircles(resources.Mems, "parents", func(o resources.Object) []*string { return []*string{&o.SpecPointer().(*resources.MemSpec).Parent} })
	b.breakCircles(resources.Mems, "superseded mems", func(o resources.Object) []*string { return []*string{&o.SpecPointer().(*resources.MemSpec).Supersedes} })
	for _, d := range b.drafts[resources.Sessions] {
		spec := d.Object.SpecPointer().(*resources.SessionSpec)
		spec.ActiveTask = b.one(d, resources.Tasks, "task", spec.ActiveTask)
		spec.Parent = b.one(d, resources.Sessions, "parent", spec.Parent)
	}
	for _, d := range b.drafts[resources.Delegations] {
		spec := d.Object.SpecPointer().(*resources.DelegationSpec)
		spec.Task = b.one(d, resources.Tasks, "task", spec.Task)
	}
	for _, d := range b.drafts[resources.Trajectories] {
		spec := d.Object.SpecPointer().(*resources.TrajectorySpec)
		spec.ActivePlan = b.one(d, resources.WorkPlans, "plan", spec.ActivePlan)
		spec.ActiveTasks = b.names(d, resources.Tasks, "active task", spec.ActiveTasks)
	}
}

func (b *Builder) resolveTask(d *Draft) {
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	spec.WorkPlan = b.namers[resources.WorkPlans].Of(spec.WorkPlan)
	spec.Parent = b.one(d, resources.Tasks, "parent", spec.Parent)
	spec.DependsOn = b.names(d, resources.Tasks, "dependency", spec.DependsOn)
	if gate := spec.TemporalGate; gate != nil {
		reason := gate.Reason
		if gate.After = b.one(d, resources.Tasks, "temporal gate", gate.After); gate.After == "" {
			spec.TemporalGate = nil
			d.Annotate("temporal-gate-reason", reason)
		}
	}
	if spec.Result != nil {
		spec.Result.AnchorsCreated = b.names(d, resources.Anchors, "anchor", spec.Result.AnchorsCreated)
	}
}

// one returns the name of what has an id; "" if nothing has it, or if it is d itself.
func (b *Builder) one(d *Draft, kind, what, id string) string {
	if id == "" {
		return ""
	}
	target := b.Find(kind, id)
	switch {
	case target == nil:
		b.dangling(d, what, id)
		return ""
	case target == d:
		d.Annotate(what+"-itself", id)
		b.report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: "its " + what + " is itself; kept as an annotation"})
		return ""
	}
	return target.Meta().Name
}

// names returns the names of what has these ids, each once.
func (b *Builder) names(d *Draft, kind, what string, ids []string) []string {
	var list, missing []string
	for _, id := range ids {
		if b.Find(kind, id) == nil {
			missing = append(missing, id)
			continue
		}
		if name := b.one(d, kind, what, id); name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	if len(missing) > 0 {
		b.dangling(d, what, strings.Join(missing, ", "))
	}
	return list
}

// related turns ids of any kind into kind/name.
func (b *Builder) related(d *Draft, ids []string) []string {
	var list, missing []string
	for _, id := range ids {
		found := false
		for _, k := range []string{resources.Mems, resources.Tasks, resources.WorkPlans, resources.Anchors} {
			if t := b.Find(k, id); t != nil && t != d {
				kind, _ := resources.KindOf(k)
				list, found = append(list, kind.Singular+"/"+t.Meta().Name), true
				break
			}
		}
		if !found {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		b.dangling(d, "relation", strings.Join(missing, ", "))
	}
	return list
}

func pointers(list []string) []*string {
	all := make([]*string, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

func waitsFor(spec *resources.TaskSpec) []*string {
	all := pointers(spec.DependsOn)
	if spec.TemporalGate != nil {
		all = append(all, &spec.TemporalGate.After)
	}
	return all
}

// breakCircles empties each reference that closes a circle, in the order of names, and reports it.
func (b *Builder) breakCircles(kind, what string, edges func(resources.Object) []*string) {
	const entered, left = 1, 2
	seen, byName := map[string]int{}, map[string]*Draft{}
	for _, d := range b.drafts[kind] {
		byName[d.Meta().Name] = d
	}
	var visit func(name string)
	visit = func(name string) {
		seen[name] = entered
		var closing []string
		for _, to := range edges(byName[name].Object) {
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
			d.Annotate("circular-"+what, strings.Join(closing, ", "))
			b.report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: "its " + what + " lead in a circle over " + short(strings.Join(closing, ", ")) + "; kept as an annotation"})
		}
		seen[name] = left
	}
	for _, name := range sortedKeys(byName) {
		if seen[name] == 0 {
			visit(name)
		}
	}
}

// tidyTasks takes out what breakCircles emptied.
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
