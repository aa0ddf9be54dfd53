package hosts

import (
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Moment is when in an agent's work a hook runs, in no host's own words.
type Moment int

// Moments. Ignored events get no answer.
const (
	Ignored Moment = iota
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
)

// Event is what a host tells its hook.
type Event struct {
	Moment  Moment
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
	Runs      bool     // one of idumb's own tools that runs a command line: what the person said of the host's shell must hold
	Paths     []string // as the agent spelt them
	Command   string
	parsed    *CommandLine // Command as it was read, once it was
	Unread    string       // why the call's arguments cannot be told, "" if they can
	Failed    bool         // AfterTool: it ended with an error, or another exit code than 0
	Unsettled bool         // AfterTool: how it ended is not known (in the background, interrupted)
	Cancelled bool         // AfterTool, Stop: the person stopped it

	Args      Object   // the call's arguments, as the host gave them; nil if it gave none
	Starts    []string // AfterTool, of our own tools: tasks that the call started
	Delegates string   // Action Delegate: the name of the agent that is to be started
	Names     string   // Action Delegate: what the call calls the one it starts; "" if the host has no names for them

	// Text is what the moment is about, where an agent is told something: the
	// person's prompt, or (Action Delegate, SubagentStart) the subagent's; at Stop,
	// the agent's last words.
	Text string

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

// Host speaks the JSON of one agent host.
type Host interface {
	// Name is what the host is called in commands and records.
	Name() string
	// Parse reads an event. An error means that not even the moment can be told,
	// or that a call's arguments make no sense.
	Parse(input []byte) (Event, error)
	// GuessGate reports whether input that Parse failed on asks for a decision,
	// so that saying nothing would open the gate.
	GuessGate(input []byte) bool
	// Encode writes the answer for the event it belongs to; nothing for none. It
	// writes only fields that this host knows: an unknown one may open its gate.
	Encode(event Event, answer Answer) []byte
	// Traits are what the host can and cannot do.
	Traits() Traits
	// Origin tells how the subagent came to be inside which an event happens. False if none is
	// told of, or if the host has not written it yet.
	Origin(event Event) (Origin, bool)
}

// Traits are what a host can and cannot do, as far as answers depend on it.
type Traits struct {
	ContextLimit int  // how many characters (UTF-16 code units) of context it takes at once
	Asks         bool // it can put a call before its person
	HidesExits   bool // it does not tell how a command ended
	Types        bool // it lets its agent type into what a command started, and asks no gate about that
	Lasts        bool // it keeps one process for all of its events, and asks for the context of each request
}

// hosts is the one table of hosts.
var hosts = [...]Host{Claude{}, Codex{}, OpenCode{}}

// Names lists the hosts that Main answers.
func Names() []string {
	var names []string
	for _, h := range hosts {
		names = append(names, h.Name())
	}
	return names
}

func Named(name string) (Host, bool) {
	for _, h := range hosts {
		if h.Name() == name {
			return h, true
		}
	}
	return nil, false
}

// TraitsOf are those of the host of that name, none if there is no such host.
func TraitsOf(host string) Traits {
	if h, known := Named(host); known {
		return h.Traits()
	}
	return Traits{}
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

// describeCommand fills in the command line of a call.
func (e *Event) describeCommand(text string) {
	if e.SetCommand(text); text == "" {
		e.Unread = "The call has no command as a text."
	}
}
