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

// What Packs tells besides packs.

// Files are those, or patterns of those, that the tasks name or wrote that are worked on. It may be asked
// once the reconciler is registered.
func (p *Packs) Files() (files []string) {
	now := at(p.client)
	for _, name := range now.TasksInState(resources.TaskActive) {
		if t, ok := now.Task(name); ok {
			files = append(files, packer.FilesOf(now, t)...)
		}
	}
	return files
}

// Given lists the mems and anchors that a pack tells of.
func (p *Packs) Given(pack string) []hooks.Told {
	return told(packer.Given(at(p.client), []byte(pack)))
}

// Remembered tells what a prompt recalls.
func (p *Packs) Remembered(prompt string, known func(hooks.Told) bool) []hooks.Told {
	return told(packer.Remembered(at(p.client), &p.stock, prompt, knownTo(known)))
}

// About tells what is known of a file.
func (p *Packs) About(file string, work hooks.Work, known func(hooks.Told) bool) []hooks.Told {
	return told(packer.About(at(p.client), file, packer.Work(work), knownTo(known)))
}

// Claims tells which live tasks have to do with a file.
func (p *Packs) Claims(file string) []hooks.Told { return told(packer.Claims(at(p.client), file)) }

// KnownFailure tells what is known of how a command failed.
func (p *Packs) KnownFailure(output string, sure bool, known func(hooks.Told) bool) []hooks.Told {
	return told(packer.KnownFailure(at(p.client), &p.stock, output, sure, knownTo(known)))
}

// Fingerprint is what identifies how a command failed.
func (p *Packs) Fingerprint(output string) []string { return packer.Fingerprint(output, false) }

// Ended lists which of what a session was told has ended, unless nothing can have since it was asked last.
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

// ends remembers whether mems or anchors changed since a session was asked about. The zero ends is ready
// for use, by any number of goroutines.
type ends struct {
	mu      sync.Mutex
	changes uint64            // how many there were
	asked   map[string]uint64 // by session: changes, when it was asked about last
}

// Comments is another text whenever something holds about a comment that did not before.
func (p *Packs) Comments() string {
	return p.born + "." + strconv.FormatUint(p.said.Load(), 36)
}

// note tells of a change of any object.
func (e *ends) note(ch controller.Change) {
	if ch.Key.Kind == resources.Mems || ch.Key.Kind == resources.Anchors {
		e.mu.Lock()
		e.changes++
		e.mu.Unlock()
	}
}

// since reports whether there was a change since that was last asked about a session, or whether it never
// was.
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

// only forgets all sessions but these.
func (e *ends) only(sessions map[string]bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	maps.DeleteFunc(e.asked, func(session string, _ uint64) bool { return !sessions[session] })
}
