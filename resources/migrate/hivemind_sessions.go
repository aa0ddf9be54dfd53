package migrate

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// The newer HiveMind keeps a folder for each session, session-tracker/<id>: a file for each session that it started, with
// what it was asked and what it answered, and indexes of them. Delegations stand in state/delegations.json, without what was
// handed over; contracts of agents in state/agent-work-contracts.json.

// handOver is work that a session handed to an agent.
type handOver struct {
	file    File
	id      string
	session string // that did it
	parent  string // that handed it over
	to      string // the agent
	what    string // was handed over, in a line; "" if nobody says it
	prompt  string // what the agent was told
	status  string
	result  string
	why     string // it failed
	created Value
}

// handOver reads what all that tells of a hand-over says in the same way.
func (b *hivemind) handOver(f File, r *Record) *handOver {
	h := &handOver{
		file: f, id: r.Text("id"), session: r.Text("childSessionId", "sessionId"), parent: r.Text("parentSessionId"),
		to: r.Text("agent", "toAgent"), what: r.Text("description", "title", "objective"), prompt: r.Text("prompt"),
		status: r.Text("status"), result: r.Text("result", "resultPreview", "lastMessage"), why: r.Text("error"),
	}
	h.created, _ = r.Take("created", "createdAt")
	return h
}

// trackedSession reads the file of a session that another one started.
func (b *hivemind) trackedSession(f File, r *Record) {
	h, by := b.handOver(f, r), r.Inner("delegatedBy")
	h.session = or(h.session, h.id)
	h.id, h.to = h.session, agent(by.Text("subagentType"), r.Text("mainAgent"), by.Text("agentName"))
	what := by.Text("description")
	h.prompt = or(firstTurn(r), what)
	h.what = said(or(what, h.prompt))
	r.Drop("turns", "journey", "children")
	b.Report.Note(&b.Report.Left, "conversations of sessions", f.Path)
	b.trackSession(f, r, resources.SessionSpec{})
	if h.session != "" && h.what != "" {
		b.handed = append(b.handed, h)
	}
}

// agent is the first name of an agent that is known.
func agent(names ...string) string {
	for _, name := range names {
		if name != "" && name != "unknown" {
			return name
		}
	}
	return ""
}

// said is the first line of what an agent was told that says something: <objective> does not.
func said(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '<' && line[0] != '-' {
			return firstLine(line)
		}
	}
	return firstLine(text)
}

// firstTurn is what a session was asked first.
func firstTurn(r *Record) string {
	turns, _ := r.Peek("turns")
	for _, turn := range turns.Items {
		if text, ok := FirstText(turn, "content", "text"); ok {
			return text
		}
	}
	return ""
}

// trackSession makes a session of a record, or adds what other files did not say of it. known is what follows from where the
// record stands.
func (b *hivemind) trackSession(f File, r *Record, known resources.SessionSpec) {
	id := r.Text("sessionId", "id")
	d := b.Find(resources.Sessions, id)
	switch word := Fold(r.Text("status")); {
	case d != nil:
		more := &Draft{ID: id, Object: resources.New[resources.Object](resources.Sessions, ""), Record: r}
		b.Map(more)
		b.addSession(d, Spec[resources.SessionSpec](more))
	case id == "":
		b.leaveRecord(f, "sessions without an id", "")
		return
	default:
		if d = b.Session(f, r, ""); d == nil {
			return
		}
		if spec := Spec[resources.SessionSpec](d); word != "" && word != "active" && word != "running" && word != "idle" {
			spec.EndedAt = spec.LastSeenAt
		}
	}
	b.addSession(d, &known)
}

// addSession adds what is not known of a session yet.
func (b *hivemind) addSession(d *Draft, said *resources.SessionSpec) {
	spec := Spec[resources.SessionSpec](d)
	spec.Agent, spec.Parent = agent(spec.Agent, said.Agent), or(spec.Parent, said.Parent)
	if spec.StartedAt.IsZero() {
		spec.StartedAt = said.StartedAt
		d.Created(said.StartedAt.Time)
	}
}

// sessionIndex reads an index of the sessions that one started, in any of its forms: a tree or a list.
func (b *hivemind) sessionIndex(f File, r *Record) {
	root := r.Text("sessionId", "rootMainSessionId")
	tree := r.Inner("hierarchy")
	if tree == nil {
		tree = r
	}
	b.sessionTree(f, tree, root)
	r.Drop("totalChildren", "toolSummary", "turnCount", "maxDepth", "projectRoot")
	if seen, _ := r.Take("lastUpdated"); root != "" {
		b.trackSession(f, Made("sessionId", root, "lastUpdated", seen), resources.SessionSpec{})
	}
}

// sessionTree reads the sessions below one.
func (b *hivemind) sessionTree(f File, r *Record, parent string) {
	for _, name := range []string{"children", "sessions"} {
		for _, child := range r.Records(name) {
			b.sessionTree(f, child, child.Text("sessionId", "id"))
			child.Drop("file", "childFile", "depth", "delegationDepth", "rootMainSessionId", "dir", "mainFile", "continuityIndex", "childCount", "totalDelegationDepth", "turnCount")
			known := resources.SessionSpec{Agent: child.Text("delegatedBy")}
			if name == "children" {
				known.Parent = parent
			}
			b.trackSession(f, child, known)
		}
	}
}

// continuity reads what HiveMind kept of its sessions over a restart, with what it had to tell them of delegations.
func (b *hivemind) continuity(f File, r *Record) {
	r.Drop("updatedAt")
	for _, s := range r.Records("sessions") {
		id, inner := s.Text("sessionId", "id"), s.Inner("metadata")
		s.Drop("promptParams")
		for _, told := range inner.Records("pendingNotifications") {
			b.notice(f, told, id)
		}
		fields := s.Rest()
		if inner != nil {
			fields = append(fields, inner.Rest()...)
		}
		b.trackSession(f, NewRecord(Value{Type: Object, Fields: append(fields, Field{"sessionId", Text(id)})}), resources.SessionSpec{})
	}
}

// notice reads what a session was to be told of a delegation of it.
func (b *hivemind) notice(f File, r *Record, parent string) {
	b.read++
	h := b.handOver(f, r)
	h.id, h.parent = r.Inner("metadata").Text("delegationId"), parent
	b.handed = append(b.handed, h)
}

// delegation reads one that names its sessions, or, as older ones do, its task.
func (b *hivemind) delegation(f File, r *Record) {
	if r.Has("taskId", "task") {
		b.Delegation(f, r)
		return
	}
	b.read++
	b.handed = append(b.handed, b.handOver(f, r))
}

// contract reads what an agent undertook: a task of its own.
func (b *hivemind) contract(f File, r *Record) {
	scope, kept, owner := r.Inner("scope"), r.Inner("compaction"), r.Inner("owner")
	what := scope.Text("taskBoundary")
	title := or(kept.Text("briefing"), what)
	if title == "" {
		b.leaveRecord(f, "contracts that do not say what is to be done", r.Text("id"))
		return
	}
	made := Made("title", title, "expectedOutput", or(what, title), "status", r.Text("status"), "assignedTo", owner.Text("agent"), "created", r.Text("createdAt"))
	if d := b.Task(f, made, r.Text("id"), b.delegated().ID, ""); d != nil {
		for _, part := range []*Record{r, scope, kept, owner} {
			d.LeaveRest("", part)
		}
	}
}

// delegated is the plan for work that was handed over.
func (b *hivemind) delegated() *Draft {
	d := b.MakePlan("(delegated)", "Work that was handed over (HiveMind)")
	d.Name = "hivemind-delegations"
	return d
}

// delegate makes a task and a delegation of each hand-over that says what was handed over. The file of a session says most,
// and was read first.
func (b *hivemind) delegate() {
	b.yielding = false
	read := b.read // whoever read them counted them
	defer func() { b.read = read }()
	made := map[string]string{} // task ids, by the session that did it
	for _, h := range b.handed {
		switch {
		case made[h.session] != "":
			b.Leave(h.file, "delegations that the file of their session says as well: that counts", h.id)
		case h.what == "", strings.EqualFold(h.what, "Delegation: "+h.to):
			b.Leave(h.file, "delegations that do not say what was handed over", h.id)
		default:
			if d := b.handedTask(h); d != nil {
				made[h.session] = d.ID
			}
		}
	}
	for _, h := range b.handed {
		if task := b.Find(resources.Tasks, made[h.session]); task != nil && task.file.Path == h.file.Path {
			Spec[resources.TaskSpec](task).Parent = made[h.parent]
			b.handedOver(h, task)
		}
	}
}

// colours are what a command wrote for a terminal.
var colours = Pattern("\x1b\\[[0-9;?]*[A-Za-z]|\r")

// handedTask makes the task of a hand-over. What still ran when HiveMind stopped does not run any more.
func (b *hivemind) handedTask(h *handOver) *Draft {
	const most = 1500
	result := strings.TrimSpace(colours().ReplaceAllString(h.result, ""))
	word, why := h.status, ""
	if Fold(word) == "timeout" {
		word = resources.TaskFailed
	}
	state := TaskState(word).State
	if state == resources.TaskFailed || state == resources.TaskAbandoned {
		why = or(h.why, firstLine(result))
	}
	r := Made("title", h.what, "status", word, "expectedOutput", h.what, "description", h.prompt, "notes", result,
		"evidence", Beginning(result, most), "reason", why, "assignedTo", h.to, "created", h.created)
	d := b.Task(h.file, r, or(h.session, h.id), b.delegated().ID, "")
	if d != nil && state == resources.TaskActive {
		spec := Spec[resources.TaskSpec](d)
		spec.State, spec.PlanAhead = resources.TaskPlanned, true
		b.Report.Note(&b.Report.Changed, "handed over, and its end is not told: planned, never proposed", d.ID)
	}
	return d
}

// handedOver makes the delegation of a task.
func (b *hivemind) handedOver(h *handOver, task *Draft) {
	from := "main"
	if d := b.Find(resources.Sessions, h.parent); d != nil {
		from = or(Spec[resources.SessionSpec](d).Agent, from)
	}
	b.Delegation(h.file, Made("id", or(h.id, h.session), "taskId", task.ID, "fromAgent", from, "toAgent", h.to, "status", h.status, "createdAt", h.created))
}
