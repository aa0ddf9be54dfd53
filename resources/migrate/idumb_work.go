package migrate

import "github.com/idumb-dev/idumb/resources"

// tasks reads brain/tasks.json: epics, tasks and subtasks.
func (b *idumb) tasks(f File, r *Record) {
	b.taskStore(f, r)
}

func (b *idumb) taskStore(f File, r *Record) {
	b.active(f, r.Text("activeEpicId"))
	epics := r.Records("epics")
	if r.Value.Type == Object && !r.Has("epics") && r.Has("value") {
		epics = r.Records("value") // a bare list
	}
	for _, e := range epics {
		b.epic(f, e)
	}
	for _, t := range r.Records("tasks") {
		b.oldTask(f, t, "", "")
	}
}

func (b *idumb) epic(f File, e *Record) {
	if b.graphs[twin(peekText(e, "id"))] {
		b.late = append(b.late, func() { b.movedEpic(f, e) })
		return
	}
	plan := b.Plan(f, e)
	if plan == nil {
		return
	}
	for _, t := range e.Records("tasks") {
		b.oldTask(f, t, plan.ID, "")
	}
}

// oldTask reads a task with its subtasks, which become tasks below it.
func (b *idumb) oldTask(f File, r *Record, plan, parent string) {
	if plan == "" {
		plan = peekText(r, "epicId", "workPlanId")
	}
	d := b.Task(f, r, plan, parent)
	if d == nil {
		return
	}
	TakeIf(r, plan, "epicId", "workPlanId")
	TakeIf(r, parent, "parentId")
	for _, s := range r.Records("subtasks") {
		TakeIf(s, d.ID, "taskId")
		b.subtask(f, s, d)
	}
	b.checkpoints(f, r, d)
}

// subtask reads a subtask, whose taskId is not its id.
func (b *idumb) subtask(f File, s *Record, parent *Draft) {
	plan := parent.Object.SpecPointer().(*resources.TaskSpec).WorkPlan
	d := b.TaskNamed(f, s, s.Text("id"), plan, parent.ID)
	if d == nil {
		return
	}
	d.Created(s.Time("timestamp"))
}

// TakeIf takes a field that repeats what is known.
func TakeIf(r *Record, known string, names ...string) {
	for _, name := range names {
		if v, ok := r.Peek(name); ok && v.Text == known && known != "" {
			r.Take(name)
		}
	}
}

// checkpoints reads what was recorded for a task.
func (b *idumb) checkpoints(f File, r *Record, task *Draft) {
	for _, c := range r.Records("checkpoints") {
		name := "checkpoint " + or(peekText(c, "id"), c.At)
		at := c.Time("timestamp", "time")
		tool := c.Text("tool")
		if at.IsZero() || tool == "" {
			task.extra = append(task.extra, Field{name, c.Value})
			continue
		}
		b.read++
		if len(c.Value.JSON()) > 3500 {
			b.Leave(f, "checkpoints too long for a line of a log", c.At)
		}
		b.Checkpoint(task, resources.Checkpoint{
			Time: resources.NewTime(at), Tool: tool, Agent: c.Text("agent"), Session: c.Text("session"),
			Summary: c.Text("summary"), FilesModified: c.Texts("filesModified"), Command: c.Text("command"),
		})
		TakeIf(c, task.ID, "taskNodeId", "taskId")
		task.Rest(name, c)
	}
}

// graph reads brain/task-graph.json: work plans with tasks and tasks planned ahead.
func (b *idumb) graph(f File, r *Record) {
	b.active(f, r.Text("activeWorkPlanId"))
	for _, p := range r.Records("workPlans", "plans", "value") {
		plan := b.Plan(f, p)
		if plan == nil {
			if plan = b.Find(resources.WorkPlans, peekText(p, idFields...)); plan == nil {
				continue
			}
		}
		for _, t := range p.Records("tasks") {
			b.oldTask(f, t, plan.ID, "")
		}
		for _, t := range p.Records("planAhead") {
			b.ahead(f, t, plan.ID)
		}
	}
}

// ahead reads a task that is visible before it may start.
func (b *idumb) ahead(f File, r *Record, plan string) {
	before := len(b.drafts[resources.Tasks])
	b.oldTask(f, r, plan, "")
	if list := b.drafts[resources.Tasks]; len(list) > before {
		spec := list[before].Object.SpecPointer().(*resources.TaskSpec)
		spec.PlanAhead = spec.State == resources.TaskPlanned
	}
}

// active makes a plan the one that the context is about.
func (b *idumb) active(f File, plan string) {
	if plan == "" {
		return
	}
	t := b.Make(resources.Trajectories, resources.TrajectoryName)
	t.file = f
	if b.graphs[twin(plan)] {
		t.Annotate("active-epic", plan)
		plan = twin(plan)
	}
	spec := t.Object.SpecPointer().(*resources.TrajectorySpec)
	if spec.ActivePlan != "" && spec.ActivePlan != plan {
		b.Leave(f, "second active plans", "active plan")
		return
	}
	spec.ActivePlan = plan
}
