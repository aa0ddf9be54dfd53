package hosts

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// OpenCode speaks with the shim that runs inside OpenCode as a plugin
// (cmd/internal/agents/files/opencode/idumb.js): one JSON object in a line each
// way. The shim decides nothing; it passes on what OpenCode's hooks are given.
type OpenCode struct{}

func (OpenCode) Name() string { return "opencode" }

// Traits: the client passes on everything. The ceiling is the packer's own, a share of the
// window; this keeps a window that is configured too large from filling a real one.
func (OpenCode) Traits() Traits { return Traits{Tools: "idumb_", ContextLimit: 100_000, Lasts: true} }

// Headless implements Host: a run of it was not seen to end under the hooks.
func (OpenCode) Headless() Headless { return Headless{} }

// Origin: sessions name their parents, and subagents are sessions of their own.
func (OpenCode) Origin(Event) (Origin, bool) { return Origin{}, false }

// Hooks of the wire, besides those that every host has. They are
// answered in the lasting mode only.
const (
	HookHello    = "hello"    // who is there?
	HookSystem   = "system"   // the pack that a session begins with
	HookTail     = "tail"     // what changed since, and what can be left out
	HookExport   = "export"   // keep a conversation, and say what its successor must know
	HookAdopt    = "adopt"    // a session that goes on where another one was split
	HookSeen     = "seen"     // somebody is still there
	HookAnswered = "answered" // the person answered a question of OpenCode's own about a call
	hookToolIn   = "tool.before"
	hookToolOut  = "tool.after"
	hookMessage  = "message"
	hookSession  = "session"
	hookCompact  = "compacting"
	hookSummary  = "compacted"
	hookIdle     = "idle"
	hookFinished = "deleted"
)

// Request is one line of the shim's.
type Request struct {
	Object
	Hook string
}

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

// Event is what the line tells, in no host's own words. A hook that no other host has is
// Ignored.
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
		e.Waiting = in.Flag("ended") // by the person or by an error: nothing holds that
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

// toolEvent fills in what a tool call does, and how it ended. A command's exit code
// is a number, or null where it was stopped.
func (in Request) toolEvent(e *Event) error {
	e.Type = BeforeTool
	if in.Hook == hookToolOut {
		e.Type = AfterTool
		if exit, told := in.Object["exit"]; told {
			e.Unsettled = string(exit) == "null"
			e.Failed = !e.Unsettled && string(exit) != "0"
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
		e.Printed = ending(in.Text("printed"))
	}
	_, told := in.Object["args"]
	e.Unheard = e.Type == AfterTool && !told // the shim leaves them out where it does not wait
	if in.Flag("created") {
		e.Created = e.Paths
	}
	if dir := args.Text("workdir"); dir != "" && opencodeTools.named(tool).action == admission.Shell { // where the command runs
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(e.Cwd, dir)
		}
		e.Cwd = dir
	}
	return nil
}

// opencodeTools are its tools. Those of MCP servers are called SERVER_TOOL.
var opencodeTools = toolbox{
	own: []string{"idumb_*"}, server: "*_",
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
		{"invalid", admission.Ask, nil, ""}, // what stands for a tool that there is not
	},
}

func (OpenCode) GuessGate(input []byte) bool {
	return strings.Contains(string(input), hookToolIn)
}

// Reply is a line to the shim. What is not there says nothing.
type Reply struct {
	ID       json.RawMessage `json:"id,omitempty"`      // of the line that it answers
	Mode     string          `json:"mode,omitempty"`    // enforce, log or off; "" where nothing is governed
	Name     string          `json:"name,omitempty"`    // of the session's record
	Reads    *bool           `json:"reads,omitempty"`   // whether the session's reads have to be asked about
	Deny     string          `json:"deny,omitempty"`    // the reason, to the agent
	Note     string          `json:"note,omitempty"`    // to the agent, with the tool's result
	Output   string          `json:"output,omitempty"`  // to the agent, in place of the tool's result
	System   string          `json:"system,omitempty"`  // the pack that the session begins with
	Tail     string          `json:"tail,omitempty"`    // what to put at the end of the conversation
	Context  []string        `json:"context,omitempty"` // for whoever writes the summary
	Summary  string          `json:"summary,omitempty"` // what to put below the summary
	Hold     string          `json:"hold,omitempty"`    // do not stop yet, and why
	Pruned   []PrunedOutput  `json:"pruned,omitempty"`  // outputs to leave out
	SplitAt  int             `json:"splitAt,omitempty"` // percent of the window
	Window   int             `json:"window,omitempty"`  // tokens in it, as configured
	File     string          `json:"file,omitempty"`    // where something was kept, from the repository's root
	Toasts   []Toast         `json:"toasts,omitempty"`  // for the person
	Problem  string          `json:"problem,omitempty"` // why there is no answer
	Governed bool            `json:"governed,omitempty"`
}

// PrunedOutput is a tool's output that is to be left out of what the model is sent.
type PrunedOutput struct {
	Call string `json:"call"`
	Note string `json:"note"` // what stands in its place
}

// Toast is one short message to the person.
type Toast struct {
	Message string `json:"message"`
	Variant string `json:"variant"` // info, success, warning, error
}

func (OpenCode) Encode(e Event, a Answer) []byte {
	if line := Line(ReplyTo(e, a)); string(line) != "{}\n" {
		return line
	}
	return nil
}

// ReplyTo puts an answer into the form of the wire.
func ReplyTo(e Event, a Answer) *Reply {
	r := &Reply{}
	switch e.Type {
	case BeforeTool:
		r.Deny, r.Note = a.Deny, a.Context
		if a.Deny != "" {
			r.Toasts = append(r.Toasts, Toast{firstSentence(a.Deny), "warning"})
		}
	case AfterTool:
		r.Output, r.Note = a.Late, a.Context
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

// firstSentence is what a denial says in one line: its WHAT.
func firstSentence(reason string) string {
	_, rest, _ := strings.Cut(reason, "WHAT: ")
	what, _, _ := strings.Cut(rest, "\n")
	return what
}
