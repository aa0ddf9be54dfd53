package migrate

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// What iDumb v1 and v2 wrote, below .idumb. v1 kept config.json and state.json in brain/.
const idumbFormat = "idumb-v2"

// idumbReaders is the table of files of iDumb v1 and v2, by name, in the order in which they are
// read: what refers to tasks after the tasks.
var idumbReaders = []struct {
	name string
	read func(*idumb, File)
}{
	{"tasks.json", (*idumb).tasks},
	{"task-graph.json", (*idumb).graph},
	{"state.json", (*idumb).state},
	{"hook-state.json", (*idumb).hookState},
	{"delegations.json", (*idumb).delegations},
	{"knowledge.json", (*idumb).knowledge},
	{"planning-registry.json", (*idumb).registry},
	{"config.json", (*idumb).config},
}

// idumb is a conversion of iDumb v1 or v2.
type idumb struct {
	*Builder
	seen map[string]time.Time // when sessions were last seen
}

// IsOldIdumb reports whether a file below .idumb, whose path is given from there, was written by iDumb v1 or v2.
// data is its content, which is looked at only where files of today have the same names.
func IsOldIdumb(file string, data []byte) bool {
	if strings.HasSuffix(file, ".bak") {
		return false
	}
	folder, name := path.Split(file)
	switch {
	case strings.HasPrefix(file, "brain/"):
		return strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl")
	case folder == "" && name == "state.json":
		return true
	case folder == "" && name == "config.json":
		return isOldShape(data, "version", "user", "governance", "detection", "paths", "status", "automation", "hierarchy", "enforcement", "installedAt", "initialized")
	case folder == "sessions/" || folder == "anchors/":
		return strings.HasSuffix(name, ".json") && isOldShape(data, "sessionId", "session_id", "content", "governanceLevel", "createdAt", "id")
	}
	return false
}

// isOldShape reports whether a file is an object with one of these fields and nothing of an object of today.
func isOldShape(data []byte, fields ...string) bool {
	v, _, err := Parse(data)
	if err != nil || v.Type != Object {
		return false
	}
	for _, today := range []string{"spec", "metadata", "apiVersion", "kind"} {
		if v.index(today) >= 0 {
			return false
		}
	}
	return slices.ContainsFunc(fields, func(name string) bool { return v.index(name) >= 0 })
}

// Idumb turns the files of iDumb v1 and v2, by their paths from .idumb, into objects. Epics and work plans
// become plans, tasks and subtasks become tasks; checkpoints become lines of the tasks' logs.
func Idumb(in Input) Outcome {
	b := &idumb{NewBuilder(idumbFormat, "iDumb v1/v2", in), map[string]time.Time{}}
	files := slices.Clone(in.Files)
	slices.SortFunc(files, func(a, c File) int { return strings.Compare(a.Path, c.Path) })
	done := map[string]bool{}
	for _, row := range idumbReaders {
		for _, f := range files {
			if path.Base(f.Path) == row.name && !strings.HasPrefix(f.Path, "sessions/") && !strings.HasPrefix(f.Path, "anchors/") {
				row.read(b, f)
				done[f.Path] = true
			}
		}
	}
	for _, f := range files {
		switch {
		case done[f.Path]:
		case strings.HasPrefix(f.Path, "sessions/"):
			b.session(f)
		case strings.HasPrefix(f.Path, "anchors/"):
			b.anchorFile(f)
		case strings.HasSuffix(f.Path, ".jsonl"):
			b.log(f)
		default:
			b.other(f)
		}
	}
	return b.Finish()
}

// tasks reads brain/tasks.json: epics, tasks and subtasks.
func (b *idumb) tasks(f File) {
	if r, ok := b.Parse(f); ok {
		b.taskStore(f, r)
		b.LeaveRest(f, r, "fields of tasks.json", "no rule for it")
	}
}

func (b *idumb) taskStore(f File, r *Record) {
	b.version(f, r)
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
			b.Leave(f, c.At, c.Value, "checkpoints too long for a line of a log", "a line of a log is cut")
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
func (b *idumb) graph(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.version(f, r)
	b.active(f, r.Text("activeWorkPlanId"))
	for _, p := range r.Records("workPlans", "plans", "value") {
		plan := b.Plan(f, p)
		if plan == nil {
			continue
		}
		for _, t := range p.Records("tasks") {
			b.oldTask(f, t, plan.ID, "")
		}
		for _, t := range p.Records("planAhead") {
			b.ahead(f, t, plan.ID)
		}
	}
	b.LeaveRest(f, r, "fields of task-graph.json", "no rule for it")
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
	spec := t.Object.SpecPointer().(*resources.TrajectorySpec)
	if spec.ActivePlan != "" && spec.ActivePlan != plan {
		b.Leave(f, "active plan", Text(plan), "second active plans", "the context is about one plan: "+spec.ActivePlan)
		return
	}
	spec.ActivePlan = plan
}

// hookState reads brain/hook-state.json: sessions, and anchors by session.
func (b *idumb) hookState(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.version(f, r)
	saved := r.Time("lastSaved")
	for _, s := range r.Records("sessions") {
		d := b.Session(f, s)
		if d == nil {
			continue
		}
		spec := d.Object.SpecPointer().(*resources.SessionSpec)
		if spec.LastSeenAt.IsZero() && !saved.IsZero() {
			spec.LastSeenAt = resources.NewTime(saved)
		}
	}
	if v, ok := r.Take("anchors"); ok {
		b.anchors(f, "anchors", v)
	}
	if inner := r.Inner("tasks"); inner != nil {
		b.taskStore(f, inner)
		b.LeaveRest(f, inner, "fields of hook-state.json", "no rule for it")
	}
	b.LeaveRest(f, r, "fields of hook-state.json", "no rule for it")
}

// anchors reads a list of anchors, or lists of them by session.
func (b *idumb) anchors(f File, at string, v Value) {
	if v.Type != Object || isOne(v) {
		for _, a := range Records(at, v) {
			b.Anchor(f, a)
		}
		return
	}
	for _, session := range v.Fields {
		if session.Value.Type != List && !isOne(session.Value) {
			b.anchors(f, at+"."+session.Name, session.Value)
			continue
		}
		for _, a := range Records(at+"."+session.Name, session.Value) {
			if d := b.Anchor(f, a); d != nil {
				d.Annotate("session", session.Name)
			}
		}
	}
}

// state reads state.json of v1 and of early v2: anchors, sessions and a history.
func (b *idumb) state(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.version(f, r)
	if v, ok := r.Take("anchors"); ok {
		b.anchors(f, "anchors", v)
	}
	for _, s := range r.Records("sessions") {
		b.Session(f, s)
	}
	b.LeaveRest(f, r, "fields of state.json", "figures and settings that are kept elsewhere now, or not at all")
}

// delegations reads brain/delegations.json.
func (b *idumb) delegations(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.version(f, r)
	for _, d := range r.Records("delegations", "value") {
		b.Delegation(f, d)
	}
	b.LeaveRest(f, r, "fields of delegations.json", "no rule for it")
}

// knowledge reads brain/knowledge.json: entries of the brain.
func (b *idumb) knowledge(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.version(f, r)
	for _, e := range r.Records("entries", "mems", "value") {
		d := b.Mem(f, e)
		if d == nil {
			continue
		}
		if ms, ok := e.Peek("staleAfter"); ok {
			if ttl, err := time.ParseDuration(strings.TrimSpace(ms.Text) + "ms"); err == nil && ttl >= time.Second {
				e.Take("staleAfter")
				d.StaleAfter(time.Time{}, ttl)
			}
		}
	}
	b.LeaveRest(f, r, "fields of knowledge.json", "no rule for it")
}

// registry reads brain/planning-registry.json. Planning artifacts have no kind here: they are kept.
func (b *idumb) registry(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	for _, name := range []string{"artifacts", "chains", "outliers"} {
		for _, a := range r.Records(name) {
			b.read++
			b.Leave(f, a.At, a.Value, name+" of the planning registry", "there is no kind for planning artifacts")
		}
	}
	b.version(f, r)
	if v, ok := r.Peek("lastScanAt"); ok && v.Text == "0" {
		r.Take("lastScanAt")
	}
	b.LeaveRest(f, r, "fields of planning-registry.json", "no rule for it")
}

// config reads config.json: languages and how long things hold. The rest told that plugin what to do.
func (b *idumb) config(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	b.read++
	d := b.Make(resources.Configs, resources.ConfigName)
	spec := d.Object.SpecPointer().(*resources.ConfigSpec)
	if user, ok := r.Peek("user"); ok && user.Type == Object {
		u := r.Inner("user")
		b.language(spec, u)
		b.LeaveRest(f, u, "settings", "no setting here says that")
	}
	b.language(spec, r)
	if hours, ok := r.Value.At("staleness", "warningHours"); ok && spec.AnchorStaleAfter == "" {
		if ttl, err := time.ParseDuration(strings.TrimSpace(hours.Text) + "h"); err == nil && ttl > 0 {
			spec.AnchorStaleAfter = durationText(ttl)
		}
	}
	b.LeaveRest(f, r, "settings", "no setting here says that")
}

// language takes the languages, if they are not known yet.
func (b *Builder) language(spec *resources.ConfigSpec, r *Record) {
	v, ok := r.Peek("language")
	if !ok {
		return
	}
	if v.Type != Object {
		if word := peekText(r, "language"); isLanguage(word) && (spec.Language.Communication == "" || spec.Language.Communication == word) {
			spec.Language.Communication = r.Text("language")
		}
		return
	}
	l := NewRecord("", v)
	said := resources.Language{Communication: l.Text("communication"), Documents: l.Text("documents")}
	if !isLanguage(cmp.Or(said.Communication, said.Documents)) || !isLanguage(cmp.Or(said.Documents, said.Communication)) {
		return
	}
	if spec.Language == (resources.Language{}) {
		spec.Language = said
	}
	if spec.Language == said && len(l.Rest()) == 0 {
		r.Take("language")
	}
}

// isLanguage reports whether a text can be the name of a language: a word or two. It stands
// in the rules that agents are given, so a sentence of an older tool's file must not.
func isLanguage(text string) bool {
	foreign := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsMark(c) && !strings.ContainsRune(" -_()", c)
	}
	words := len(strings.Fields(text))
	return 0 < words && words <= 2 && len(text) <= 64 && !strings.ContainsFunc(text, foreign)
}

// session reads a file of sessions/.
func (b *idumb) session(f File) {
	r, ok := b.Parse(f)
	if !ok {
		return
	}
	if !r.Has("sessionId", "session_id", "id") {
		r.Value.Fields = append(r.Value.Fields, Field{"sessionId", Text(strings.TrimSuffix(path.Base(f.Path), ".json"))})
		r.taken = append(r.taken, false)
	}
	b.Session(f, r)
}

// anchorFile reads a file of anchors/.
func (b *idumb) anchorFile(f File) {
	if r, ok := b.Parse(f); ok {
		if r.Has("anchors") {
			v, _ := r.Take("anchors")
			b.anchors(f, "anchors", v)
			b.LeaveRest(f, r, "fields of anchors", "no rule for it")
			return
		}
		b.Anchor(f, r)
	}
}

// log keeps an audit log as it is: it has no place among objects, and the event log forgets after days.
func (b *idumb) log(f File) {
	n := len(bytes.Fields(bytes.ReplaceAll(f.Data, []byte(" "), nil)))
	b.read += n
	b.KeepFile(f)
	for range n {
		b.report.Note(&b.report.Left, "lines of logs", f.Path)
	}
}

// other keeps a file that no rule is for: maps of the code, metrics.
func (b *idumb) other(f File) {
	b.KeepFile(f)
	b.report.Note(&b.report.Left, "files of the brain that are made anew here, or not at all", f.Path)
}
