// Package process tells whether a process that was met before still runs, and which agent's host
// stands above one. A number alone is no identity: it is given again, and counts in its PID
// namespace only. Where the system does not tell (anything but Linux), nothing is known.
package process

import "github.com/idumb-dev/idumb/resources"

// State is what is known of a process.
type State int

// The states of a process.
const (
	Unknown State = iota // this system, or this PID namespace, does not tell
	Running
	Gone
)

// StateOf tells whether a process still runs.
func StateOf(p *resources.Process) State {
	if p == nil || p.Namespace == 0 || p.Namespace != Namespace() {
		return Unknown
	}
	if now, ok := Of(p.PID); !ok || now != *p {
		return Gone
	}
	return Running
}

// maxAbove is how many processes are looked through upwards.
const maxAbove = 32

// Above are the processes above one, the nearest first.
func Above(pid int) (all []resources.Process) {
	for range maxAbove {
		parent, _ := parentOf(pid)
		p, ok := Of(parent)
		if !ok {
			break
		}
		all, pid = append(all, p), parent
	}
	return all
}

// Host is the host that runs a hook: the nearest process above it that is no shell and nothing
// that merely starts another program. Nil if that is not known.
func Host(hook int) *resources.Process {
	for _, p := range Above(hook) {
		if _, name := parentOf(p.PID); !starters[name] {
			return &p
		}
	}
	return nil
}
