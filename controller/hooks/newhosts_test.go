package hooks

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// copilotAnswer is all that Copilot may be answered.
type copilotAnswer struct {
	Permission       string `json:"permissionDecision"`
	PermissionReason string `json:"permissionDecisionReason"`
	Decision         string `json:"decision"`
	Reason           string `json:"reason"`
	Context          string `json:"additionalContext"`
}

func FuzzCopilotInput(f *testing.F) {
	for _, input := range sentLines(f, "copilot-1.0.102.jsonl") {
		f.Add([]byte(input))
	}
	f.Add([]byte(`{"sessionId":"s","toolName":"create","toolArgs":"{\"path\":\"a\"}"}`))
	f.Add([]byte(`{"sessionId":"s","toolName":"create","toolArgs":`))
	f.Add([]byte(`{"hook_event_name":"PreToolUse"`))
	fuzzHost(f, "copilot", func(t *testing.T, out copilotAnswer) {
		assert.Contains(t, []string{"", "deny"}, out.Permission)
		assert.Equal(t, out.Permission == "deny", out.PermissionReason != "")
		assert.Contains(t, []string{"", "block"}, out.Decision)
	})
}

func FuzzGeminiInput(f *testing.F) {
	for _, input := range sentLines(f, "gemini-0.61.0.jsonl") {
		f.Add([]byte(input))
	}
	f.Add([]byte(`{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"a'b"}}`))
	f.Add([]byte(`{"hook_event_name":"BeforeTool"`))
	fuzzHost(f, "gemini", func(t *testing.T, out hostAnswer) {
		assert.Contains(t, []string{"", "deny"}, out.Decision, "the client hangs if it is to ask")
		if out.Specific != nil {
			assert.Empty(t, out.Specific.Decision)
			assert.NotEmpty(t, out.Specific.Context)
		}
	})
}

// TestAFailureOfTheHookDeniesOnlyByAnAnswer: Copilot denies a call without the reason if the hook fails, so the
// hook never fails, and denies in its answer what it cannot read.
func TestAFailureOfTheHookDeniesOnlyByAnAnswer(t *testing.T) {
	h := newHouse(t)
	run := func(host, input, mode string) (code int, stdout string) {
		var out, errs bytes.Buffer
		env := []string{"HOME=" + string(h.root), "IDUMB_ENFORCE=" + mode}
		code = Main([]string{host}, strings.NewReader(input), &out, &errs, env, time.Now(), nil)
		return code, out.String()
	}
	t.Chdir(string(h.root))
	const torn = `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_in`
	code, out := run("copilot", torn, "enforce")
	assert.Zero(t, code)
	assert.Contains(t, out, `"permissionDecision":"deny"`)
	assert.Contains(t, out, "cannot read")
	for _, input := range []string{torn, `{"hook_event_name":"PostToolUse","tool_name`} {
		code, out = run("copilot", input, "log")
		assert.Zero(t, code)
		assert.Empty(t, out)
	}
	for _, nameless := range []string{`{"hook_event_name":"PreToolUse","session_id":"s","tool_input":{"path":"a"}}`, `{"sessionId":"s","timestamp":1,"toolArgs":"{\"path\":\"a\"}"}`} {
		code, out = run("copilot", nameless, "enforce")
		assert.Zero(t, code)
		assert.Contains(t, out, `"permissionDecision":"deny"`)
		assert.Regexp(t, "the event has no (tool_name|hook_event_name); governance cannot judge the call", out)
	}
	for _, other := range []string{`{"hook_event_name":"PostToolUse","session_id":"s","tool_result":{}}`, `{"sessionId":"s","timestamp":1}`} {
		code, out = run("copilot", other, "enforce")
		assert.Zero(t, code)
		assert.Empty(t, out, "nothing is to be decided")
	}
	code, out = run("gemini", `{"hook_event_name":"BeforeTool","tool_name":"write_file","tool_in`, "enforce")
	assert.Equal(t, 2, code, "the client reads the reason from standard error")
	assert.Empty(t, out)
}

// TestOneAnswerToTwoEntries: Copilot runs the entry of Claude Code too, which says nothing.
func TestOneAnswerToTwoEntries(t *testing.T) {
	h := newHouse(t)
	inputs := sentLines(t, "copilot-1.0.102.jsonl")
	t.Chdir(string(h.root))
	for _, input := range inputs {
		var out, errs bytes.Buffer
		code := Main([]string{"claude"}, strings.NewReader(input), &out, &errs, []string{"HOME=" + string(h.root), "COPILOT_CLI=1"}, time.Now(), nil)
		assert.Zero(t, code, input)
		assert.Empty(t, out.String()+errs.String(), input)
	}
}

// TestARunningSubagentThatIsNotToldApart: its calls have the rights of its role, and of the stricter role while two
// run.
func TestARunningSubagentThatIsNotToldApart(t *testing.T) {
	h := chainedHouse(t)
	h.now = time.Now()
	h.file("roles/investigator", `{"spec": {"agents": ["codebase_investigator"], "paths": {"deny": ["**"]}}}`)
	h.file("roles/executor", `{"spec": {"agents": ["generalist"]}}`)
	event := func(kind hosts.EventType, tool string, action admission.Action, to string) hosts.Answer {
		e := hosts.Event{Type: kind, Host: "gemini", Session: "s", Tool: tool, Action: action, DelegateTo: to}
		if action == admission.Write {
			e.Paths = []string{"a.txt"}
		}
		return h.run(e)
	}
	writes := func() string { return event(hosts.BeforeTool, "write_file", admission.Write, "").Deny }
	agent := func(kind hosts.EventType, name string) { event(kind, "invoke_agent", admission.Delegate, name) }

	agent(hosts.BeforeTool, "generalist")
	assert.Empty(t, writes())
	agent(hosts.BeforeTool, "codebase_investigator")
	assert.Contains(t, writes(), `"investigator"`)
	assert.Empty(t, h.run(hosts.Event{Type: hosts.BeforeTool, Host: "gemini", Session: "s", Tool: "mcp_idumb_govern_task", Action: admission.Governance, Own: true, Args: hosts.Object{"action": []byte(`"next"`)}}).Deny)
	who, found := callers.Take(h.root, callers.CallID("govern_task", hosts.Object{"action": []byte(`"next"`)}))
	assert.True(t, found)
	assert.Equal(t, "codebase_investigator", who.Agent)
	assert.Equal(t, "s", who.Session)
	agent(hosts.AfterTool, "codebase_investigator")
	assert.Empty(t, writes())
	agent(hosts.BeforeTool, "codebase_investigator")
	h.run(hosts.Event{Type: hosts.Prompt, Host: "gemini", Session: "s", Text: "go on"})
	assert.Empty(t, writes(), "a prompt ends a turn that the person stopped")
}

// TestContextBeforeACallComesAfterIt: Gemini CLI drops context in the answer before a call.
func TestContextBeforeACallComesAfterIt(t *testing.T) {
	h := newHouse(t)
	answer := (&handler{repo: openPacking(h.root, trusting(h.root), h.now), event: hosts.Event{Type: hosts.BeforeTool, Host: "gemini", Session: "s"}}).postponed(hosts.Answer{Context: "FILE a: one\n"})
	assert.Empty(t, answer.Context)
	answer = h.run(hosts.Event{Type: hosts.AfterTool, Host: "gemini", Session: "s", Tool: "read_file", Action: admission.Read})
	assert.Contains(t, answer.Context, "FILE a: one\n")
	answer = h.run(hosts.Event{Type: hosts.AfterTool, Host: "gemini", Session: "s", Tool: "read_file", Action: admission.Read})
	assert.NotContains(t, answer.Context, "FILE a: one\n")
}

// TestACompactionWithoutAnEvent: the context that the compaction drops comes again with the next result.
func TestACompactionWithoutAnEvent(t *testing.T) {
	h := chainedHouse(t)
	start := hosts.Event{Type: hosts.SessionStart, Host: "copilot", Session: "s", AfterPrompt: true}
	read := hosts.Event{Type: hosts.AfterTool, Host: "copilot", Session: "s", Tool: "view", Action: admission.Read}
	assert.Contains(t, h.run(start).Context, "<idumb_context>")
	assert.NotContains(t, h.run(read).Context, "<idumb_context>")
	assert.Empty(t, h.run(hosts.Event{Type: hosts.BeforeCompact, Host: "copilot", Session: "s"}).Context)
	assert.Contains(t, h.run(read).Context, "<idumb_context>")
	assert.NotContains(t, h.run(read).Context, "<idumb_context>", "once")
	assert.Equal(t, 1, h.session("s").Counters.Compactions)

	h.run(hosts.Event{Type: hosts.BeforeCompact, Host: "copilot", Session: "s"})
	h.run(hosts.Event{Type: hosts.Stop, Host: "copilot", Session: "s", Text: "Done."})
	assert.Contains(t, h.run(hosts.Event{Type: hosts.Prompt, Host: "copilot", Session: "s", Text: "go on"}).Context, "<idumb_context>")
}

// TestThePromptComesFirst: Copilot sends the first prompt and the start of the session in any order.
func TestThePromptComesFirst(t *testing.T) {
	h := chainedHouse(t)
	first := h.run(hosts.Event{Type: hosts.Prompt, Host: "copilot", Session: "s", Text: "dig the bed"}).Context
	assert.Contains(t, first, "<idumb_context>")
	assert.Empty(t, h.run(hosts.Event{Type: hosts.SessionStart, Host: "copilot", Session: "s", AfterPrompt: true}).Context)
	assert.Equal(t, "working", h.session("s").State)
	assert.Contains(t, h.run(hosts.Event{Type: hosts.SessionStart, Host: "copilot", Session: "s", Resumed: true, Forgot: true}).Context, "<idumb_context>")
}

// TestTheReasonForNotStoppingIsNoPrompt: some hosts send it as a prompt, and hold the agent as often as the hook says.
func TestTheReasonForNotStoppingIsNoPrompt(t *testing.T) {
	for _, host := range []string{"copilot", "gemini"} {
		h := chainedHouse(t)
		h.run(hosts.Event{Type: hosts.Prompt, Host: host, Session: "s", Text: "dig"})
		h.run(hosts.Event{Type: hosts.BeforeTool, Host: host, Session: "s", Tool: "x", Action: admission.Write, Paths: []string{"a.txt"}})
		h.run(hosts.Event{Type: hosts.AfterTool, Host: host, Session: "s", Tool: "x", Action: admission.Write, Paths: []string{"a.txt"}})
		stop := hosts.Event{Type: hosts.Stop, Host: host, Session: "s", Text: "All is done."}
		hold := h.run(stop).Hold
		require.NotEmpty(t, hold)
		assert.Empty(t, h.run(hosts.Event{Type: hosts.Prompt, Host: host, Session: "s", Text: hold}))
		assert.Empty(t, h.run(stop).Hold)
		assert.Equal(t, 1, h.session("s").Counters.Turns)
	}
}
