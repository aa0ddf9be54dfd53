package hosts

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// Host speaks the JSON of one agent host.
type Host interface {
	// Name is what the host is called in commands and records.
	Name() string
	// Traits are what the host can and cannot do.
	Traits() Traits
	// Parse reads an event. An error means that not even its type can be told,
	// or that a call's arguments make no sense.
	Parse(input []byte) (Event, error)
	// GuessGate reports whether input that Parse failed on asks for a decision,
	// so that saying nothing would open the gate.
	GuessGate(input []byte) bool
	// Encode writes the answer for the event it belongs to; nothing for none. It
	// writes only fields that this host knows: an unknown one may open its gate.
	Encode(event Event, answer Answer) []byte
	// Origin tells how the subagent came to be inside which an event happens. False if none is
	// told of, or if the host has not written it yet.
	Origin(event Event) (Origin, bool)
	// Headless is how the host runs one prompt without a person.
	Headless() Headless
}

// Traits are what a host can and cannot do, as far as answers depend on it.
type Traits struct {
	Tools        string // what stands before the names of idumb's tools
	ContextLimit int    // how many characters (UTF-16 code units) of context it takes at once
	Asks         bool   // it can put a call before its person
	HidesExits   bool   // it does not tell how a command ended
	Types        bool   // it lets its agent type into what a command started, and asks no gate about that
	Summarises   bool   // what is said before a compaction becomes part of the summary's instructions
	Lasts        bool   // it keeps one process for all of its events, and asks for the context of each request
}

// Origin is how a subagent came to be, as its host wrote it down.
type Origin struct {
	CallID string // the host's id of the call that started it; "" if it does not say
	Name   string // what the starting call named it; "" if it names none
	Parent string // the host's id of the subagent that started it; "" for the main agent
	Depth  int    // 1 for a subagent of the main agent; 0 if the host does not say
}

// hosts is the one table of hosts.
var hosts = [...]Host{claude, codex, OpenCode{}}

// Names lists the hosts.
func Names() []string {
	var names []string
	for _, h := range hosts {
		names = append(names, h.Name())
	}
	return names
}

// Named returns the host of that name; false if there is none.
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

// Toolbox says what a tool of any host does, whatever the case of its name; Other if no
// host's table names it.
func Toolbox(tool string) admission.Action {
	low := strings.ToLower(tool)
	for _, box := range [...]toolbox{opencodeTools, claude.tools, codex.tools} {
		for row := range box.rows {
			if ok, _ := path.Match(strings.ToLower(row.pattern), low); ok {
				return row.action
			}
		}
	}
	return admission.Other
}
