package hosts

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// EventType is the point of an agent's work at which a hook runs. It is
// independent of the host.
type EventType int

// Types of events. Ignored events get no answer.
const (
	Ignored EventType = iota
	BeforeTool
	AfterTool    // the tool ran; Event.Failed is true if it failed
	Prompt       // a person wrote a prompt
	SessionStart // also after a compaction
	BeforeCompact
	Stop // the agent wants to end its turn
	SessionEnd
	SubagentStart // a subagent begins; Event.Agent and Subagent identify it
	SubagentStop
	SettingsChange // the host is about to apply settings that changed on disk
	Waits          // the agent or its host waits for the person; the answer decides nothing
)

// Event is a hook event, independent of the host.
type Event struct {
	Type    EventType
	Host    string
	Session string // the host's id of the conversation
	// Agent is the type of the acting agent, in the host's terms: the type of
	// the subagent, or the type with which the main agent was started. It is
	// empty if the host sends no type.
	Agent    string
	Subagent string // the id of the subagent that acts; empty for the main agent
	// Parent is the host's id of the session that started this one, for hosts
	// whose subagents have separate sessions. It is empty for a session that a
	// person started.
	Parent     string
	Transcript string // the file in which the host records the conversation; may be empty
	Cwd        string // the folder for relative paths; empty for the folder of the process

	// For BeforeTool and AfterTool.
	Tool           string
	CallID         string // the host's id of the call; may be empty
	Action         admission.Action
	Own            bool     // a tool of idumb
	Skill          bool     // BeforeTool: the text of a skill runs the command, and no event follows
	RunsCommand    bool     // a tool of idumb that runs a command line: the person's rules for the host's shell apply
	Paths          []string // as the agent spelled them
	Patch          string   // the text of a patch, of tools that take one; Paths are its files then
	Command        string
	parsed         *CommandLine // the parsed Command, or nil before it is parsed
	UnreadReason   string       // why the arguments of the call cannot be read; empty if they can
	Failed         bool         // AfterTool: the call ended with an error or with a non-zero exit code
	UnknownTool    bool         // no table knows the tool: its Paths may be folders that it fills
	OutcomeUnknown bool         // AfterTool: the outcome is unknown (in the background, interrupted)
	Cancelled      bool         // AfterTool, Stop: the person stopped it
	// Output is the text of a failed call, for AfterTool. If the host does not
	// send exit codes, it may also be the text of a successful command. It is
	// empty for every other event.
	Output string
	// Printed is the end of the output of a successful shell command, for
	// AfterTool. It is empty if the host does not send it.
	Printed       string
	AnswerIgnored bool     // AfterTool: the host does not wait for an answer, so the answer is lost
	Created       []string // AfterTool: the files of Paths that the call created, if the host sends them

	Args         Object   // the arguments of the call, as sent by the host; nil if it sent no arguments
	StartedTasks []string // AfterTool, of tools of idumb: tasks that the call started
	EndedTask    string   // AfterTool, of tools of idumb: the task that the call completed; empty if none
	DelegateTo   string   // Action Delegate: the name of the agent to start
	DelegateName string   // Action Delegate: the name that the call gives to the started agent; may be empty

	// Todos is the change of the agent's to-do list by the call, for AfterTool.
	// It is nil if the call changed none.
	Todos *resources.TodoChange

	// Text is the text of the event: the prompt of the person, or for Action
	// Delegate and SubagentStart the prompt of the subagent. At Stop it is the
	// last message of the agent.
	Text string

	// WaitsFor is the expected input of the person. It is set for Waits, and
	// for BeforeTool of a call that asks the person. Text holds the question;
	// for a permission, the call describes it. WaitsFor is empty if the host
	// does not send it.
	WaitsFor string

	// Tokens is the number of tokens in the conversation, or 0 if the host does
	// not send it.
	Tokens int

	// For SessionStart.
	Compacted   bool
	Resumed     bool
	AfterPrompt bool // the first prompt may have been sent before
	Forgot      bool // the resumed conversation no longer contains the delivered context

	// For SettingsChange: the file, as the host names it.
	File string

	// For Stop.
	Waiting bool // background work is running: the agent will continue later
}

// Answer is the answer of the hook. The zero Answer has no effect.
type Answer struct {
	Deny       string // BeforeTool: the reason, to the agent
	Ask        string // BeforeTool: the decision that the person must make, with the reason
	Allow      bool   // BeforeTool: run without asking the person; only for tools of idumb
	Context    string // to the agent, next to the event
	LateReason string // AfterTool: why the call should not have run; replaces its result if the host supports that
	Hold       string // Stop: do not stop yet, with the reason
	Refuse     string // SettingsChange: do not apply the settings, with the reason
	Notice     string // one line to the person, if the host can show it
}

// CommandLine is a parsed command line. An event parses its command line once.
type CommandLine struct {
	text     string
	Line     command.Line
	Readable bool
}

// CommandLine returns the parsed command line of the event.
func (e *Event) CommandLine() *CommandLine {
	if l := e.parsed; l == nil || l.text != e.Command {
		e.parsed = &CommandLine{text: e.Command}
		e.parsed.Line, e.parsed.Readable = command.Parse(e.Command)
	}
	return e.parsed
}

// SetCommand sets the command line. If the line only runs idumb, the action
// becomes Governance.
func (e *Event) SetCommand(text string) {
	if e.Command = text; e.CommandLine().Line.Governance() {
		e.Action = admission.Governance
	}
}
