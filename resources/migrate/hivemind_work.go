package migrate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// stage is a phase of a plan.
type stage struct {
	plan *Draft
	name string
}

func (b *hivemind) plans(f File, r *Record) {
	each(r, func(r *Record) {
		d := b.Plan(f, r)
		if d == nil {
			return
		}
		for _, p := range r.Records("phases") {
			b.phase(d, p)
		}
	}, "plans")
}

func (b *hivemind) phases(f File, r *Record) {
	each(r, func(r *Record) {
		d := b.Find(resources.WorkPlans, peekText(r, "planId", "parentPlanId"))
		if d == nil {
			b.read++
			b.Leave(f, "phases whose plan is not there", r.At)
			return
		}
		b.read++
		r.Take("planId", "parentPlanId")
		b.phase(d, r)
	}, "phases")
}

// phase adds a stage to a plan.
func (b *hivemind) phase(plan *Draft, r *Record) {
	id, title := r.Text(idFields...), r.Text(titleFields...)
	name := NameOf(or(title, id, "phase"))
	spec := plan.Object.SpecPointer().(*resources.WorkPlanSpec)
	if known, ok := b.stages[id]; ok && id != "" && known.plan == plan {
		plan.Rest("phase "+id, r)
		return
	}
	if slices.ContainsFunc(spec.Phases, func(p resources.PlanPhase) bool { return p.Name == name }) {
		name += "-" + DigestOf(id+r.At)
	}
	order := 0
	if v, ok := r.Peek("order"); ok {
		if n, err := strconv.Atoi(v.Text); err == nil {
			r.Take("order")
			order = n
		}
	}
	spec.Phases = append(spec.Phases, resources.PlanPhase{Name: name, Title: title, Order: order})
	if id != "" {
		b.stages[id] = stage{plan, name}
		plan.Annotate("phase "+name, id)
	}
	plan.Rest("phase "+name, r)
}

// tasks reads tasks of the graph, and those of the flat files that the graph does not say.
func (b *hivemind) tasks(f File, r *Record) {
	each(r, func(r *Record) { b.task(f, r, "") }, "tasks", "todos", "todo", "pending")
}

func (b *hivemind) subtasks(f File, r *Record) {
	each(r, func(r *Record) { b.task(f, r, peekText(r, "taskId", "task_id")) }, "subtasks", "tasks")
}

// task reads a task with those below it.
func (b *hivemind) task(f File, r *Record, parent string) *Draft {
	parent = or(parent, peekText(r, "parentTaskId", "parent_task_id", "parentId", "parent_id"))
	plan := ""
	s, known := b.stages[peekText(r, "parentPhaseId", "phaseId")]
	if known {
		plan = s.plan.ID
	} else if p := b.Find(resources.WorkPlans, peekText(r, "planId")); p != nil {
		plan = p.ID
	}
	d := b.TaskNamed(f, r, r.Text("id", "uuid", "key"), plan, parent)
	if d == nil {
		return nil
	}
	if known {
		d.Object.SpecPointer().(*resources.TaskSpec).Phase = s.name
		r.Take("parentPhaseId", "phaseId")
	} else if r.Has("parentPhaseId", "phaseId") {
		b.report.Note(&b.report.Odd, "a task whose phase is not there: in the plan for tasks without one", d.ID)
	}
	TakeIf(r, parent, "taskId", "parentTaskId", "parentId")
	for _, name := range []string{"subtasks", "children"} {
		for _, sub := range r.Records(name) {
			b.task(f, sub, d.ID)
		}
	}
	return d
}

// orphans reads what HiveMind set aside because something was missing. What the graph says as well
// is not made twice.
func (b *hivemind) orphans(f File, r *Record) {
	each(r, func(r *Record) {
		inner := r.Inner("originalData")
		if inner == nil {
			b.read++
			b.Leave(f, "orphans without their data", r.At)
			return
		}
		b.orphan(f, r, inner)
	}, "orphans")
}

func (b *hivemind) orphan(f File, r, inner *Record) {
	kind := resources.Tasks
	if strings.HasPrefix(Fold(peekText(r, "type")), "mem") {
		kind = resources.Mems
	}
	id := or(peekText(inner, "id"), peekText(r, "id"))
	d := b.Find(kind, id)
	switch {
	case d != nil && d.Record != nil && string(d.Record.Value.JSON()) == string(inner.Value.JSON()):
	case d != nil:
		b.Leave(f, "orphans that the graph says otherwise: that counts", inner.At)
	case kind == resources.Mems:
		d = b.mem(f, inner)
	default:
		d = b.task(f, inner, "")
	}
	if d == nil {
		b.LeaveRest(f, r, "why HiveMind had set aside what is left as well")
		return
	}
	TakeIf(r, d.ID, "id")
	d.Rest("orphan", r)
	b.report.Note(&b.report.Odd, "records that HiveMind had set aside as orphans", d.ID)
}

// hierarchy reads the flat tree: a trajectory is a plan, tactics and actions are tasks. HiveMind left
// everything active that was not closed; here only what leads to the cursor is.
func (b *hivemind) hierarchy(f File, r *Record) {
	cursor := peekText(r, "cursor")
	for _, root := range r.Records("root", "roots", "trajectories") {
		plan := b.Plan(f, root)
		if plan == nil {
			continue
		}
		for _, child := range root.Records("children") {
			b.node(f, child, plan.ID, "", cursor)
		}
	}
}

// node reads a tactic or an action, and reports whether the cursor is at or below it.
func (b *hivemind) node(f File, r *Record, plan, parent, cursor string) bool {
	d := b.Task(f, r, plan, parent)
	if d == nil {
		return false
	}
	current := d.ID == cursor
	for _, child := range r.Records("children") {
		if b.node(f, child, plan, d.ID, cursor) {
			current = true
		}
	}
	if spec := d.Object.SpecPointer().(*resources.TaskSpec); spec.State == resources.TaskActive && !current {
		spec.State = resources.TaskPlanned
		d.Annotate("status", resources.TaskActive)
		b.report.Note(&b.report.Changed, "active away from the cursor: planned", d.ID)
	}
	return current
}

func (b *hivemind) trajectory(f File, r *Record) {
	for _, t := range r.Records("trajectory", "trajectories") {
		b.readHead(f, t)
	}
	if r.Has("intent", "activeTaskIds", "activePlanId") {
		whole := &Record{r.At, r.Value, slices.Clone(r.taken)}
		r.takeAll()
		b.readHead(f, whole)
	}
}

// readHead makes the trajectory; a second one is left.
func (b *hivemind) readHead(f File, r *Record) {
	if b.Find(resources.Trajectories, resources.TrajectoryName) != nil {
		b.read++
		b.Leave(f, "second trajectories", r.At)
		return
	}
	d := b.Add(resources.Trajectories, f, r, resources.TrajectoryName)
	spec := d.Object.SpecPointer().(*resources.TrajectorySpec)
	*spec = resources.TrajectorySpec{
		ActivePlan: r.Text("activePlanId", "activePlan"), ActiveTasks: r.Texts("activeTaskIds", "activeTasks"), Intent: r.Text("intent"),
		IntentShiftedAt: timeOrZero(r.Time("intentShiftStamp", "updatedAt")),
	}
	if s, ok := b.stages[peekText(r, "activePhaseId", "activePhase")]; ok {
		r.Take("activePhaseId", "activePhase")
		spec.ActivePhase = s.name
		if spec.ActivePlan == "" {
			spec.ActivePlan = s.plan.ID
		}
	}
	d.Created(r.Time("createdAt", "created_at"))
}
