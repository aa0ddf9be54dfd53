package beads

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// builder makes the objects.
type builder struct {
	graph  *graph
	report *Report
	plans  *migrate.Namer
	tasks  *migrate.Namer
	notes  *migrate.Namer // of mems
	// stashed are the objects that were exported from here once.
	stashed map[resources.Key]*stash
}

// gateID is the id under which the task that stands for an epic is named.
func gateID(id string) string { return id + " (epic)" }

// name gives every object its name, before any refers to another.
func (b *builder) name() {
	var epics, others []string
	for _, i := range b.graph.list {
		if i.stash != nil {
			b.nameOfStash(i)
		} else if i.isEpic() {
			epics = append(epics, i.id)
		} else {
			others = append(others, i.id)
		}
	}
	b.plans.Give(epics)
	b.tasks.Give(others)
	for _, id := range sortedKeys(b.graph.gates) {
		if b.graph.gates[id] {
			b.tasks.Settle(gateID(id), migrate.NameOf(id)+"-epic")
		}
	}
	for _, prefix := range sortedKeys(b.homeless()) {
		b.plans.Settle(planID(prefix), migrate.NameOf("imported-"+prefix))
	}
}

// homeless returns the issues that stand below no epic, by the prefix of their id.
func (b *builder) homeless() map[string][]*issue {
	homeless := map[string][]*issue{}
	for _, i := range b.graph.list {
		if !i.isEpic() && !i.verbatim() && b.graph.epicOf(i) == nil {
			homeless[prefixOf(i)] = append(homeless[prefixOf(i)], i)
		}
	}
	return homeless
}

func prefixOf(i *issue) string {
	prefix, _, _ := strings.Cut(i.id, "-")
	return prefix
}

// planID is the id under which the plan for a prefix is named: none that an issue has.
func planID(prefix string) string { return prefix + " (no epic)" }

// taskOf returns the name of the task for an id; for an epic, of the one that stands for it.
func (b *builder) taskOf(id string) string {
	if i := b.graph.byID[id]; i != nil && i.isEpic() {
		return b.tasks.Of(gateID(id))
	}
	return b.tasks.Of(id)
}

// planOf returns the name of the plan that an issue's task belongs to.
func (b *builder) planOf(i *issue) string {
	if e := b.graph.epicOf(i); e != nil {
		return b.plans.Of(e.id)
	}
	if i.isEpic() {
		return b.plans.Of(i.id)
	}
	return b.plans.Of(planID(prefixOf(i)))
}

// build makes all objects: plans, then tasks, each by name.
func (b *builder) build() ([]*resources.WorkPlan, []*resources.Task) {
	var plans []*resources.WorkPlan
	var tasks []*resources.Task
	for _, i := range b.graph.list {
		switch o := b.fromStash(i); {
		case o != nil && o.Key().Kind == resources.Tasks:
			tasks = append(tasks, o.(*resources.Task))
		case o != nil:
			plans = append(plans, o.(*resources.WorkPlan))
		case !i.isEpic():
			tasks = append(tasks, b.task(i))
		case b.graph.gates[i.id]:
			plans, tasks = append(plans, b.plan(i)), append(tasks, b.gate(i))
		default:
			plans = append(plans, b.plan(i))
		}
	}
	for prefix, issues := range b.homeless() {
		plans = append(plans, b.catchAll(prefix, issues))
	}
	slices.SortFunc(plans, func(a, b *resources.WorkPlan) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	slices.SortFunc(tasks, func(a, b *resources.Task) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	b.overlays(plans, tasks)
	return plans, tasks
}

// nameOfStash gives an issue the name of the object that it was made of.
func (b *builder) nameOfStash(i *issue) {
	namer := b.tasks
	if i.isEpic() {
		namer = b.plans
	}
	key := i.stash.object.Key()
	if wanted := (map[bool]string{true: resources.WorkPlans, false: resources.Tasks})[i.isEpic()]; key.Kind != wanted {
		i.stash = nil // it became something else in beads
		namer.Give([]string{i.id})
		return
	}
	if name := namer.Settle(i.id, key.Name); name != key.Name {
		i.stash = nil
		return
	}
	b.stashed[key] = i.stash
}

func (i *issue) verbatim() bool { return i.stash != nil && i.stash.verbatim }

// fromStash is the object that an issue was made of, if nothing was changed in beads since.
func (b *builder) fromStash(i *issue) resources.Object {
	if !i.verbatim() {
		return nil
	}
	return i.stash.object
}

// overlays adds what only the stashes say to objects that were changed in beads.
func (b *builder) overlays(plans []*resources.WorkPlan, tasks []*resources.Task) {
	add := func(o resources.Object) {
		if s := b.stashed[o.Key()]; s != nil && !s.verbatim {
			overlay(o, s.object)
		}
	}
	for _, p := range plans {
		add(p)
	}
	for _, t := range tasks {
		add(t)
	}
}

// newObject returns an empty object with a name.
func newObject[T resources.Object](kind, name string) T {
	k, _ := resources.KindOf(kind)
	o := k.New().(T)
	o.Head().Metadata.Name = name
	return o
}

// plan makes the plan of an epic.
func (b *builder) plan(i *issue) *resources.WorkPlan {
	p := newObject[*resources.WorkPlan](resources.WorkPlans, b.plans.Of(i.id))
	b.annotate(&p.Metadata, i)
	p.Spec = resources.WorkPlanSpec{Title: b.title(i), Acceptance: migrate.Bullets(i.acceptance), OwnedBy: i.assignee, State: resources.PlanActive}
	b.keep(&p.Metadata, i, "description", i.description)
	b.keep(&p.Metadata, i, "close_reason", i.closeReason)
	if i.priority != nil {
		b.keep(&p.Metadata, i, "priority", priorityName(*i.priority))
	}
	switch s := migrate.TaskState(i.status); {
	case s.State == resources.TaskCompleted:
		p.Spec.State = resources.PlanCompleted
	case s.State == resources.TaskAbandoned || s.State == resources.TaskFailed:
		p.Spec.State = resources.PlanAbandoned
		b.lossy(&p.Metadata, i, "epic with status "+i.status+": an abandoned plan")
	case migrate.Fold(i.status) == "deferred":
		p.Spec.State = resources.PlanDraft
		b.lossy(&p.Metadata, i, "deferred epic: a draft plan")
	case is(i.status, open, inProgress):
	default:
		b.lossy(&p.Metadata, i, "epic with status "+i.status+": an active plan")
	}
	if outer := b.graph.epicOf(i); outer != nil {
		p.Metadata.Labels[Prefix+"outer-plan"] = migrate.LabelValue(b.plans.Of(outer.id))
	}
	return p
}

// catchAll makes the plan of the issues that stand below no epic.
func (b *builder) catchAll(prefix string, issues []*issue) *resources.WorkPlan {
	p := newObject[*resources.WorkPlan](resources.WorkPlans, b.plans.Of(planID(prefix)))
	p.Spec = resources.WorkPlanSpec{
		Title: "Issues without an epic (" + prefix + ")", Acceptance: migrate.Bullets(""), State: resources.PlanCompleted,
	}
	var first time.Time
	for _, i := range issues {
		if !i.isOver() {
			p.Spec.State = resources.PlanActive
		}
		if !i.created.IsZero() && (first.IsZero() || i.created.Before(first)) {
			first = i.created
		}
	}
	if !first.IsZero() {
		p.Metadata.CreationTimestamp = resources.NewTime(first)
	}
	p.Metadata.Annotations = map[string]string{annotationID: planID(prefix)}
	return p
}

// gate makes the task that stands for an epic.
func (b *builder) gate(i *issue) *resources.Task {
	t := newObject[*resources.Task](resources.Tasks, b.taskOf(i.id))
	t.Metadata.Annotations = map[string]string{annotationID: gateID(i.id)}
	t.Metadata.Labels = map[string]string{Prefix + "type": epic}
	if !i.created.IsZero() {
		t.Metadata.CreationTimestamp = resources.NewTime(i.created)
	}
	t.Spec = resources.TaskSpec{
		WorkPlan: b.planOf(i), Parent: b.parentOf(i), Title: "Epic: " + cmp.Or(i.title, i.id),
		ExpectedOutput: "The epic " + i.id + " is done. This task stands for it, so that other tasks can wait for it.",
		State:          resources.TaskPlanned, PlanAhead: true, DependsOn: b.dependsOn(i),
	}
	if i.isOver() {
		t.Spec.State, t.Spec.PlanAhead = resources.TaskCompleted, false
		t.Spec.Result = &resources.TaskResult{Evidence: cmp.Or(i.closeReason, noReason)}
	}
	b.report.note(&b.report.Changed, "epic that blocks, is blocked or stands inside another: has a task as well", i.id)
	return t
}

// noReason is the evidence for an issue that was closed without one.
const noReason = "closed in beads, no reason given"

// dependsOn returns the names of the tasks that stand for what blocks an issue.
func (b *builder) dependsOn(i *issue) []string {
	var names []string
	seen := map[string]bool{}
	for _, id := range b.graph.blockers(i, b.report) {
		if name := b.taskOf(id); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// parentOf returns the name of the task that an issue is a part of: none if that is an epic.
func (b *builder) parentOf(i *issue) string {
	id := b.graph.parent(i)
	if id == "" {
		return ""
	}
	if p := b.graph.byID[id]; p != nil && p.isEpic() {
		return ""
	}
	return b.tasks.Of(id)
}

// task makes the task of an issue.
func (b *builder) task(i *issue) *resources.Task {
	t := newObject[*resources.Task](resources.Tasks, b.tasks.Of(i.id))
	b.annotate(&t.Metadata, i)
	t.Spec = resources.TaskSpec{
		WorkPlan: b.planOf(i), Parent: b.parentOf(i), Title: b.title(i), AssignedTo: i.assignee,
		ExpectedOutput: cmp.Or(strings.TrimSpace(i.acceptance), strings.TrimSpace(i.description), strings.TrimSpace(i.title), i.id),
		DependsOn:      b.dependsOn(i),
	}
	if strings.TrimSpace(i.acceptance) != "" {
		b.keep(&t.Metadata, i, "description", i.description)
	}
	b.state(t, i)
	b.priority(t, i)
	return t
}

// title returns what an issue is called.
func (b *builder) title(i *issue) string {
	if strings.TrimSpace(i.title) == "" {
		b.report.note(&b.report.Odd, "no title: called by its id", i.id)
		return i.id
	}
	return i.title
}

// is reports whether a status is one of these, however it is written.
func is(status string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return migrate.Fold(name) == migrate.Fold(status) })
}

// state sets what is wanted of a task, see the package comment.
func (b *builder) state(t *resources.Task, i *issue) {
	s := migrate.TaskState(i.status)
	t.Spec.State, t.Spec.PlanAhead = s.State, s.Ahead
	switch {
	case s.State == resources.TaskCompleted:
		t.Spec.Result = &resources.TaskResult{Evidence: cmp.Or(strings.TrimSpace(i.closeReason), noReason)}
	case i.isOver():
		t.Spec.Reason = cmp.Or(strings.TrimSpace(i.closeReason), i.status+" in beads")
	}
	switch {
	case is(i.status, open, inProgress, closed):
	case s.Ahead:
		b.lossy(&t.Metadata, i, "status "+i.status+": planned, never proposed")
	default:
		b.lossy(&t.Metadata, i, "status "+i.status+": "+s.State)
	}
	if i.isOver() {
		return
	}
	b.keep(&t.Metadata, i, "close_reason", i.closeReason)
	if why := noWork(i); why != "" && t.Spec.State == resources.TaskPlanned && !t.Spec.PlanAhead {
		t.Spec.PlanAhead = true
		b.report.note(&b.report.Changed, why+": visible, never proposed", i.id)
	}
}

// noWork says why an open issue is nothing to be done, "" if it is.
func noWork(i *issue) string {
	switch {
	case slices.Contains(records, i.kind):
		return "open " + i.kind
	case i.selfBlocked:
		return "issue that blocks itself"
	case len(i.targets(conditional)) > 0:
		return "issue that is done only if another one fails"
	case i.ephemeral:
		return "ephemeral issue"
	case i.template:
		return "template"
	case i.pinned:
		return "pinned issue"
	}
	return ""
}

// lossy notes a status that has no word of its own here, and keeps it as a label.
func (b *builder) lossy(m *resources.Meta, i *issue, what string) {
	m.Labels[Prefix+"status"] = migrate.LabelValue(i.status)
	if !migrate.IsLabelValue(i.status) {
		b.keep(m, i, "status", i.status)
	}
	b.report.note(&b.report.Changed, what, i.id)
}

// priority sets a task's priority; without one it has the default.
func (b *builder) priority(t *resources.Task, i *issue) {
	if i.priority == nil {
		return
	}
	if t.Spec.Priority = priorityName(*i.priority); t.Spec.Priority == "" {
		b.report.note(&b.report.Odd, "priority beyond 0 to 4: normal", i.id)
	}
}

// priorityName returns a priority of beads, 0 to 4, in words; "" beyond that.
func priorityName(priority int) string {
	names := [...]string{"critical", "high", "medium", "normal", "low"}
	if priority < 0 || priority >= len(names) {
		return ""
	}
	return names[priority]
}
