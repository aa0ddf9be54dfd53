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

// This file implements the methods of hooks.ContextSource that return snippets.

// Files returns the files, or patterns of files, that active tasks name or wrote. It may be called
// after the reconciler is registered.
func (p *Packs) Files() (files []string) {
	now := newSnapshot(p.client)
	for _, name := range now.TasksInState(resources.TaskActive) {
		if t, ok := now.Task(name); ok {
			files = append(files, packer.FilesOf(now, t)...)
		}
	}
	return files
}

// PackSnippets returns the mems and anchors in a pack.
func (p *Packs) PackSnippets(pack string) []hooks.Snippet {
	return snippets(packer.PackSnippets(newSnapshot(p.client), []byte(pack)))
}

// PromptSnippets returns the mems that a prompt recalls.
func (p *Packs) PromptSnippets(prompt string, known func(hooks.Snippet) bool) []hooks.Snippet {
	return snippets(packer.PromptSnippets(newSnapshot(p.client), &p.stock, prompt, adaptKnown(known)))
}

// FileSnippets returns the mems and anchors about a file.
func (p *Packs) FileSnippets(file string, work hooks.FileWork, known func(hooks.Snippet) bool) []hooks.Snippet {
	return snippets(packer.FileSnippets(newSnapshot(p.client), file, packer.FileWork(work), adaptKnown(known)))
}

// FileClaims returns the live tasks that name a file.
func (p *Packs) FileClaims(file string) []hooks.Snippet {
	return snippets(packer.FileClaims(newSnapshot(p.client), file))
}

// FailureSnippets returns the mems about the failure of a command.
func (p *Packs) FailureSnippets(output string, sure bool, known func(hooks.Snippet) bool) []hooks.Snippet {
	return snippets(packer.FailureSnippets(newSnapshot(p.client), &p.stock, output, sure, adaptKnown(known)))
}

// Fingerprint returns the lines that identify the failure of a command.
func (p *Packs) Fingerprint(output string) []string { return packer.Fingerprint(output, false) }

// ExpiredSnippets returns the delivered entries that have expired. It returns false if no entry can have
// expired since the last call for the session.
func (p *Packs) ExpiredSnippets(session string, ids func() []string) ([]hooks.Snippet, bool) {
	if !p.expiry.changedSince(session) {
		return nil, false
	}
	return snippets(packer.ExpiredSnippets(newSnapshot(p.client), ids())), true
}

// snippets converts snippets of package packer to snippets of package hooks.
func snippets(list []packer.Snippet) []hooks.Snippet {
	all := make([]hooks.Snippet, len(list))
	for i, t := range list {
		all[i] = hooks.Snippet(t)
	}
	return all
}

// adaptKnown converts a predicate on snippets of package hooks to a predicate on snippets of
// package packer.
func adaptKnown(known func(hooks.Snippet) bool) func(packer.Snippet) bool {
	return func(t packer.Snippet) bool { return known(hooks.Snippet(t)) }
}

// memChanges records whether mems or anchors changed since the last query for a session. The zero value
// is ready for use. It is safe for concurrent use.
type memChanges struct {
	mu        sync.Mutex
	changes   uint64            // number of changes
	lastQuery map[string]uint64 // value of changes at the last query, by session
}

// Comments returns a token that changes whenever the status of a comment may have changed.
func (p *Packs) Comments() string {
	return p.instanceID + "." + strconv.FormatUint(p.commentChanges.Load(), 36)
}

// count counts a change of a mem or an anchor; see changedSince.
func (e *memChanges) count(ch controller.Change) {
	if ch.Key.Kind == resources.Mems || ch.Key.Kind == resources.Anchors {
		e.mu.Lock()
		e.changes++
		e.mu.Unlock()
	}
}

// changedSince reports whether a change was recorded since the last call for a session. It returns true
// for the first call.
func (e *memChanges) changedSince(session string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	before, asked := e.lastQuery[session]
	if e.lastQuery == nil {
		e.lastQuery = map[string]uint64{}
	}
	e.lastQuery[session] = e.changes
	return !asked || before != e.changes
}

// keepOnly deletes the records of all other sessions.
func (e *memChanges) keepOnly(sessions map[string]bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	maps.DeleteFunc(e.lastQuery, func(session string, _ uint64) bool { return !sessions[session] })
}
