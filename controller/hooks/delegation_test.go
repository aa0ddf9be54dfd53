package hooks

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/queue"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// house is a repository in which agents hand work to each other.
type house struct {
	t    *testing.T
	root layout.Root
	now  time.Time
}

// trusting is an environment of somebody who trusts the repository.
func trusting(root layout.Root) environment { return environment{trust.Variable + "=" + string(root)} }

func newHouse(t *testing.T) *house {
	h := &house{t, layout.Root(t.TempDir()), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	require.NoError(t, os.Mkdir(h.root.Abs(layout.Dir), 0o755))
	h.file("workplans/p", `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`)
	h.file("roles/executor", `{"spec": {"agents": ["general-*", "idumb-executor"]}}`)
	h.file("roles/investigator", `{"spec": {"agents": ["Explore"]}}`)
	for _, task := range []string{"a", "b", "c"} {
		h.file("tasks/"+task, `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "assignedTo": "executor"}}`)
	}
	return h
}

func (h *house) file(name, text string) {
	require.NoError(h.t, h.root.Replace(".idumb/"+name+".json", []byte(text)))
}

func (h *house) hand(name, task, to, more string) {
	h.file("delegations/"+name, `{"spec": {"task": "`+task+`", "from": "coordinator", "to": "`+to+`"`+more+`}}`)
}

// run answers an event a second after the one before.
func (h *house) run(e hosts.Event) hosts.Answer {
	h.now = h.now.Add(time.Second)
	e.Cwd = string(h.root)
	if e.Host == "" {
		e.Host = "claude"
	}
	defer h.drain()
	return (&handler{repo: openPacking(h.root, trusting(h.root), h.now), event: e, limit: 10000}).handle()
}

// drain carries out what hooks have queued, as a controller does.
func (h *house) drain() {
	if _, err := os.Lstat(h.root.Abs(queue.File)); err != nil {
		return
	}
	files, err := filestore.Open(string(h.root))
	require.NoError(h.t, err)
	d := queue.Worker{Root: h.root, Acts: acts.All(), Repo: mutate.Open(files, func() time.Time { return h.now }, false), Now: time.Now, Tell: func(_, verb, reason string) {
		assert.Empty(h.t, reason, verb)
	}}
	_, err = d.Drain(h.t.Context())
	require.NoError(h.t, err)
}

func (h *house) session(name string) resources.SessionSpec {
	s, ok := openPacking(h.root, trusting(h.root), h.now).Session(name)
	if !ok {
		return resources.SessionSpec{}
	}
	return s.Spec
}

// spawn is a call that starts a subagent, from the main agent or from a subagent.
func (h *house) spawn(by, call, agent, prompt string) {
	from := ""
	if by != "" {
		from = "general-purpose"
	}
	answer := h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Subagent: by, Agent: from, Tool: "Agent", CallID: call, Action: admission.Delegate, DelegateTo: agent, Text: prompt})
	require.Empty(h.t, answer.Deny)
}

// starts is a subagent's beginning, of which Claude Code says no more.
func (h *house) starts(id, agent string) {
	h.run(hosts.Event{Type: hosts.SubagentStart, Session: "s", Subagent: id, Agent: agent})
}

func (h *house) transcript() string { return filepath.Join(string(h.root), "log", "s.jsonl") }

// meta is what Claude Code writes before a subagent's first call.
func (h *house) meta(id, call, parent string) {
	file := filepath.Join(string(h.root), "log", "s", "subagents", "agent-"+id+".meta.json")
	require.NoError(h.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(h.t, os.WriteFile(file, []byte(`{"agentType":"general-purpose","toolUseId":"`+call+`","parentAgentId":"`+parent+`"}`), 0o600))
}

// writes is a subagent's call of the write tool.
func (h *house) writes(id, agent string) hosts.Answer {
	return h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Subagent: id, Agent: agent, Transcript: h.transcript(), Tool: "Write", Action: admission.Write, Paths: []string{"src/" + id}})
}

func TestATagInThePromptBinds(t *testing.T) {
	h := newHouse(t)
	h.hand("d1", "a", "executor", "")
	h.hand("d2", "b", "executor", "")
	h.spawn("", "call-1", "general-purpose", "You work under delegation/d2. Begin.")
	h.starts("x", "general-purpose")
	got := h.session("s.x")
	assert.Equal(t, "d2", got.Delegation)
	assert.Equal(t, "b", got.ActiveTask)
	assert.Equal(t, "s", got.Parent)
	assert.Empty(t, h.writes("x", "general-purpose").Deny)
}

// OpenCode gives a subagent a session of its own, and tells its prompt.
func TestATagInTheSubagentsOwnPromptBinds(t *testing.T) {
	h := newHouse(t)
	h.hand("d1", "a", "executor", "")
	h.hand("d2", "b", "executor", "")
	h.run(hosts.Event{Host: "opencode", Type: hosts.SubagentStart, Session: "ses_child", Parent: "ses_main", Agent: "general-1", Text: "delegation/d1: go"})
	got := h.session(resources.NameOfID("ses_child"))
	assert.Equal(t, "d1", got.Delegation)
	assert.Equal(t, resources.NameOfID("ses_main"), got.Parent)
}

// Two subagents of one kind start at once: at their starts nobody can tell which is
// which, at their first calls the host has said it.
func TestTwoAtOnceGetTheirOwn(t *testing.T) {
	h := newHouse(t)
	h.hand("d1", "a", "executor", "")
	h.hand("d2", "b", "executor", "")
	h.spawn("", "call-1", "general-purpose", "delegation/d1")
	h.spawn("", "call-2", "general-purpose", "delegation/d2")
	h.starts("x", "general-purpose")
	h.starts("y", "general-purpose")
	assert.Empty(t, h.session("s.x").Delegation, "no guess")
	h.meta("x", "call-2", "")
	h.meta("y", "call-1", "")
	assert.Empty(t, h.writes("x", "general-purpose").Deny)
	assert.Empty(t, h.writes("y", "general-purpose").Deny)
	assert.Equal(t, "d2", h.session("s.x").Delegation)
	assert.Equal(t, "d1", h.session("s.y").Delegation)
}

// Where a subagent's prompt is told at its start, it says which of the calls was meant.
func TestTwoAtOnceAreToldApartByTheirPrompts(t *testing.T) {
	h := newHouse(t)
	for _, task := range []string{"a", "b"} {
		h.hand("d-"+task, task, "executor", "")
		h.run(hosts.Event{Host: "opencode", Type: hosts.BeforeTool, Session: "ses_main", Agent: "build", Tool: "task", CallID: "call-" + task,
			Action: admission.Delegate, DelegateTo: "general-1", Text: "delegation/d-" + task + ": go"})
	}
	for _, task := range []string{"b", "a"} {
		h.run(hosts.Event{Host: "opencode", Type: hosts.SubagentStart, Session: "ses_" + task, Parent: "ses_main", Agent: "general-1", Text: "delegation/d-" + task + ": go"})
	}
	for _, task := range []string{"a", "b"} {
		got := h.session(resources.NameOfID("ses_" + task))
		assert.Equal(t, "d-"+task, got.Delegation)
		assert.Equal(t, task, got.ActiveTask)
	}
}

// Codex starts subagents of one type only, and tells the name that the call gave one.
func TestTwoAtOnceAreToldApartByTheirNames(t *testing.T) {
	h := newHouse(t)
	for _, task := range []string{"a", "b"} {
		h.hand("d-"+task, task, "executor", "")
		h.run(hosts.Event{Host: "codex", Type: hosts.BeforeTool, Session: "s", Tool: "collaborationspawn_agent", CallID: "call-" + task,
			Action: admission.Delegate, DelegateTo: "default", DelegateName: "part_" + task, Text: "delegation/d-" + task})
	}
	for _, task := range []string{"b", "a"} {
		record := filepath.Join(string(h.root), task+".jsonl")
		line := `{"payload":{"id":"sub-` + task + `","parent_thread_id":"s","agent_path":"/root/part_` + task + `"}}` + "\n"
		require.NoError(t, os.WriteFile(record, []byte(line), 0o600))
		h.run(hosts.Event{Host: "codex", Type: hosts.SubagentStart, Session: "s", Subagent: "sub-" + task, Agent: "default", Transcript: record})
		assert.Equal(t, "d-"+task, h.session("s.sub-"+task).Delegation)
	}
}

func TestTheOneThatIsAddressedBinds(t *testing.T) {
	for name, tc := range map[string]struct {
		given func(*house)
		agent string
		want  string
	}{
		"to its role": {func(h *house) { h.hand("d1", "a", "executor", "") }, "idumb-executor", "d1"},
		"to the role of an agent that may do anything": {func(h *house) { h.hand("d1", "a", "executor", "") }, "general-purpose", ""},
		"to an agent that was started for something else": {func(h *house) {
			h.hand("d1", "a", "executor", "")
			h.spawn("", "call-1", "general-purpose", "Find out why the build is slow.")
		}, "general-purpose", ""},
		"its task is named": {func(h *house) {
			h.hand("d1", "a", "executor", "")
			h.hand("d2", "b", "executor", "")
			h.spawn("", "call-1", "general-purpose", "Do task/b.")
		}, "general-purpose", "d2"},
		"another task is named": {func(h *house) {
			h.hand("d1", "a", "executor", "")
			h.spawn("", "call-1", "idumb-executor", "Do task/b.")
		}, "idumb-executor", ""},
		"to itself":                      {func(h *house) { h.hand("d1", "a", "helper", "") }, "helper", "d1"},
		"to another role":                {func(h *house) { h.hand("d1", "a", "executor", "") }, "Explore", ""},
		"to an agent that no role names": {func(h *house) { h.hand("d1", "a", "helper", "") }, "general-purpose", ""},
		"two of them":                    {func(h *house) { h.hand("d1", "a", "executor", ""); h.hand("d2", "b", "executor", "") }, "idumb-executor", ""},
		"two, of which one is recalled": {func(h *house) {
			h.hand("d1", "a", "executor", `,"state":"recalled"`)
			h.hand("d2", "b", "executor", "")
		}, "idumb-executor", "d2"},
		"two, of which one is another session's": {func(h *house) { h.hand("d1", "a", "executor", ""); h.hand("d2", "b", "executor", `,"session":"other"`) }, "idumb-executor", "d1"},
		"one that names this session":            {func(h *house) { h.hand("d1", "a", "executor", `,"session":"s.x"`) }, "general-purpose", "d1"},
		"its task is over": {func(h *house) {
			h.hand("d1", "a", "executor", "")
			h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "failed", "reason": "r"}}`)
		}, "idumb-executor", ""},
		"somebody else works under it": {func(h *house) {
			h.hand("d1", "a", "executor", "")
			h.starts("y", "idumb-executor")
		}, "idumb-executor", ""},
		"somebody else worked under it": {func(h *house) {
			h.hand("d1", "a", "executor", "")
			h.starts("y", "idumb-executor")
			h.run(hosts.Event{Type: hosts.SubagentStop, Session: "s", Subagent: "y", Agent: "idumb-executor"})
		}, "idumb-executor", "d1"},
		"a tag for another role": {func(h *house) {
			h.hand("d1", "a", "executor", "")
			h.spawn("", "call-1", "Explore", "look at what d1 has come to")
		}, "Explore", ""},
		"a tag that names nothing": {func(h *house) {
			h.hand("d1", "a", "executor", "")
			h.spawn("", "call-1", "idumb-executor", "delegation/none")
		}, "idumb-executor", ""},
		"none at all": {func(*house) {}, "general-purpose", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			tc.given(h)
			h.starts("x", tc.agent)
			assert.Equal(t, tc.want, h.session("s.x").Delegation)
		})
	}
}

// What a nested subagent is told of is its parent's session's id; who really started
// it the host writes down.
func TestDraftPlanBindsNobody(t *testing.T) {
	h := newHouse(t)
	h.file("workplans/p", `{"spec": {"title": "t", "acceptance": ["a"], "state": "draft"}}`)
	h.hand("d1", "a", "executor", "")
	h.starts("x", "idumb-executor")
	assert.Empty(t, h.session("s.x").Delegation)
	h.file("workplans/p", `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`)
	h.starts("y", "idumb-executor")
	assert.Equal(t, "d1", h.session("s.y").Delegation)
}

func TestNestedSubagentsFormAChain(t *testing.T) {
	h := newHouse(t)
	h.spawn("", "call-1", "general-purpose", "go")
	h.starts("x", "general-purpose")
	h.spawn("x", "call-2", "general-purpose", "go on")
	h.starts("y", "general-purpose")
	assert.Equal(t, "s.x", h.session("s.y").Parent)
	h.meta("z", "call-3", "y")
	h.writes("z", "general-purpose")
	assert.Equal(t, "s.y", h.session("s.z").Parent, "by the host's word alone")
}

// The prompt in a call is that of the subagent which it starts, not of the caller.
func TestTheTagIsForTheOneThatIsStarted(t *testing.T) {
	h := newHouse(t)
	h.hand("d1", "a", "executor", "")
	h.hand("d2", "b", "executor", "")
	h.spawn("x", "call-1", "general-purpose", "delegation/d1")
	assert.Empty(t, h.session("s.x").Delegation)
}

func TestRecallStopsTheNextCall(t *testing.T) {
	h := newHouse(t)
	h.hand("d1", "a", "executor", `,"allowedTools":["write"]`)
	h.starts("x", "idumb-executor")
	assert.Empty(t, h.writes("x", "idumb-executor").Deny)
	bash := hosts.Event{Type: hosts.BeforeTool, Session: "s", Subagent: "x", Agent: "idumb-executor", Tool: "Bash", Action: admission.Shell, Command: "ls"}
	assert.Contains(t, h.run(bash).Deny, `does not allow that tool`)
	h.hand("d1", "a", "executor", `,"state":"recalled"`)
	assert.Contains(t, h.writes("x", "idumb-executor").Deny, "was recalled")
	assert.Contains(t, h.run(bash).Deny, "was recalled")
	bash.Action = admission.Governance
	for _, line := range []string{
		"idumb fail a --reason recalled", "idumb complete a --evidence done", "idumb start a", "idumb start task/b", "idumb submit a", "idumb abandon a --reason x",
		"idumb run --complete a -- go test", "idumb patch task a -p '{}'", "idumb create delegation --task a --to executor", "idumb delegation revoke d1 --to executor",
		"idumb apply -f plan.yaml", "idumb focus p",
	} {
		bash.Command = line
		assert.Contains(t, h.run(bash).Deny, "was recalled", line)
	}
	for _, line := range []string{"idumb status", "idumb describe task a", `idumb comment task/a "half of it is there"`, `idumb mem save --content "x is slow"`} {
		bash.Command = line
		assert.Empty(t, h.run(bash).Deny, line)
	}
	assert.Equal(t, "d1", h.session("s.x").Delegation)
}

// A subagent is not started with the tag of another role's delegation: the denial names the agent that it is for.
func TestATagForAnotherRoleIsRefused(t *testing.T) {
	h := newHouse(t)
	h.file("roles/investigator", `{"spec": {"agents": ["Explore", "idumb-investigator"]}}`)
	h.hand("look", "a", "investigator", "")
	h.hand("build", "b", "executor", "")
	start := func(agent, prompt string) string {
		return h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Agent", CallID: "c", Action: admission.Delegate, DelegateTo: agent, Text: prompt}).Deny
	}
	denied := start("idumb-executor", "delegation/look")
	assert.Contains(t, denied, `addressed to "investigator"`)
	assert.Contains(t, denied, `USE INSTEAD: Start the agent "idumb-investigator" with delegation/look in its prompt.`)
	assert.Empty(t, start("idumb-investigator", "delegation/look"), "as the denial says")
	assert.Empty(t, start("Explore", "delegation/look"), "an agent of that role")
	assert.Empty(t, start("idumb-executor", "delegation/build, after what delegation/look found"), "one of them is its own")
	assert.Empty(t, start("stranger", "delegation/look"), "the delegation gives it the role")
	h.hand("look", "a", "investigator", `,"state":"recalled"`)
	assert.Empty(t, start("idumb-executor", "delegation/look"), "it is over")
}

// A session without a parent neither looks for a delegation nor leaves a trace of it.
func TestTheMainAgentIsNotBound(t *testing.T) {
	h := newHouse(t)
	h.hand("d1", "a", "executor", "")
	h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Agent: "general-purpose", Tool: "Write", Action: admission.Write, Paths: []string{"a"}})
	assert.Empty(t, h.session("s").Delegation)
	assert.NoFileExists(t, h.root.Abs(layout.HookDir+"/"+bindingLock+".lock"))
}
