package migrate

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// idumbFormat is the name of the format of iDumb v1 and v2, below .idumb. v1
// stored config.json and state.json in brain/.
const idumbFormat = "idumb-v2"

// idumb is a conversion of iDumb v1 or v2.
type idumb struct {
	*Builder
	graphs   map[string]bool // IDs of all objects in the graph
	deferred []func()        // functions to call after the graph is read
}

// IsOldIdumb reports whether iDumb v1 or v2 wrote a file. The path is relative to .idumb.
// data is the content. It is only inspected if current files have the same name.
func IsOldIdumb(file string, data []byte) bool {
	switch folder, end := path.Dir(file), path.Ext(file); {
	case strings.HasPrefix(file, "brain/"):
		return end == ".json" || end == ".jsonl"
	case file == "state.json":
		return true
	case file == "config.json":
		return isOldShape(data, "version", "user", "governance", "detection", "paths", "status", "automation", "hierarchy", "enforcement", "installedAt", "initialized")
	case folder == "sessions" || folder == "anchors":
		return end == ".json" && isOldShape(data, "sessionId", "content", "governanceLevel", "createdAt", "id")
	}
	return false
}

// isOldShape reports whether a file is an object with one of these fields and without the
// fields of a current object.
func isOldShape(data []byte, fields ...string) bool {
	v, _, err := Parse(data)
	has := func(name string) bool { return v.index(name) >= 0 }
	return err == nil && slices.ContainsFunc(fields, has) && !slices.ContainsFunc([]string{"spec", "metadata", "apiVersion", "kind"}, has)
}

// Idumb converts the files of iDumb v1 and v2. Paths are relative to .idumb. Epics and work
// plans become plans, tasks and subtasks become tasks, and checkpoints become lines of the
// tasks' logs. Tasks are read before objects that refer to them. Some files were renamed;
// the older file may still exist.
func Idumb(in Input) Outcome {
	b := &idumb{Builder: NewBuilder(idumbFormat, "iDumb v1/v2", in), graphs: map[string]bool{}}
	files := ByPath(in.Files)
	// The IDs of all objects in the graph are known before tasks are read.
	for _, f := range files {
		if matches("brain/graph.json brain/task-graph.json", f.Path) {
			v, _, _ := Parse(f.Data) // an unreadable file has no IDs
			b.noteIDs(v)
		}
	}
	b.readFiles(files, []fileRow{
		{files: "brain/tasks.json", convert: b.taskStore},
		{files: "brain/graph.json", convert: b.graph},
		{files: "brain/task-graph.json", convert: b.graph, newer: "brain/graph.json"},
	})
	for _, do := range b.deferred {
		do()
	}
	b.readFiles(files, []fileRow{
		{files: "brain/state.json state.json", convert: b.state},
		{files: "brain/hook-state.json", convert: b.state, newer: "brain/state.json state.json"},
		{files: "brain/delegations.json", list: "delegations", convert: b.Delegation},
		{files: "brain/knowledge.json", list: "entries mems", convert: b.knowledge},
		{files: "brain/registry.json", convert: b.registry},
		{files: "brain/planning-registry.json", convert: b.registry, newer: "brain/registry.json"},
		{files: "brain/config.json config.json", convert: b.config},
		{files: "anchors/*", convert: b.anchorFile},
		{files: "sessions/*", convert: b.session},
	})
	b.leaveFiles(files)
	return b.Finish()
}

// taskStore converts a file of version 1 with epics, tasks and subtasks.
func (b *idumb) taskStore(f File, r *Record) {
	b.active(f, r.Text("activeEpicId"))
	for _, e := range r.Records("epics", "value") { // or a bare list
		b.epic(f, e)
	}
	for _, t := range r.Records("tasks") {
		b.task(f, t, "")
	}
}

// epic converts an epic of version 1 to a plan with its tasks. An epic that was moved into the
// graph is merged later.
func (b *idumb) epic(f File, e *Record) {
	if b.graphs[twin(e.Text("id"))] {
		b.deferred = append(b.deferred, func() { b.movedEpic(f, e) })
		return
	}
	if plan := b.Plan(f, e); plan != nil {
		for _, t := range e.Records("tasks") {
			b.task(f, t, plan.ID)
		}
	}
}

// task reads a task, its subtasks and its checkpoints. It returns nil if an identical record was read before.
func (b *idumb) task(f File, r *Record, plan string) *Draft {
	if said := r.Text("epicId", "workPlanId"); plan == "" {
		plan = said
	}
	d := b.Task(f, r, r.Text(strings.Fields(idNames)...), plan, "")
	if d == nil {
		return nil
	}
	for _, s := range r.Records("subtasks") {
		b.subtask(f, s, d)
	}
	for _, c := range r.Records("checkpoints") {
		b.checkpoint(f, c, d)
	}
	return d
}

// subtask reads a subtask. Its taskId is not its ID.
func (b *idumb) subtask(f File, s *Record, parent *Draft) {
	s.Drop("taskId")
	b.Task(f, s, s.Text("id"), Spec[resources.TaskSpec](parent).WorkPlan, parent.ID)
}

// checkpoint reads a checkpoint of a task.
func (b *idumb) checkpoint(f File, c *Record, task *Draft) {
	at, tool := c.Time("timestamp", "time"), c.Text("tool")
	if at.IsZero() || tool == "" {
		b.Leave(f, "checkpoints without a time or a tool", task.ID)
		return
	}
	b.readCount++
	if len(c.Value.JSON()) > 3500 {
		b.Leave(f, "checkpoints too long for a line of a log", task.ID)
	}
	b.Checkpoint(task, resources.Checkpoint{
		Time: resources.NewTime(at), Tool: tool, Agent: c.Text("agent"), Session: c.Text("session"),
		Summary: c.Text("summary"), FilesModified: c.Texts("filesModified"), Command: c.Text("command"),
	})
}

// graph reads work plans with their tasks and their planned-ahead tasks.
func (b *idumb) graph(f File, r *Record) {
	b.active(f, r.Text("activeWorkPlanId"))
	for _, p := range r.Records("workPlans", "plans", "value") {
		plan := cmp.Or(b.Plan(f, p), b.Find(resources.WorkPlans, p.Text(strings.Fields(idNames)...)))
		if plan == nil {
			continue
		}
		for _, t := range p.Records("tasks") {
			b.task(f, t, plan.ID)
		}
		for _, t := range p.Records("planAhead") {
			if d := b.task(f, t, plan.ID); d != nil {
				spec := Spec[resources.TaskSpec](d)
				spec.PlanAhead = spec.State == resources.TaskPlanned
			}
		}
	}
}

// active sets the active plan of the trajectory. It reports a second one as a
// leftover.
func (b *idumb) active(f File, plan string) {
	if plan == "" {
		return
	}
	t := b.Make(resources.Trajectories, resources.TrajectoryName).SetSource(f)
	if b.graphs[twin(plan)] {
		plan = twin(plan)
	}
	spec := Spec[resources.TrajectorySpec](t)
	if spec.ActivePlan != "" && spec.ActivePlan != plan {
		b.Leave(f, "second active plans", plan)
		return
	}
	spec.ActivePlan = plan
}

// state reads the sessions, anchors and tasks in a state file.
func (b *idumb) state(f File, r *Record) {
	saved := timeOrZero(r.Time("lastSaved"))
	for _, s := range r.Records("sessions") {
		if d := b.Session(f, s, ""); d != nil && Spec[resources.SessionSpec](d).LastSeenAt.IsZero() {
			Spec[resources.SessionSpec](d).LastSeenAt = saved
		}
	}
	b.anchors(f, r)
	if inner := r.Inner("tasks"); inner != nil {
		b.taskStore(f, inner)
	}
}

// anchors reads a list of anchors, or lists by session.
func (b *idumb) anchors(f File, r *Record) {
	v, _ := r.Take("anchors")
	b.anchorsIn(f, v)
}

// anchorsIn converts all anchors in a value, which may be nested in objects.
func (b *idumb) anchorsIn(f File, v Value) {
	if v.Type == Object && !isOne(v) {
		for _, inner := range v.Fields {
			b.anchorsIn(f, inner.Value)
		}
		return
	}
	for _, a := range Records(v) {
		b.Anchor(f, a)
	}
}

// anchorFile converts a file with one anchor or with a list of anchors.
func (b *idumb) anchorFile(f File, r *Record) {
	if r.Has("anchors") {
		b.anchors(f, r)
		return
	}
	b.Anchor(f, r)
}

// knowledge reads an entry of the knowledge base. Its lifetime is in milliseconds.
func (b *idumb) knowledge(f File, e *Record) {
	d := b.Mem(f, e)
	ms, _ := e.Peek("staleAfter")
	if ttl, err := time.ParseDuration(strings.TrimSpace(ms.Text) + "ms"); d != nil && err == nil && ttl >= time.Second {
		e.Take("staleAfter")
		d.StaleAfter(time.Time{}, ttl)
	}
}

// registry reports planning artifacts as leftovers, because there is no matching kind.
func (b *idumb) registry(f File, r *Record) {
	for _, name := range []string{"artifacts", "chains", "outliers"} {
		for range r.Records(name) {
			b.leaveRecord(f, name+" of the planning registry", "")
		}
	}
	r.Drop("lastScanAt")
}

// session reads a session file. Its ID may be only in the file name.
func (b *idumb) session(f File, r *Record) {
	b.Session(f, r, strings.TrimSuffix(path.Base(f.Path), ".json"))
}

// config reads languages and lifetimes. The other settings configured the old plugin.
func (b *idumb) config(f File, r *Record) {
	spec := b.settings(r)
	if user := r.Inner("user"); user != nil {
		language(spec, user)
	}
	if hours, ok := r.Value.Lookup("staleness", "warningHours"); ok {
		setLifetime(&spec.AnchorStaleAfter, hours, time.Hour)
	}
}
