package hosts

import (
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// EventType says when in an agent's work a hook runs, in no host's own words.
type EventType int

// Types of events. Ignored events get no answer.
const (
	Ignored EventType = iota
	BeforeTool
	AfterTool    // the tool ran; Event.Failed tells how it ended
	Prompt       // a person wrote something
	SessionStart // also after a compaction
	BeforeCompact
	Stop // the agent wants to end its turn
	SessionEnd
	SubagentStart // a subagent begins; Event.Agent and Subagent say which
	SubagentStop
	SettingsChange // the host is about to apply settings that changed on disk
	Waits          // the agent, or its host for it, waits for the person; nothing is decided by an answer
)

// Event is what a host tells its hook.
type Event struct {
	Type    EventType
	Host    string
	Session string // the host's id of the conversation
	// Agent is the host's name for who acts: a subagent's type, or what the main
	// agent was started as; "" if the host names none.
	Agent    string
	Subagent string // the id of the subagent inside which it happens; "" for the main agent
	// Parent is the host's id of the session that started this one, where a host
	// gives subagents sessions of their own; "" for a session that a person started.
	Parent     string
	Transcript string // the file in which the host records the conversation; "" if it names none
	Cwd        string // where relative paths stand; "" for the process's own folder

	// For BeforeTool and AfterTool.
	Tool      string
	CallID    string // the host's id of the call; "" if it gives none
	Action    admission.Action
	Own       bool     // one of idumb's own tools
	Skill     bool     // BeforeTool: the text of a skill runs the command, and no event follows
	Runs      bool     // one of idumb's own tools that runs a command line: what the person said of the host's shell must hold
	Paths     []string // as the agent spelt them
	Patch     string   // the text of a patch, of tools that take one; Paths are its files then
	Command   string
	parsed    *CommandLine // Command as it was read, once it was
	Unread    string       // why the call's arguments cannot be told, "" if they can
	Failed    bool         // AfterTool: it ended with an error, or another exit code than 0
	Guessed   bool         // nobody knows the tool: its Paths may be folders that it fills
	Unsettled bool         // AfterTool: how it ended is not known (in the background, interrupted)
	Cancelled bool         // AfterTool, Stop: the person stopped it
	// Output is, after a tool (AfterTool), what a call said that failed or, where the host does not tell how
	// commands end, may have; "" for any other.
	Output string
	// Printed is the end of what a shell command printed that did not fail, for AfterTool; "" where the host
	// does not say.
	Printed string
	Unheard bool     // AfterTool: the host does not wait for an answer, so that nobody hears it
	Created []string // AfterTool: those of Paths that were not there before the call, where the host says so

	Args      Object   // the call's arguments, as the host gave them; nil if it gave none
	Starts    []string // AfterTool, of our own tools: tasks that the call started
	Delegates string   // Action Delegate: the name of the agent that is to be started
	Names     string   // Action Delegate: what the call calls the one it starts; "" if the host has no names for them

	// Text is what the event is about, where an agent is told something: the
	// person's prompt, or (Action Delegate, SubagentStart) the subagent's; at Stop,
	// the agent's last words.
	Text string

	// WaitsFor is what the person is to give: for Waits, and for BeforeTool of a call that asks the person
	// something. What is asked is Text, or for permission the call; "" where the host does not say.
	WaitsFor string

	// Tokens is how many the conversation takes, where the host says so; 0: it does not.
	Tokens int

	// For SessionStart.
	Compacted bool
	Resumed   bool

	// For SettingsChange: the file, as the host names it.
	File string

	// For Stop.
	Waiting bool // something still runs in the background: the agent will be back
}

// Answer is what the hook has to say. The zero Answer says nothing.
type Answer struct {
	Deny    string // BeforeTool: the reason, to the agent
	Ask     string // BeforeTool: what the person is to decide, and why
	Allow   bool   // BeforeTool: no need to ask the person; only for our own tools
	Context string // to the agent, beside what happens
	Late    string // AfterTool: it should not have run, and why; in place of its result where the host can
	Hold    string // Stop: do not stop yet, and why
	Refuse  string // SettingsChange: do not apply them, and why
	Notice  string // one line to the person, where the host has a place for it
}

// CommandLine is a command line as it was read: once for an event.
type CommandLine struct {
	text     string
	Line     command.Line
	Readable bool
}

// CommandLine is the event's command line.
func (e *Event) CommandLine() *CommandLine {
	if l := e.parsed; l == nil || l.text != e.Command {
		e.parsed = &CommandLine{text: e.Command}
		e.parsed.Line, e.parsed.Readable = command.Parse(e.Command)
	}
	return e.parsed
}

// SetCommand fills in a command line: one that does nothing but run idumb governs.
func (e *Event) SetCommand(text string) {
	if e.Command = text; e.CommandLine().Line.Governance() {
		e.Action = admission.Governance
	}
}
