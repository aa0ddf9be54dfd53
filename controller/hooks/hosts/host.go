package hosts

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// Host converts the JSON of one agent host.
type Host interface {
	// Name returns the name of the host in commands and records.
	Name() string
	// Traits returns the capabilities of the host.
	Traits() Traits
	// Parse reads an event. It returns an error if the input is invalid, or
	// names no event or no tool. An event that the host does not list is
	// Ignored.
	Parse(input []byte) (Event, error)
	// GuessGate reports whether input that Parse rejected may ask for a
	// decision. Without an answer to such input the gate would open.
	GuessGate(input []byte) bool
	// Encode returns the answer to event in the format of the host, or nil if
	// the answer is empty. It writes only fields that the host knows, because
	// an unknown field may open the gate.
	Encode(event Event, answer Answer) []byte
	// Origin returns how the subagent that acts in the event was started. It
	// returns false if the host keeps no record, or has not written it yet.
	Origin(event Event) (Origin, bool)
	// Headless returns how the host runs one prompt without a person.
	Headless() Headless
}

// Traits are the capabilities of a host on which answers depend.
type Traits struct {
	ToolPrefix     string // the prefix of the names of idumb's tools
	ContextLimit   int    // the maximum length of context in one answer, in UTF-16 code units
	CanAsk         bool   // it can ask its person about a call
	HidesExits     bool   // it does not report how a command ended
	CanType        bool   // its agent can type into a running command, and the host sends no event for that
	KeepsInSummary bool   // text that is added before a compaction becomes part of the summary's instructions
	OneProcess     bool   // it keeps one process for all events, and asks for the context of each request
	FailsClosed    bool   // a hook that ends with an error denies the call, and its text is lost
	DropsContext   bool   // a compaction drops the delivered context, and no event follows it
	LateContext    bool   // it drops context in the answer before a call, and delivers it after the call
	SharesSession  bool   // it does not tell a subagent from the session that started it
}

// Origin is the host's record of the start of a subagent.
type Origin struct {
	CallID string // the host's id of the call that started it; may be empty
	Name   string // the name that the call gave it; may be empty
	Parent string // the host's id of the subagent that started it; empty for the main agent
	Depth  int    // 1 for a subagent of the main agent; 0 if unknown
}

// hosts lists the supported hosts.
var hosts = [...]Host{claude, codex, copilot, gemini, OpenCode{}}

// commandHooks lists the hosts that run a command for each event.
var commandHooks = [...]commandHook{claude, codex, copilot, gemini}

// toolboxOf returns the tools of a host, or no tools if the name is unknown.
func toolboxOf(host string) toolbox {
	for _, h := range commandHooks {
		if h.name == host {
			return h.tools
		}
	}
	if host == (OpenCode{}).Name() {
		return opencodeTools
	}
	return toolbox{}
}

// Names returns the names of all hosts.
func Names() []string {
	var names []string
	for _, h := range hosts {
		names = append(names, h.Name())
	}
	return names
}

// ByName returns the host with the name, or false if the name is unknown.
func ByName(name string) (Host, bool) {
	for _, h := range hosts {
		if h.Name() == name {
			return h, true
		}
	}
	return nil, false
}

// TraitsOf returns the traits of the host with the name, or the zero Traits if
// the name is unknown.
func TraitsOf(host string) Traits {
	if h, known := ByName(host); known {
		return h.Traits()
	}
	return Traits{}
}

// Toolbox returns the action of a tool of any host, ignoring the case of the
// name. It returns Other if no table names the tool.
func Toolbox(tool string) admission.Action {
	low := strings.ToLower(tool)
	for _, host := range [...]string{OpenCode{}.Name(), claude.name, codex.name, copilot.name, gemini.name} {
		for row := range toolboxOf(host).rows {
			if ok, _ := path.Match(strings.ToLower(row.pattern), low); ok {
				return row.action
			}
		}
	}
	return admission.Other
}
