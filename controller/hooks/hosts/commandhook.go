package hosts

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// commandHook is a host that runs a command for each event, with the JSON
// format of Claude Code, which further hosts use too. The fields hold what
// differs between these hosts.
type commandHook struct {
	name      string
	traits    Traits
	events    []eventRow // all events of the host
	tools     toolbox
	refine    func(e *Event, in Object)    // adds host-specific data; may be nil
	record    func(e Event) (Origin, bool) // reads how a subagent was started; may be nil
	isForeign func(in Object) bool         // reports whether another host sent the event; may be nil
	rename    func(in Object) Object       // converts the names and forms of members to Claude Code's; may be nil
	answer    func(e Event, a Answer) any  // returns the answer in a form of its own, or nil; may be nil

	headless Headless
}

// eventRow is an event with the name that the host gives it.
type eventRow struct {
	name string
	kind EventType
}

// agentName returns the name of an agent. Some hosts and versions send the
// whole definition of the agent. In that case agentName returns the name in the
// definition.
func agentName(in Object, field string) string {
	definition := in.Object(field)
	return cmp.Or(in.Text(field), definition.Text("name"), definition.Text("id"))
}

func (h commandHook) Name() string { return h.name }

func (h commandHook) Traits() Traits { return h.traits }

// Headless implements Host.
func (h commandHook) Headless() Headless { return h.headless }

// kindOf returns the type of the event with a name, or false if the host has no
// such event.
func (h commandHook) kindOf(name string) (EventType, bool) {
	i := slices.IndexFunc(h.events, func(row eventRow) bool { return row.name == name })
	if i < 0 {
		return Ignored, false
	}
	return h.events[i].kind, true
}

// Parse implements Host. The event has no type if its name is not one of the host's events, or if
// another host runs the hook.
func (h commandHook) Parse(input []byte) (Event, error) {
	in, err := ReadObject(input)
	if err != nil {
		return Event{}, err
	}
	if h.rename != nil {
		in = h.rename(in)
	}
	e := Event{
		Host: h.name, Session: in.Text("session_id"), Subagent: agentName(in, "agent_id"),
		Agent: cmp.Or(agentName(in, "agent_type"), agentName(in, "agent")), // inside a subagent its type, else the type of the session
		Cwd:   in.Text("cwd"), Transcript: in.Text("transcript_path"), CallID: in.Text("tool_use_id"),
	}
	if h.isForeign != nil && h.isForeign(in) {
		return e, nil
	}
	name := in.Text("hook_event_name")
	if name == "" {
		return e, errors.New("the event has no hook_event_name")
	}
	e.Type, _ = h.kindOf(name)
	switch e.Type {
	case BeforeTool, AfterTool:
		e.Failed = strings.HasSuffix(name, failureSuffix)
		tool := in.Text("tool_name")
		if tool == "" {
			return e, errors.New("the event has no tool_name")
		}
		h.tools.describe(&e, tool, in.Object("tool_input"))
	case Waits:
		if tool := in.Text("tool_name"); tool != "" {
			h.tools.describe(&e, tool, in.Object("tool_input"))
			e.WaitsFor = resources.WaitsForPermission
		}
	case Prompt:
		e.Text = in.Text("prompt")
	case SessionStart:
		source := in.Text("source")
		e.Compacted, e.Resumed = source == "compact", source == "resume" || source == "fork"
	case Stop:
		e.Text = in.Text("last_assistant_message")
	}
	if h.refine != nil {
		h.refine(&e, in)
	}
	return e, nil
}

// Encode returns the answer in the format of the client. It asks, allows,
// refuses settings and adds text to a compaction only if the host supports
// that.
func (h commandHook) Encode(e Event, a Answer) []byte {
	if h.answer != nil {
		if out := h.answer(e, a); out != nil {
			return Line(out)
		}
		return nil
	}
	out := hookOutput{Notice: a.Notice}
	switch e.Type {
	case BeforeTool:
		out.decide(h.traits, e, a)
		if e.Skill && out.Specific != nil {
			out.Specific.Event = skillCommand
		}
	case AfterTool: // the reason is shown next to the result of the tool, or replaces it
		out.block(a.LateReason)
	case BeforeCompact: // plain text: all of it becomes part of the summary's instructions
		if !h.traits.KeepsInSummary {
			return nil
		}
		return []byte(a.Context)
	case Stop, SubagentStop:
		out.block(a.Hold)
		a.Context = ""
	case SettingsChange:
		if out.block(a.Refuse); a.Refuse == "" {
			return nil
		}
	case Prompt, SessionStart, SubagentStart:
	default:
		return nil
	}
	if a.Context != "" && out.Decision == "" {
		if out.Specific == nil {
			if e.Skill { // the event takes no context
				return nil
			}
			out.Specific = &hookAnswer{Event: h.answerName(e)}
		}
		out.Specific.Context = a.Context
	}
	if out == (hookOutput{}) {
		return nil
	}
	return Line(out)
}

// failureSuffix is the suffix of an event name that the host uses only for failed
// calls.
const failureSuffix = "Failure"

// answerName returns the event name for an answer. A client drops an answer with
// the name of another event.
func (h commandHook) answerName(e Event) string {
	name := h.events[slices.IndexFunc(h.events, func(row eventRow) bool { return row.kind == e.Type })].name
	if failed := (eventRow{name + failureSuffix, e.Type}); e.Failed && slices.Contains(h.events, failed) {
		return failed.name
	}
	return name
}

// hookOutput and hookAnswer are the answer in the format of these clients.
type hookOutput struct {
	Decision string      `json:"decision,omitempty"`
	Reason   string      `json:"reason,omitempty"`
	Notice   string      `json:"systemMessage,omitempty"` // to the person
	Specific *hookAnswer `json:"hookSpecificOutput,omitempty"`
}

// hookAnswer is the part of a hookOutput that depends on the event.
type hookAnswer struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
	Context  string `json:"additionalContext,omitempty"`
}

// decide answers whether a tool may run. A host that cannot ask its person
// accepts "allow" only together with a changed input.
func (o *hookOutput) decide(can Traits, e Event, a Answer) {
	decision, reason := "", ""
	switch {
	case a.Deny != "":
		decision, reason = "deny", a.Deny
	case a.Ask != "" && can.CanAsk:
		decision, reason = "ask", a.Ask
	case a.Allow && can.CanAsk && e.Action == admission.Governance && e.Own && !e.RunsCommand: // only the person may permit a command
		decision = "allow"
	default:
		return
	}
	o.Specific = &hookAnswer{Event: "PreToolUse", Decision: decision, Reason: reason}
}

// block prevents the event, or replaces the result of a call that has already
// run.
func (o *hookOutput) block(reason string) {
	if reason != "" {
		o.Decision, o.Reason = "block", reason
	}
}

// GuessGate reports whether invalid input may ask for a decision. The input
// then names the event of the gate, or it names no event but a tool. GuessGate
// returns false for calls that only read files or ask the person.
func (h commandHook) GuessGate(input []byte) bool {
	text := string(input)
	gate := slices.ContainsFunc(h.events, func(row eventRow) bool { return row.kind == BeforeTool && strings.Contains(text, row.name) })
	if event := findMember(text, "hook_event_name"); !gate && (event != "" || !strings.Contains(text, `"tool`)) {
		return false
	}
	switch h.tools.rowOf(cmp.Or(findMember(text, "tool_name"), findMember(text, "toolName"))).action {
	case admission.Read, admission.Ask:
		return false
	}
	return true
}

// findMember returns the value of a string member in text that may be invalid
// JSON. It returns an empty text if the member is not found.
func findMember(text, key string) string {
	_, rest, found := strings.Cut(text, `"`+key+`"`)
	rest, colon := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), ":")
	rest, quoted := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), `"`)
	value, _, closed := strings.Cut(rest, `"`)
	if !found || !colon || !quoted || !closed || strings.ContainsRune(value, '\\') {
		return ""
	}
	return value
}

// Origin reads the client's record of a subagent. It returns false if the client
// keeps none, or it cannot be read.
func (h commandHook) Origin(e Event) (Origin, bool) {
	if h.record == nil || e.Subagent == "" || e.Transcript == "" {
		return Origin{}, false
	}
	return h.record(e)
}

// maxRecord limits how much of a client's file is read, in bytes. Codex writes
// its instructions into the first line, so lines may be long.
const maxRecord = 1 << 20

// firstLine returns the first line of a regular file, or nil if it cannot be
// read. The file name comes from the host and is not trusted: reading a pipe
// would block the hook.
func firstLine(file string) []byte {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, maxRecord)).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil
	}
	return line
}
