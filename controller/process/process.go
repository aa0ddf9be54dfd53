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
	above(pid, func(p resources.Process, _ string) bool {
		all = append(all, p)
		return true
	})
	return all
}

// above goes through the processes above one, with the name of each one's program, the nearest
// first, as long as more are wanted.
func above(pid int, visit func(p resources.Process, name string) (more bool)) {
	namespace := Namespace()
	here := look(pid)
	for range maxAbove {
		if here = look(here.parent); !here.runs || !visit(here.process(namespace), here.name) {
			return
		}
	}
}

// Host is the host that runs a hook: the nearest process above it that is no shell and nothing
// that merely starts another program. Nil if that is not known.
func Host(hook int) (host *resources.Process) {
	above(hook, func(p resources.Process, name string) bool {
		if !starters[name] {
			host = &p
		}
		return host == nil
	})
	return host
}

// seen is what the system says of a process. The zero seen is none.
type seen struct {
	pid, parent int
	started     uint64
	name        string // of its program
	runs        bool
}

func (s seen) process(namespace uint64) resources.Process {
	return resources.Process{PID: s.pid, Started: s.started, Namespace: namespace}
}

// Of names the process that has a number now; false if there is none.
func Of(pid int) (resources.Process, bool) {
	s := look(pid)
	if !s.runs {
		return resources.Process{}, false
	}
	return s.process(Namespace()), true
}
