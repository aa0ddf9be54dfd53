package migrate

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// hivemindTTL is how long a memory of HiveMind holds that carries no stamp of its own.
const hivemindTTL = 72 * time.Hour

// hivemindReaders is the table of files of HiveMind, by folder and name, in the order in which they are read: the
// graph before the flat files, which count only where the graph says nothing, and what refers to tasks after
// the tasks.
var hivemindReaders = []struct {
	folders string // that it stands in, "." for .hivemind itself
	name    string
	read    func(*hivemind, File)
}{
	{"graph", "plans.json", (*hivemind).plans},
	{"graph", "phases.json", (*hivemind).phases},
	{"graph", "tasks.json", (*hivemind).tasks},
	{"graph", "subtasks.json", (*hivemind).subtasks},
	{"graph", "orphans.json", (*hivemind).orphans},
	{"state .", "hierarchy.json", (*hivemind).hierarchy},
	{"state .", "tasks.json", (*hivemind).tasks},
	{"state .", "todo.json", (*hivemind).tasks},
	{"graph memory .", "mems.json", (*hivemind).mems},
	{"graph", "session-memory.json", (*hivemind).mems},
	{"state .", "anchors.json", (*hivemind).anchors},
	{"graph", "trajectory.json", (*hivemind).trajectory},
	{"state .", "brain.json", (*hivemind).brain},
	{"graph", "delegations.json", (*hivemind).delegations},
	{"graph", "sessions.json", (*hivemind).sessions},
	{"system .", "config.json", (*hivemind).config},
}

// hivemind is a conversion of a .hivemind folder.
type hivemind struct {
	*Builder
	stages map[string]stage // by the id of the phase
}

// stage is a phase of a plan.
type stage struct {
	plan *Draft
	name string
}

// IsHivemind reports whether a file, whose path is given from .hivemind, is one that Hivemind reads
// or keeps: the flat folders and the graph, not exported sessions and the like.
func IsHivemind(file string) bool {
	folder := path.Dir(file)
	return strings.HasSuffix(file, ".json") && slices.Contains([]string{".", "graph", "state", "memory", "system"}, folder)
}

// Hivemind turns the files of a .hivemind folder, by their paths from there, into objects.
func Hivemind(in Input) Outcome {
	b := &hivemind{NewBuilder("hivemind", "HiveMind", in), map[string]stage{}}
	done := map[string]bool{}
	for _, row := range hivemindReaders {
		for folder := range strings.FieldsSeq(row.folders) {
			for _, f := range in.Files {
				if f.Path == path.Join(folder, row.name) {
					row.read(b, f)
					done[f.Path] = true
				}
			}
		}
	}
	files := slices.Clone(in.Files)
	slices.SortFunc(files, func(a, c File) int { return strings.Compare(a.Path, c.Path) })
	for _, f := range files {
		if !done[f.Path] {
			b.KeepFile(f)
			b.report.Note(&b.report.Left, "files that are made anew here, or not at all", f.Path)
		}
	}
	return b.Finish()
}

// each reads a file and its records in a field of one of these names, and leaves the rest.
func (b *hivemind) each(f File, read func(*Record), names ...string) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.version(f, r)
	for _, item := range r.Records(append(names, "items", "nodes", "value")...) {
		read(item)
	}
	b.LeaveRest(f, r, "fields of "+f.Path, "no rule for it")
}

func (b *hivemind) plans(f File) {
	b.each(f, func(r *Record) {
		d := b.Plan(f, r)
		if d == nil {
			return
		}
		for _, p := range r.Records("phases") {
			b.phase(d, p)
		}
	}, "plans")
}

func (b *hivemind) phases(f File) {
	b.each(f, func(r *Record) {
		d := b.Find(resources.WorkPlans, peekText(r, "planId", "parentPlanId"))
		if d == nil {
			b.read++
			b.Leave(f, r.At, r.Value, "phases whose plan is not there", "its plan is not there")
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
func (b *hivemind) tasks(f File) {
	b.each(f, func(r *Record) { b.task(f, r, "") }, "tasks", "todos", "todo", "pending")
}

func (b *hivemind) subtasks(f File) {
	b.each(f, func(r *Record) { b.task(f, r, peekText(r, "taskId", "task_id")) }, "subtasks", "tasks")
}

// task reads a task with those below it.
func (b *hivemind) task(f File, r *Record, parent string) *Draft {
	id := peekText(r, "id", "uuid", "key")
	if known := b.Find(resources.Tasks, id); known != nil && known.file.Path != f.Path {
		b.Leave(f, r.At, r.Value, "records that the graph says as well: that counts", known.file.Path+" says it as well")
		return nil
	}
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
func (b *hivemind) orphans(f File) {
	b.each(f, func(r *Record) {
		inner := r.Inner("originalData")
		if inner == nil {
			b.read++
			b.Leave(f, r.At, r.Value, "orphans without their data", "it has no data")
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
	case d != nil && d.record != nil && string(d.record.Value.JSON()) == string(inner.Value.JSON()):
	case d != nil:
		b.Leave(f, inner.At, inner.Value, "orphans that the graph says otherwise: that counts", d.file.Path+" says it otherwise")
	case kind == resources.Mems:
		d = b.mem(f, inner)
	default:
		d = b.task(f, inner, "")
	}
	if d == nil {
		b.LeaveRest(f, r, "why HiveMind had set aside what is left as well", "nothing was made of it")
		return
	}
	TakeIf(r, d.ID, "id")
	d.Rest("orphan", r)
	b.report.Note(&b.report.Odd, "records that HiveMind had set aside as orphans", d.ID)
}

// hierarchy reads the flat tree: a trajectory is a plan, tactics and actions are tasks. HiveMind left
// everything active that was not closed; here only what leads to the cursor is.
func (b *hivemind) hierarchy(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.version(f, r)
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
	b.LeaveRest(f, r, "fields of "+f.Path, "no rule for it")
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

func (b *hivemind) mems(f File) {
	b.each(f, func(r *Record) { b.mem(f, r) }, "mems", "memories", "sessionMemory")
}

// mem reads a memory, which holds until its stamp, or 72 hours after it was made.
func (b *hivemind) mem(f File, r *Record) *Draft {
	if known := b.Find(resources.Mems, peekText(r, idFields...)); known != nil && known.file.Path != f.Path {
		b.Leave(f, r.At, r.Value, "records that the graph says as well: that counts", known.file.Path+" says it as well")
		return nil
	}
	d := b.Mem(f, r)
	if d == nil {
		return nil
	}
	d.StaleAfter(r.Time("stalenessStamp"), hivemindTTL)
	if t := r.Time("purgedAt"); !t.IsZero() {
		spec := d.Object.SpecPointer().(*resources.MemSpec)
		spec.PurgedAt, spec.PurgeReason = resources.NewTime(t), "purged in HiveMind"
	}
	return d
}

// anchors reads facts that HiveMind never let go of.
func (b *hivemind) anchors(f File) {
	b.each(f, func(r *Record) {
		if d := b.Anchor(f, r); d != nil {
			d.Object.SpecPointer().(*resources.AnchorSpec).Pinned = true
		}
	}, "anchors")
}

func (b *hivemind) trajectory(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.version(f, r)
	for _, t := range r.Records("trajectory", "trajectories") {
		b.readHead(f, t)
	}
	if r.Has("intent", "activeTaskIds", "activePlanId") {
		b.readHead(f, r)
		return
	}
	b.LeaveRest(f, r, "fields of "+f.Path, "no rule for it")
}

// readHead makes the trajectory; a second one is left.
func (b *hivemind) readHead(f File, r *Record) {
	if b.Find(resources.Trajectories, resources.TrajectoryName) != nil {
		b.read++
		b.Leave(f, r.At, r.Value, "second trajectories", "there is one trajectory")
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

// brain reads the state of the session that ran last. What it kept of conversations has no place here.
func (b *hivemind) brain(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.version(f, r)
	var counters *resources.SessionCounters
	if inner := r.Inner("session"); inner != nil {
		if d := b.Session(f, inner); d != nil {
			counters = &d.Object.SpecPointer().(*resources.SessionSpec).Counters
		}
	}
	if inner := r.Inner("metrics"); inner != nil {
		count(counters, inner)
		b.LeaveRest(f, inner, "figures of a session", "no figure here says that")
	}
	if inner := r.Inner("hierarchy"); inner != nil {
		if b.Find(resources.Trajectories, resources.TrajectoryName) == nil && inner.Has("trajectory") {
			d := b.Make(resources.Trajectories, resources.TrajectoryName)
			d.file = f
			d.Object.SpecPointer().(*resources.TrajectorySpec).Intent = inner.Text("trajectory")
		}
		b.LeaveRest(f, inner, "levels of the hierarchy in brain.json", "the trajectory and hierarchy.json say it")
	}
	b.LeaveRest(f, r, "fields of "+f.Path, "no rule for it")
}

// count takes the figures that sessions have here as well.
func count(counters *resources.SessionCounters, r *Record) {
	if counters == nil {
		return
	}
	for name, to := range map[string]*int{
		"turnCount": &counters.Turns, "totalToolCalls": &counters.ToolCalls,
		"violationCount": &counters.Violations, "consecutiveFailures": &counters.Failures,
	} {
		if v, ok := r.Peek(name); ok && v.Type == Number {
			if n, err := strconv.Atoi(v.Text); err == nil && n >= 0 {
				r.Take(name)
				*to = n
			}
		}
	}
}

func (b *hivemind) delegations(f File) {
	b.each(f, func(r *Record) { b.Delegation(f, r) }, "delegations")
}

func (b *hivemind) sessions(f File) {
	b.each(f, func(r *Record) { b.Session(f, r) }, "sessions")
}

// config reads the settings: the language, and from when on a session is stale.
func (b *hivemind) config(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.read++
	d := b.Make(resources.Configs, resources.ConfigName)
	spec := d.Object.SpecPointer().(*resources.ConfigSpec)
	b.language(spec, r)
	if v, ok := r.Peek("staleSessionDays"); ok && spec.SessionStaleAfter == "" {
		if n, err := strconv.Atoi(v.Text); err == nil && n > 0 && n < 10000 {
			r.Take("staleSessionDays")
			spec.SessionStaleAfter = durationText(time.Duration(n) * 24 * time.Hour)
		}
	}
	b.LeaveRest(f, r, "settings", "no setting here says that")
}
