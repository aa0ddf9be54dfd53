package hosts

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// OpenCode exchanges messages with the shim that runs inside OpenCode as a
// plugin (cmd/internal/agents/files/opencode/idumb.js). Each message is one
// JSON object in a line. The shim makes no decisions; it passes on the input of
// OpenCode's hooks.
type OpenCode struct{}

func (OpenCode) Name() string { return "opencode" }

// Traits implements Host. The client accepts context of any length. The packer
// limits the context to a share of the window; ContextLimit protects a real
// window if the configured one is too large.
func (OpenCode) Traits() Traits {
	return Traits{ToolPrefix: "idumb_", ContextLimit: 100_000, OneProcess: true}
}

// Headless implements Host. No headless run has been seen to end under the
// hooks.
func (OpenCode) Headless() Headless { return Headless{} }

// Origin implements Host. It returns false: subagents are sessions, and a
// session names its parent.
func (OpenCode) Origin(Event) (Origin, bool) { return Origin{}, false }

// Names of the hooks in the messages of the shim. The exported ones have no
// equivalent in another host, and are answered only in the lasting mode.
const (
	HookHello    = "hello"    // greeting of the shim
	HookSystem   = "system"   // the pack at the beginning of a session
	HookTail     = "tail"     // changes since the last request, and outputs to leave out
	HookExport   = "export"   // save a conversation, and return the text for its successor
	HookAdopt    = "adopt"    // a session that continues a split session
	HookSeen     = "seen"     // the user is still present
	HookAnswered = "answered" // the person answered a question of OpenCode about a call
	hookToolIn   = "tool.before"
	hookToolOut  = "tool.after"
	hookMessage  = "message"
	hookSession  = "session"
	hookCompact  = "compacting"
	hookSummary  = "compacted"
	hookIdle     = "idle"
	hookFinished = "deleted"
)

// Request is one line from the shim.
type Request struct {
	Object
	Hook string
}

// ReadRequest parses a line from the shim. It returns an error for a line that is not a JSON
// object or names no hook.
func ReadRequest(input []byte) (Request, error) {
	fields, err := ReadObject(input)
	if err != nil {
		return Request{}, err
	}
	in := Request{fields, fields.Text("hook")}
	if in.Hook == "" {
		return in, errors.New("the line names no hook")
	}
	return in, nil
}

func (OpenCode) Parse(input []byte) (Event, error) {
	in, err := ReadRequest(input)
	if err != nil {
		return Event{}, err
	}
	return in.Event()
}

// Event returns the event of the line, independent of the host. The type is
// Ignored for a hook that only OpenCode has.
func (in Request) Event() (Event, error) {
	e := Event{
		Host: OpenCode{}.Name(), Session: in.Text("session"), Parent: in.Text("parent"),
		Agent: in.Text("agent"), Cwd: in.Text("directory"), CallID: in.Text("call"),
	}
	child := e.Parent != ""
	switch in.Hook {
	case hookToolIn, hookToolOut:
		err := in.toolEvent(&e)
		return e, err
	case hookMessage:
		if e.Type = Prompt; child {
			e.Type = SubagentStart
		}
		e.Text = in.Text("text")
	case hookSession:
		if !child { // a subagent begins with its prompt
			e.Type, e.Resumed = SessionStart, in.Flag("resumed")
		}
	case hookSummary:
		e.Type, e.Compacted = SessionStart, true
	case hookCompact:
		e.Type = BeforeCompact
	case hookIdle:
		if e.Type = Stop; child {
			e.Type = SubagentStop
		}
		e.Text, e.Cancelled = in.Text("text"), in.Flag("cancelled")
		e.Waiting = in.Flag("ended") // ended by the person or by an error: an answer cannot continue it
		e.Tokens = in.Count("used")
	case HookSeen:
		if e.Text = in.Text("permission"); e.Text != "" {
			e.Type, e.WaitsFor = Waits, resources.WaitsForPermission
			e.Text += " " + strings.Join(textsOf(in.Object["patterns"]), ", ")
		}
	case hookFinished:
		e.Type = SessionEnd
	}
	return e, nil
}

// toolEvent fills in the effect and the outcome of a tool call. The exit code
// of a command is a number, or null if the command was stopped.
func (in Request) toolEvent(e *Event) error {
	e.Type = BeforeTool
	if in.Hook == hookToolOut {
		e.Type = AfterTool
		if exit, told := in.Object["exit"]; told {
			e.OutcomeUnknown = string(exit) == "null"
			e.Failed = !e.OutcomeUnknown && string(exit) != "0"
		}
	}
	tool := in.Text("tool")
	if tool == "" {
		return errors.New("the line names no tool")
	}
	args := in.Object.Object("args")
	opencodeTools.describe(e, tool, args)
	if e.Type == BeforeTool {
		refineQuestion(e, openCodeQuestions)
	}
	if e.Failed {
		e.Output = in.Text("output")
	} else if e.Type == AfterTool {
		e.Output = failedOutput(*e, in.Object["output"])
		e.Printed = outputEnd(in.Text("printed"))
	}
	if e.Type == AfterTool && !e.Failed {
		e.Todos = todoChange(tool, in.Object, nil)
	}
	_, told := in.Object["args"]
	e.AnswerIgnored = e.Type == AfterTool && !told // the shim omits the arguments if it does not wait for an answer
	if in.Flag("created") {
		e.Created = e.Paths
	}
	if dir := args.Text("workdir"); dir != "" && opencodeTools.rowOf(tool).action == admission.Shell { // the folder in which the command runs
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(e.Cwd, dir)
		}
		e.Cwd = dir
	}
	return nil
}

// opencodeTools is the table of OpenCode's tools. The name of an MCP tool is
// SERVER_TOOL.
var opencodeTools = toolbox{
	ownPatterns: []string{"idumb_*"}, server: "*_",
	table: []toolRow{
		{"write", admission.Write, []string{"filePath"}, ""},
		{"edit", admission.Write, []string{"filePath"}, ""},
		{"multiedit", admission.Write, []string{"filePath"}, ""},
		{"apply_patch", admission.Write, nil, "patchText"},
		{"patch", admission.Write, nil, "patchText"},
		{"bash", admission.Shell, nil, ""},
		{"shell", admission.Shell, nil, ""},
		{"task", admission.Delegate, []string{"subagent_type", "prompt"}, ""},
		{"read", admission.Read, []string{"filePath"}, ""},
		{"grep", admission.Read, nil, ""},
		{"glob", admission.Read, nil, ""},
		{"list", admission.Read, nil, ""},
		{"lsp*", admission.Read, nil, ""},
		{"skill", admission.Read, nil, ""}, // the text of a skill; its commands are calls of the agent
		{"webfetch", admission.Other, nil, ""},
		{"websearch", admission.Other, nil, ""},
		{"question", admission.Ask, nil, ""},
		{"todowrite", admission.Ask, nil, ""},
		{"todoread", admission.Ask, nil, ""},
		{"plan_enter", admission.Ask, nil, ""},
		{"plan_exit", admission.Ask, nil, ""},
		{"invalid", admission.Ask, nil, ""}, // the name for an unknown tool
	},
}

// GuessGate reports whether a line contains the name of the hook before a tool. It also works on a
// line that cannot be parsed.
func (OpenCode) GuessGate(input []byte) bool {
	return strings.Contains(string(input), hookToolIn)
}

// Reply is a line to the shim. An omitted field has no effect.
type Reply struct {
	ID       json.RawMessage `json:"id,omitempty"`      // id of the answered line
	Mode     string          `json:"mode,omitempty"`    // enforce, log or off; empty if the repository is not governed
	Name     string          `json:"name,omitempty"`    // name of the session's record
	Reads    *bool           `json:"reads,omitempty"`   // whether the shim must send the session's reads too
	Deny     string          `json:"deny,omitempty"`    // the reason, to the agent
	Note     string          `json:"note,omitempty"`    // to the agent, with the tool's result
	Output   string          `json:"output,omitempty"`  // to the agent, in place of the tool's result
	System   string          `json:"system,omitempty"`  // the pack at the beginning of the session
	Tail     string          `json:"tail,omitempty"`    // the text for the end of the conversation
	Context  []string        `json:"context,omitempty"` // for the author of the summary
	Summary  string          `json:"summary,omitempty"` // the text to append to the summary
	Hold     string          `json:"hold,omitempty"`    // do not stop yet, with the reason
	Pruned   []PrunedOutput  `json:"pruned,omitempty"`  // outputs to leave out
	SplitAt  int             `json:"splitAt,omitempty"` // percent of the window
	Window   int             `json:"window,omitempty"`  // tokens in it, as configured
	File     string          `json:"file,omitempty"`    // the saved file, relative to the repository root
	Toasts   []Toast         `json:"toasts,omitempty"`  // for the person
	Problem  string          `json:"problem,omitempty"` // why the request has no answer
	Governed bool            `json:"governed,omitempty"`
}

// PrunedOutput is a tool output to leave out of the model's input.
type PrunedOutput struct {
	Call string `json:"call"`
	Note string `json:"note"` // the text that replaces it
}

// Toast is one short message to the person.
type Toast struct {
	Message string `json:"message"`
	Variant string `json:"variant"` // info, success, warning, error
}

// Encode returns the line with an answer, or nil if the answer has no effect.
func (OpenCode) Encode(e Event, a Answer) []byte {
	if line := Line(ReplyTo(e, a)); string(line) != "{}\n" {
		return line
	}
	return nil
}

// ReplyTo converts an answer to the wire format.
func ReplyTo(e Event, a Answer) *Reply {
	r := &Reply{}
	switch e.Type {
	case BeforeTool:
		r.Deny, r.Note = a.Deny, a.Context
		if a.Deny != "" {
			r.Toasts = append(r.Toasts, Toast{firstSentence(a.Deny), "warning"})
		}
	case AfterTool:
		r.Output, r.Note = a.LateReason, a.Context
	case BeforeCompact:
		if a.Context != "" {
			r.Context, r.Summary = []string{a.Context}, a.Context
		}
	case Stop:
		r.Hold = a.Hold
	case Prompt, SessionStart, SubagentStart:
		r.System = a.Context
	}
	if a.Notice != "" {
		r.Toasts = append(r.Toasts, Toast{a.Notice, "info"})
	}
	return r
}

// firstSentence returns the WHAT part of a denial, which is one line.
func firstSentence(reason string) string {
	_, rest, _ := strings.Cut(reason, "WHAT: ")
	what, _, _ := strings.Cut(rest, "\n")
	return what
}
