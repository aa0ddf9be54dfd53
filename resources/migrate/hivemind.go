package migrate

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// hivemind is a conversion of a .hivemind directory.
type hivemind struct {
	*Builder
	stages map[string]stage // by phase ID
	handed []*handOver
}

// stage is a phase of a plan.
type stage struct {
	plan *Draft
	name string
}

// IsHivemind reports whether Hivemind reads or archives a file. The path is relative to
// .hivemind. It includes the flat directories, the graph and tracked sessions, and excludes
// exported sessions.
func IsHivemind(file string) bool {
	if matches("session-tracker/*.json session-tracker/*/*.json", file) {
		return true
	}
	return path.Ext(file) == ".json" && slices.Contains([]string{".", "graph", "state", "memory", "system"}, path.Dir(file))
}

// Hivemind converts the files of a .hivemind directory. Paths are relative to the
// directory. It reads the graph before the flat files, which only add missing data. It
// reads tasks before objects that refer to them.
func Hivemind(in Input) Outcome {
	b := &hivemind{NewBuilder("hivemind", "HiveMind", in), map[string]stage{}, nil}
	task := func(f File, r *Record) { b.task(f, r, "") }
	rows := []fileRow{
		{files: "graph/plans.json", list: "plans", convert: b.plan},
		{files: "graph/phases.json", list: "phases", convert: b.planPhase},
		{files: "graph/tasks.json", list: "tasks todos todo pending", convert: task},
		{files: "graph/subtasks.json", list: "subtasks tasks", convert: b.subtask},
		{files: "graph/orphans.json", list: "orphans", convert: b.orphan},
		{files: "state/hierarchy.json hierarchy.json", convert: b.hierarchy},
		{files: "state/tasks.json tasks.json state/todo.json todo.json", list: "tasks todos todo pending", convert: task},
		{
			files: "graph/mems.json memory/mems.json mems.json graph/session-memory.json", list: "mems memories sessionMemory",
			convert: func(f File, r *Record) { b.mem(f, r) },
		},
		{files: "state/anchors.json anchors.json", list: "anchors", convert: b.anchor},
		{files: "graph/trajectory.json", convert: b.trajectory},
		{files: "state/brain.json brain.json", convert: b.brain},
		{files: "session-tracker/*/ses[_\\-]*.json", convert: b.trackedSession},
		{files: "session-tracker/*/hierarchy-manifest.json session-tracker/*/session-continuity.json session-tracker/project-continuity.json", convert: b.sessionIndex},
		{files: "session-tracker/*/*.json", convert: b.trackedSession},
		{files: "graph/delegations.json state/delegations.json delegations.json", list: "delegations", convert: b.delegation},
		{files: "graph/sessions.json", list: "sessions", convert: func(f File, r *Record) { b.Session(f, r, "") }},
		{files: "state/session-continuity.json", convert: b.continuity},
		{files: "state/agent-work-contracts.json", list: "contracts", convert: b.contract},
		{files: "system/config.json config.json", convert: b.config},
	}
	for i := range rows {
		rows[i].newer = "* */* */*/*"
	}
	files := ByPath(in.Files)
	b.readFiles(files, rows)
	b.delegate()
	b.leaveFiles(files)
	return b.Finish()
}

// plan converts a plan with its phases.
func (b *hivemind) plan(f File, r *Record) {
	if d := b.Plan(f, r); d != nil {
		for _, p := range r.Records("phases") {
			b.phase(d, p)
		}
	}
}

// planPhase converts a phase that is stored apart from its plan. Without the plan it is reported as
// left out.
func (b *hivemind) planPhase(f File, r *Record) {
	b.readCount++
	id := r.Text("planId", "parentPlanId")
	if d := b.Find(resources.WorkPlans, id); d != nil {
		b.phase(d, r)
	} else {
		b.Leave(f, "phases whose plan is not there", id)
	}
}

// phase adds a stage to a plan.
func (b *hivemind) phase(plan *Draft, r *Record) {
	id, title := r.Text(strings.Fields(idNames)...), r.Text(strings.Fields(titleNames)...)
	if b.stages[id].plan == plan {
		return // the plan and a file both contain the phase
	}
	name := NameOf(or(title, id, "phase"))
	spec := Spec[resources.WorkPlanSpec](plan)
	if slices.ContainsFunc(spec.Phases, func(p resources.PlanPhase) bool { return p.Name == name }) {
		name += "-" + DigestOf(id+strconv.Itoa(len(spec.Phases)))
	}
	order, _ := strconv.Atoi(r.Text("order"))
	spec.Phases = append(spec.Phases, resources.PlanPhase{Name: name, Title: title, Order: order})
	if id != "" {
		b.stages[id] = stage{plan, name}
	}
}

// subtask converts a subtask of the task that it names.
func (b *hivemind) subtask(f File, r *Record) { b.task(f, r, r.Text("taskId")) }

// task reads a task and its subtasks.
func (b *hivemind) task(f File, r *Record, parent string) *Draft {
	parent = or(parent, r.Text("parentTaskId", "parentId"))
	r.Drop("taskId", "parentTaskId", "parentId")
	phase := r.Text("parentPhaseId", "phaseId")
	s, known := b.stages[phase]
	plan := s.plan
	if !known {
		plan = b.Find(resources.WorkPlans, r.Text("planId"))
	}
	planID := ""
	if plan != nil {
		planID = plan.ID
	}
	d := b.Task(f, r, r.Text("id", "uuid", "key"), planID, parent)
	if d == nil {
		return nil
	}
	Spec[resources.TaskSpec](d).Phase = s.name
	if !known && phase != "" {
		b.Report.Note(&b.Report.Odd, "a task whose phase is not there: in the plan for tasks without one", d.ID)
	}
	for _, name := range []string{"subtasks", "children"} {
		for _, sub := range r.Records(name) {
			b.task(f, sub, d.ID)
		}
	}
	return d
}

// orphan reads a record that HiveMind moved aside because its references were
// missing. If the graph contains the record, the graph counts: a difference is
// reported.
func (b *hivemind) orphan(f File, r *Record) {
	inner := r.Inner("originalData")
	if inner == nil {
		b.leaveRecord(f, "orphans without their data", r.Text("id"))
		return
	}
	kind, read := resources.Tasks, func() *Draft { return b.task(f, inner, "") }
	if strings.HasPrefix(Fold(r.Text("type")), "mem") {
		kind, read = resources.Mems, func() *Draft { return b.mem(f, inner) }
	}
	id := or(inner.Text("id"), r.Text("id"))
	d := b.Find(kind, id)
	switch {
	case d == nil:
		d = read()
	case d.Record == nil || string(d.Record.Value.JSON()) != string(inner.Value.JSON()):
		b.Leave(f, "orphans that differ from the graph: the graph counts", id)
	}
	if d == nil {
		return
	}
	d.LeaveRest("orphan.", r)
	b.Report.Note(&b.Report.Odd, "records that HiveMind had set aside as orphans", d.ID)
}

// hierarchy reads the flat tree: a trajectory becomes a plan, and tactics and actions
// become tasks. HiveMind kept every open node active. Here only the ancestors of the cursor
// are active.
func (b *hivemind) hierarchy(f File, r *Record) {
	cursor := r.Text("cursor")
	for _, root := range r.Records("root", "roots", "trajectories") {
		if plan := b.Plan(f, root); plan != nil {
			for _, child := range root.Records("children") {
				b.node(f, child, plan.ID, "", cursor)
			}
		}
	}
}

// node reads a tactic or an action. It reports whether the cursor is at or below the node.
func (b *hivemind) node(f File, r *Record, plan, parent, cursor string) bool {
	d := b.Task(f, r, r.Text(strings.Fields(idNames)...), plan, parent)
	if d == nil {
		return false
	}
	current := d.ID == cursor
	for _, child := range r.Records("children") {
		current = b.node(f, child, plan, d.ID, cursor) || current
	}
	if spec := Spec[resources.TaskSpec](d); spec.State == resources.TaskActive && !current {
		spec.State = resources.TaskPlanned
		b.Report.Note(&b.Report.Changed, "active away from the cursor: planned", d.ID)
	}
	return current
}

// trajectory converts the records of a trajectory.
func (b *hivemind) trajectory(f File, r *Record) {
	for _, t := range r.Records("trajectory", "trajectories") {
		b.readHead(f, t)
	}
	if r.Has("intent", "activeTaskIds", "activePlanId") {
		b.readHead(f, r)
	}
}

// readHead creates the trajectory. It reports further trajectories as leftovers.
func (b *hivemind) readHead(f File, r *Record) {
	if b.Find(resources.Trajectories, resources.TrajectoryName) != nil {
		b.leaveRecord(f, "second trajectories", "")
		return
	}
	d := b.Add(resources.Trajectories, f, r, resources.TrajectoryName)
	b.Map(d)
	spec := Spec[resources.TrajectorySpec](d)
	if s, ok := b.stages[r.Text("activePhaseId", "activePhase")]; ok {
		spec.ActivePhase, spec.ActivePlan = s.name, or(spec.ActivePlan, s.plan.ID)
	}
}

// hivemindTTL is the lifetime of a HiveMind memory without a staleness stamp.
const hivemindTTL = 72 * time.Hour

// mem reads a memory. It becomes stale at its stamp, or 72 hours after its creation.
func (b *hivemind) mem(f File, r *Record) *Draft {
	d := b.Mem(f, r)
	if d == nil {
		return nil
	}
	d.StaleAfter(r.Time("stalenessStamp"), hivemindTTL)
	if t := r.Time("purgedAt"); !t.IsZero() {
		spec := Spec[resources.MemSpec](d)
		spec.PurgedAt, spec.PurgeReason = resources.NewTime(t), "purged in HiveMind"
	}
	return d
}

// anchor reads an anchor. HiveMind's anchors never expire.
func (b *hivemind) anchor(f File, r *Record) {
	if d := b.Anchor(f, r); d != nil {
		Spec[resources.AnchorSpec](d).Pinned = true
	}
}

// brain reads the state of the last session, and its intent if there is no
// trajectory yet. It ignores recorded conversations.
func (b *hivemind) brain(f File, r *Record) {
	if inner := r.Inner("session"); inner != nil {
		if d := b.Session(f, inner, ""); d != nil {
			count(&Spec[resources.SessionSpec](d).Counters, r.Inner("metrics"))
		}
	}
	inner := r.Inner("hierarchy")
	if inner != nil && inner.Has("trajectory") && b.Find(resources.Trajectories, resources.TrajectoryName) == nil {
		d := b.Make(resources.Trajectories, resources.TrajectoryName).SetSource(f)
		Spec[resources.TrajectorySpec](d).Intent = inner.Text("trajectory")
	}
}

// count copies the counters of a HiveMind session that SessionCounters also has.
func count(counters *resources.SessionCounters, r *Record) {
	for name, to := range map[string]*int{
		"turnCount": &counters.Turns, "totalToolCalls": &counters.ToolCalls,
		"violationCount": &counters.Violations, "consecutiveFailures": &counters.Failures,
	} {
		if n, err := strconv.Atoi(r.Text(name)); err == nil && n >= 0 {
			*to = n
		}
	}
}

// config reads the settings for the language and the staleness of sessions.
func (b *hivemind) config(_ File, r *Record) {
	spec := b.settings(r)
	if days, ok := r.Peek("staleSessionDays"); ok && setLifetime(&spec.SessionStaleAfter, days, 24*time.Hour) {
		r.Take("staleSessionDays")
	}
}
