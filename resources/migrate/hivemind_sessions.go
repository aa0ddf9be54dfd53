package migrate

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Newer versions of HiveMind store a directory for each session, session-tracker/<id>. It
// contains a file for each subsession, with its conversation, and indexes. Delegations are
// in state/delegations.json, without a description of the work. Contracts of agents are in
// state/agent-work-contracts.json.

// handOver is work that a session delegated to an agent.
type handOver struct {
	file    File
	id      string
	session string // delegate
	parent  string // delegating session
	agent   string // agent name
	work    string // one-line description of the work; empty if unknown
	prompt  string // instructions to the agent
	status  string
	result  string
	failure string // error message of a failure
	created Value
}

// handOver reads the fields that all records of delegations share.
func (b *hivemind) handOver(f File, r *Record) *handOver {
	h := &handOver{
		file: f, id: r.Text("id"), session: r.Text("childSessionId", "sessionId"), parent: r.Text("parentSessionId"),
		agent: r.Text("agent", "toAgent"), work: r.Text("description", "title", "objective"), prompt: r.Text("prompt"),
		status: r.Text("status"), result: r.Text("result", "resultPreview", "lastMessage"), failure: r.Text("error"),
	}
	h.created, _ = r.Take("created", "createdAt")
	return h
}

// trackedSession reads the file of a subsession: the session, and the hand-over
// that started it.
func (b *hivemind) trackedSession(f File, r *Record) {
	h, by := b.handOver(f, r), r.Inner("delegatedBy")
	h.session = or(h.session, h.id)
	h.id, h.agent = h.session, agent(by.Text("subagentType"), r.Text("mainAgent"), by.Text("agentName"))
	what := by.Text("description")
	h.prompt = or(firstTurn(r), what)
	h.work = said(or(what, h.prompt))
	r.Drop("turns", "journey", "children")
	b.Report.Note(&b.Report.Unconverted, "conversations of sessions", f.Path)
	b.trackSession(f, r, resources.SessionSpec{})
	if h.session != "" && h.work != "" {
		b.handed = append(b.handed, h)
	}
}

// agent returns the first known agent name.
func agent(names ...string) string {
	for _, name := range names {
		if name != "" && name != "unknown" {
			return name
		}
	}
	return ""
}

// said returns the first informative line of the instructions to an agent. Lines such as
// <objective> are skipped.
func said(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '<' && line[0] != '-' {
			return firstLine(line)
		}
	}
	return firstLine(text)
}

// firstTurn returns the first prompt of a session.
func firstTurn(r *Record) string {
	turns, _ := r.Peek("turns")
	for _, turn := range turns.Items {
		if text, ok := FirstText(turn, "content", "text"); ok {
			return text
		}
	}
	return ""
}

// trackSession creates a session from a record, or adds data that other files do not
// contain. known is the data that the location of the record implies.
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

// addSession adds missing data to a session.
func (b *hivemind) addSession(d *Draft, said *resources.SessionSpec) {
	spec := Spec[resources.SessionSpec](d)
	spec.Agent, spec.Parent = agent(spec.Agent, said.Agent), or(spec.Parent, said.Parent)
	if spec.StartedAt.IsZero() {
		spec.StartedAt = said.StartedAt
		d.Created(said.StartedAt.Time)
	}
}

// sessionIndex reads an index of subsessions, which is a tree or a list.
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

// sessionTree reads the subsessions of a session.
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

// continuity reads the sessions that HiveMind preserved over a restart, with pending
// notifications about their delegations.
func (b *hivemind) continuity(f File, r *Record) {
	r.Drop("updatedAt")
	for _, s := range r.Records("sessions") {
		id, inner := s.Text("sessionId", "id"), s.Inner("metadata")
		s.Drop("promptParams")
		for _, told := range inner.Records("pendingNotifications") {
			b.readCount++
			h := b.handOver(f, told)
			h.id, h.parent = told.Inner("metadata").Text("delegationId"), id
			b.handed = append(b.handed, h)
		}
		fields := s.Rest()
		if inner != nil {
			fields = append(fields, inner.Rest()...)
		}
		b.trackSession(f, NewRecord(Value{Type: Object, Fields: append(fields, Field{"sessionId", Text(id)})}), resources.SessionSpec{})
	}
}

// delegation reads a delegation. Newer records name sessions, and older records name a
// task.
func (b *hivemind) delegation(f File, r *Record) {
	if r.Has("taskId", "task") {
		b.Delegation(f, r)
		return
	}
	b.readCount++
	b.handed = append(b.handed, b.handOver(f, r))
}

// contract reads the work contract of an agent as a task.
func (b *hivemind) contract(f File, r *Record) {
	scope, kept, owner := r.Inner("scope"), r.Inner("compaction"), r.Inner("owner")
	what := scope.Text("taskBoundary")
	title := or(kept.Text("briefing"), what)
	if title == "" {
		b.leaveRecord(f, "contracts without a description of the work", r.Text("id"))
		return
	}
	made := Made("title", title, "expectedOutput", or(what, title), "status", r.Text("status"), "assignedTo", owner.Text("agent"), "created", r.Text("createdAt"))
	if d := b.Task(f, made, r.Text("id"), b.delegated().ID, ""); d != nil {
		for _, part := range []*Record{r, scope, kept, owner} {
			d.LeaveRest("", part)
		}
	}
}

// delegated returns the plan for delegated work, and creates it if necessary.
func (b *hivemind) delegated() *Draft {
	d := b.MakePlan("(delegated)", "Work that was handed over (HiveMind)")
	d.Name = "hivemind-delegations"
	return d
}

// delegate creates a task and a delegation for each hand-over with a description. The
// file of a session has the most details and was read first.
func (b *hivemind) delegate() {
	b.yielding = false
	read := b.readCount // the records are already counted
	defer func() { b.readCount = read }()
	made := map[string]string{} // task IDs by session of the delegate
	for _, h := range b.handed {
		switch {
		case made[h.session] != "":
			b.Leave(h.file, "delegations that the file of their session also contains: that file counts", h.id)
		case h.work == "", strings.EqualFold(h.work, "Delegation: "+h.agent):
			b.Leave(h.file, "delegations without a description of the work", h.id)
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

// colours matches terminal escape sequences and carriage returns.
var colours = Pattern("\x1b\\[[0-9;?]*[A-Za-z]|\r")

// handedTask creates the task of a hand-over. A task that was still running is no longer
// active.
func (b *hivemind) handedTask(h *handOver) *Draft {
	const most = 1500
	result := strings.TrimSpace(colours().ReplaceAllString(h.result, ""))
	word, why := h.status, ""
	if Fold(word) == "timeout" {
		word = resources.TaskFailed
	}
	state := TaskState(word).State
	if state == resources.TaskFailed || state == resources.TaskAbandoned {
		why = or(h.failure, firstLine(result))
	}
	r := Made("title", h.work, "status", word, "expectedOutput", h.work, "description", h.prompt, "notes", result,
		"evidence", Beginning(result, most), "reason", why, "assignedTo", h.agent, "created", h.created)
	d := b.Task(h.file, r, or(h.session, h.id), b.delegated().ID, "")
	if d != nil && state == resources.TaskActive {
		spec := Spec[resources.TaskSpec](d)
		spec.State, spec.PlanAhead = resources.TaskPlanned, true
		b.Report.Note(&b.Report.Changed, "delegated, with no recorded end: planned, never proposed", d.ID)
	}
	return d
}

// handedOver creates the delegation of a task.
func (b *hivemind) handedOver(h *handOver, task *Draft) {
	from := "main"
	if d := b.Find(resources.Sessions, h.parent); d != nil {
		from = or(Spec[resources.SessionSpec](d).Agent, from)
	}
	b.Delegation(h.file, Made("id", or(h.id, h.session), "taskId", task.ID, "fromAgent", from, "toAgent", h.agent, "status", h.status, "createdAt", h.created))
}
