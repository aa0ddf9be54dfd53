package reconcilers

import (
	"maps"
	"strconv"
	"sync"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// This file implements the methods of hooks.Contexts that return snippets.

// Files returns the files, or patterns of files, that active tasks name or wrote. It may be called
// after the reconciler is registered.
func (p *Packs) Files() (files []string) {
	now := at(p.client)
	for _, name := range now.TasksInState(resources.TaskActive) {
		if t, ok := now.Task(name); ok {
			files = append(files, packer.FilesOf(now, t)...)
		}
	}
	return files
}

// Given returns the mems and anchors in a pack.
func (p *Packs) Given(pack string) []hooks.Told {
	return told(packer.Given(at(p.client), []byte(pack)))
}

// Remembered returns the mems that a prompt recalls.
func (p *Packs) Remembered(prompt string, known func(hooks.Told) bool) []hooks.Told {
	return told(packer.Remembered(at(p.client), &p.stock, prompt, knownTo(known)))
}

// About returns the mems and anchors about a file.
func (p *Packs) About(file string, work hooks.Work, known func(hooks.Told) bool) []hooks.Told {
	return told(packer.About(at(p.client), file, packer.Work(work), knownTo(known)))
}

// Claims returns the live tasks that name a file.
func (p *Packs) Claims(file string) []hooks.Told { return told(packer.Claims(at(p.client), file)) }

// KnownFailure returns the mems about the failure of a command.
func (p *Packs) KnownFailure(output string, sure bool, known func(hooks.Told) bool) []hooks.Told {
	return told(packer.KnownFailure(at(p.client), &p.stock, output, sure, knownTo(known)))
}

// Fingerprint returns the lines that identify the failure of a command.
func (p *Packs) Fingerprint(output string) []string { return packer.Fingerprint(output, false) }

// Ended returns the delivered entries that have expired. It returns false if no entry can have
// expired since the last call for the session.
func (p *Packs) Ended(session string, ids func() []string) ([]hooks.Told, bool) {
	if !p.ends.since(session) {
		return nil, false
	}
	return told(packer.Ended(at(p.client), ids())), true
}

func told(list []packer.Told) []hooks.Told {
	all := make([]hooks.Told, len(list))
	for i, t := range list {
		all[i] = hooks.Told(t)
	}
	return all
}

func knownTo(known func(hooks.Told) bool) func(packer.Told) bool {
	return func(t packer.Told) bool { return known(hooks.Told(t)) }
}

// ends records whether mems or anchors changed since the last query for a session. The zero value
// is ready for use. It is safe for concurrent use.
type ends struct {
	mu      sync.Mutex
	changes uint64            // number of changes
	asked   map[string]uint64 // value of changes at the last query, by session
}

// Comments returns a token that changes whenever the status of a comment may have changed.
func (p *Packs) Comments() string {
	return p.born + "." + strconv.FormatUint(p.said.Load(), 36)
}

// note records a change of an object.
func (e *ends) note(ch controller.Change) {
	if ch.Key.Kind == resources.Mems || ch.Key.Kind == resources.Anchors {
		e.mu.Lock()
		e.changes++
		e.mu.Unlock()
	}
}

// since reports whether a change was recorded since the last call for a session. It returns true
// for the first call.
func (e *ends) since(session string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	before, asked := e.asked[session]
	if e.asked == nil {
		e.asked = map[string]uint64{}
	}
	e.asked[session] = e.changes
	return !asked || before != e.changes
}

// only deletes the records of all other sessions.
func (e *ends) only(sessions map[string]bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	maps.DeleteFunc(e.asked, func(session string, _ uint64) bool { return !sessions[session] })
}
