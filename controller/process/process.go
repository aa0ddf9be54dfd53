// Package process reports whether a known process is still running, and finds
// the agent host above a process. A PID alone does not identify a process,
// because PIDs are reused and belong to a namespace. On systems other than
// Linux nothing is known.
package process

import "github.com/idumb-dev/idumb/resources"

// State is the state of a process.
type State int

// States.
const (
	Unknown State = iota // this system or this PID namespace does not report it
	Running
	Exited
)

// StateOf returns the state of a process.
func StateOf(p *resources.Process) State {
	if p == nil || p.Namespace == 0 || p.Namespace != Namespace() {
		return Unknown
	}
	if now, ok := Lookup(p.PID); !ok || now != *p {
		return Exited
	}
	return Running
}

// maxAncestors is the maximum number of ancestors that are examined.
const maxAncestors = 32

// Ancestors returns the ancestors of a process, nearest first.
func Ancestors(pid int) (all []resources.Process) {
	visitAncestors(pid, func(p resources.Process, _ string) bool {
		all = append(all, p)
		return true
	})
	return all
}

// Above returns the nearest ancestor of a process with a program name, or false
// if there is none.
func Above(pid int, program string) (above resources.Process, found bool) {
	visitAncestors(pid, func(p resources.Process, name string) bool {
		above, found = p, name == program
		return !found
	})
	return above, found
}

// visitAncestors visits the ancestors of a process with their program names, nearest
// first, until visit returns false.
func visitAncestors(pid int, visit func(p resources.Process, name string) (more bool)) {
	namespace := Namespace()
	here := look(pid)
	for range maxAncestors {
		if here = look(here.parent); !here.runs || !visit(here.process(namespace), here.name) {
			return
		}
	}
}

// Host returns the host of a hook: the nearest ancestor that is neither a shell
// nor a program that only starts another one. It returns nil if unknown.
func Host(hook int) (host *resources.Process) {
	visitAncestors(hook, func(p resources.Process, name string) bool {
		if !starters[name] {
			host = &p
		}
		return host == nil
	})
	return host
}

// seen is the system's information about a process. The zero value means no
// process.
type seen struct {
	pid, parent int
	started     uint64
	name        string // program name
	runs        bool
}

// process returns the process in the form that leases and session records
// store.
func (s seen) process(namespace uint64) resources.Process {
	return resources.Process{PID: s.pid, Started: s.started, Namespace: namespace}
}

// Lookup returns the process that has a PID now. It returns false if there is none.
func Lookup(pid int) (resources.Process, bool) {
	s := look(pid)
	if !s.runs {
		return resources.Process{}, false
	}
	return s.process(Namespace()), true
}
