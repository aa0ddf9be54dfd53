package migrate

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// The newer HiveMind keeps a folder for each session, session-tracker/<id>: a file for each session that it started, with
// what it was asked and what it answered, and indexes of them. Delegations stand in state/delegations.json, without what was
// handed over; contracts of agents in state/agent-work-contracts.json.

// handOver is work that a session handed to an agent.
type handOver struct {
	file    File
	rest    []Field // of the delegation, for its annotations
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

// trackedSession reads the file of a session that another one started.
func (b *hivemind) trackedSession(f File, r *Record) {
	r = r.whole() // the session has what is left of it
	by := r.Inner("delegatedBy")
	if by == nil {
		by = NewRecord(Value{Type: Object})
	}
	h := handOver{
		file: f, session: peek(r, "sessionId", "id"), parent: peek(r, "parentSessionId"),
		to: agent(by.Text("subagentType"), peek(r, "mainAgent"), by.Text("agentName")), what: by.Text("description"), prompt: firstTurn(r),
		status: peek(r, "status"), result: r.Text("lastMessage"), why: r.Text("error"),
	}
	h.id = h.session
	h.created, _ = r.Peek("created", "createdAt")
	h.prompt = or(h.prompt, h.what)
	h.what = said(or(h.what, h.prompt))
	by.Drop("agentName")
	h.rest = by.Rest()
	r.Drop("turns", "journey", "children")
	b.Report.Note(&b.Report.Left, "conversations of sessions", f.Path)
	b.trackSession(f, r)
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

// peek is a text of a record, without taking it.
func peek(r *Record, names ...string) string { return NewRecord(r.Value).Text(names...) }

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

// trackSession makes a session of a record, or adds what other files did not say of it.
func (b *hivemind) trackSession(f File, r *Record) {
	id := peek(r, "sessionId", "id")
	if known := b.Find(resources.Sessions, id); known != nil {
		more := &Draft{ID: id, Object: newObject(resources.Sessions), Record: r}
		b.Map(more)
		spec, said := Spec[resources.SessionSpec](known), Spec[resources.SessionSpec](more)
		spec.Agent, spec.Parent = agent(spec.Agent, said.Agent), or(spec.Parent, said.Parent)
		if spec.StartedAt.IsZero() {
			spec.StartedAt = said.StartedAt
			known.Created(said.StartedAt.Time)
		}
		return
	}
	if id == "" {
		b.read++
		b.Leave(f, "sessions without an id", "")
		return
	}
	over := false
	if word := Fold(peek(r, "status")); word != "active" && word != "running" && word != "idle" {
		over = r.Text("status") != ""
	}
	d := b.Session(f, r)
	r.Drop("id")
	if d == nil {
		return
	}
	spec := Spec[resources.SessionSpec](d)
	if spec.Agent = agent(spec.Agent); over {
		spec.EndedAt = spec.LastSeenAt
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
	tree.Drop("root")
	if seen, _ := r.Take("lastUpdated"); root != "" {
		b.trackSession(f, NewRecord(Value{Type: Object, Fields: []Field{{"sessionId", Text(root)}, {"lastUpdated", seen}}}))
	}
}

// sessionTree reads the sessions below one.
func (b *hivemind) sessionTree(f File, r *Record, parent string) {
	for _, name := range []string{"children", "sessions"} {
		for _, child := range r.Records(name) {
			id := peek(child, "sessionId", "id")
			b.sessionTree(f, child, id)
			child.Drop("file", "childFile", "depth", "delegationDepth", "rootMainSessionId", "dir", "mainFile", "continuityIndex", "childCount", "totalDelegationDepth", "turnCount")
			if name := agent(child.Text("delegatedBy")); name != "" && !child.Has("subagentType") {
				child = with(child, "subagentType", name)
			}
			if !child.Has("parentSessionId") && parent != "" && name == "children" {
				child = with(child, "parentSessionId", parent)
			}
			b.trackSession(f, child)
		}
	}
}

// with is a record with what is left of another one, its id and one more field.
func with(r *Record, name, text string) *Record {
	fields := []Field{{"sessionId", Text(peek(r, "sessionId", "id"))}, {name, Text(text)}}
	r.Drop("sessionId", "id")
	return NewRecord(Value{Type: Object, Fields: append(fields, r.Rest()...)})
}

// continuity reads what HiveMind kept of its sessions over a restart, with what it had to tell them of delegations.
func (b *hivemind) continuity(f File, r *Record) {
	r.Drop("updatedAt")
	for _, s := range r.Records("sessions") {
		id := peek(s, "sessionId", "id")
		s.Drop("promptParams", "sessionId", "id")
		inner := s.Inner("metadata")
		if inner == nil {
			inner = NewRecord(Value{Type: Object})
		}
		for _, told := range inner.Records("pendingNotifications") {
			b.notice(f, told, id)
		}
		fields := append(s.Rest(), inner.Rest()...)
		b.trackSession(f, NewRecord(Value{Type: Object, Fields: append(fields, Field{"sessionId", Text(id)})}))
	}
}

// notice reads what a session was to be told of a delegation of it.
func (b *hivemind) notice(f File, r *Record, parent string) {
	b.read++
	about := r.Inner("metadata")
	if about == nil {
		about = NewRecord(Value{Type: Object})
	}
	h := handOver{
		file: f, id: about.Text("delegationId"), session: r.Text("sessionId"), parent: parent, to: r.Text("agent"), what: r.Text("description"),
		status: r.Text("status"), result: r.Text("resultPreview"), why: r.Text("error"),
	}
	h.created, _ = r.Take("createdAt")
	h.rest = append(r.Rest(), about.Rest()...)
	b.handed = append(b.handed, h)
}

// delegation reads one that names its sessions, or, as older ones do, its task.
func (b *hivemind) delegation(f File, r *Record) {
	if r.Has("taskId", "task") {
		b.Delegation(f, r)
		return
	}
	b.read++
	h := handOver{
		file: f, id: r.Text("id"), session: r.Text("childSessionId"), parent: r.Text("parentSessionId"), to: r.Text("agent", "toAgent"),
		what: r.Text("description", "title", "objective"), prompt: r.Text("prompt"), status: r.Text("status"), result: r.Text("result"), why: r.Text("error"),
	}
	h.created, _ = r.Take("createdAt")
	h.rest = r.Rest()
	b.handed = append(b.handed, h)
}

// contract reads what an agent undertook: a task of its own.
func (b *hivemind) contract(f File, r *Record) {
	scope, kept, owner := r.Inner("scope"), r.Inner("compaction"), r.Inner("owner")
	empty := NewRecord(Value{Type: Object})
	scope, kept, owner = cmp.Or(scope, empty), cmp.Or(kept, empty), cmp.Or(owner, empty)
	what := scope.Text("taskBoundary")
	title := or(kept.Text("briefing"), what)
	if title == "" {
		b.read++
		b.Leave(f, "contracts that do not say what is to be done", peek(r, "id"))
		return
	}
	d := b.Task(f, NewRecord(Value{Type: Object, Fields: []Field{
		{"title", Text(title)}, {"expectedOutput", Text(or(what, title))}, {"status", Text(r.Text("status"))},
		{"assignedTo", Text(owner.Text("agent"))}, {"created", Text(r.Text("createdAt"))},
	}}), r.Text("id"), b.delegated().ID, "")
	if d == nil {
		return
	}
	for _, part := range []*Record{r, scope, kept, owner} {
		for _, rest := range part.Rest() {
			d.Keep(rest.Name, rest.Value)
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
var colours = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]|\r") })

// handedTask makes the task of a hand-over. What still ran when HiveMind stopped does not run any more.
func (b *hivemind) handedTask(h handOver) *Draft {
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
	r := NewRecord(Value{Type: Object, Fields: []Field{
		{"title", Text(h.what)}, {"status", Text(word)}, {"expectedOutput", Text(h.what)}, {"description", Text(h.prompt)}, {"notes", Text(result)},
		{"evidence", Text(Beginning(result, most))}, {"reason", Text(why)}, {"assignedTo", Text(h.to)}, {"created", h.created},
	}})
	d := b.Task(h.file, r, or(h.session, h.id), b.delegated().ID, "")
	if d != nil && state == resources.TaskActive {
		spec := Spec[resources.TaskSpec](d)
		spec.State, spec.PlanAhead = resources.TaskPlanned, true
		if word == state {
			d.Annotate("status", word)
		}
		b.Report.Note(&b.Report.Changed, "handed over, and its end is not told: planned, never proposed", d.ID)
	}
	return d
}

// handedOver makes the delegation of a task.
func (b *hivemind) handedOver(h handOver, task *Draft) {
	from := "main"
	if d := b.Find(resources.Sessions, h.parent); d != nil {
		from = or(Spec[resources.SessionSpec](d).Agent, from)
	}
	fields := append(h.rest, Field{"id", Text(or(h.id, h.session))}, Field{"taskId", Text(task.ID)}, Field{"fromAgent", Text(from)}, Field{"toAgent", Text(h.to)})
	fields = append(fields, Field{"status", Text(h.status)}, Field{"createdAt", h.created}, Field{"session", Text(h.session)}, Field{"parentSession", Text(h.parent)})
	b.Delegation(h.file, NewRecord(Value{Type: Object, Fields: fields}))
}
