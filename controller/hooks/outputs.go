package hooks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

const (
	// maxOutputLog limits the part of the log of calls that is read, in bytes.
	maxOutputLog = 64 << 10
	// ownWrite is the time after a call in which a change of its file counts as made by
	// the call, for example by a formatter that runs after it.
	ownWrite = 10 * time.Second
)

// countOutputs counts the tool outputs in the agent's context, that is, the
// calls since the context was last lost that were not denied. An output is
// stale if the call failed, if the session's task has ended since, or if
// another author changed the file that the call names afterwards.
func (h *handler) countOutputs() status.Outputs {
	m, name := h.readState(), h.sessionName()
	log, _ := h.repo.lastNotes(name, notesCalls, maxOutputLog)
	denied := h.timesIn(notesDenials)
	var counts status.Outputs
	for _, p := range h.callLog() {
		if p.kind == pastFailed && p.time.After(m.ContextFrom) && p.time.After(m.TaskEnded) { // earlier outputs count below
			counts.Stale++
		}
	}
	lastUse := h.ownWrites()
	type output struct {
		file string
		at   time.Time
	}
	var outputs []output
	for at, rest := range timedLines(log) {
		if at.After(m.ContextFrom) && !denied[at.UnixMilli()] {
			counts.All++
			file := callIn(at, rest).Object
			outputs = append(outputs, output{file, at})
			if lastUse[file].Before(at) {
				lastUse[file] = at
			}
		}
	}
	changed := map[string]bool{}
	for _, o := range outputs {
		is, known := changed[o.file]
		if !known {
			is = h.changedAfter(o.file, lastUse[o.file].Add(ownWrite))
			changed[o.file] = is
		}
		if is || o.at.Before(m.TaskEnded) {
			counts.Stale++
		}
	}
	counts.Stale = min(counts.Stale, counts.All) // an output may have failed and be changed
	return counts
}

// changedAfter reports whether a file of the repository was changed after a time.
func (h *handler) changedAfter(file string, at time.Time) bool {
	if file == "" || strings.ContainsAny(file, " ,") || !filepath.IsLocal(file) {
		return false
	}
	info, err := os.Lstat(filepath.Join(string(h.repo.Root), file))
	return err == nil && info.Mode().IsRegular() && info.ModTime().After(at)
}

// timesIn returns the times of a log of denials, in Unix milliseconds.
func (h *handler) timesIn(what string) map[int64]bool {
	times := map[int64]bool{}
	log, _ := h.repo.lastNotes(h.sessionName(), what, maxOutputLog)
	for line := range strings.Lines(string(log)) {
		var d admission.Denial
		if json.Unmarshal([]byte(line), &d) == nil {
			times[d.Time.UnixMilli()] = true
		}
	}
	return times
}

// ownWrites returns when the session last wrote each file.
func (h *handler) ownWrites() map[string]time.Time {
	at := map[string]time.Time{}
	log, _ := h.repo.lastNotes(h.sessionName(), notesDone, maxOutputLog)
	for line := range strings.Lines(string(log)) {
		var c resources.Checkpoint
		if json.Unmarshal([]byte(line), &c) == nil {
			for _, file := range c.FilesModified {
				at[file] = c.Time.Time
			}
		}
	}
	return at
}

// anchorsMade returns the number of anchors that the session recorded.
func (h *handler) anchorsMade() (n int) {
	for _, name := range h.repo.Names(resources.Anchors) {
		o, ok := h.repo.Get(resources.Key{Kind: resources.Anchors, Name: name})
		if ok && o.Head().Metadata.Annotations[resources.AnnotationMadeBy] == h.sessionName() {
			n++
		}
	}
	return n
}

// noteEnd records when the session's task ended. Earlier outputs are about
// ended work.
func (h *handler) noteEnd() {
	task := h.record().ActiveTask
	t, ok := h.repo.Task(task)
	if ok && (t.Spec.State == resources.TaskCompleted || t.Spec.State == resources.TaskAbandoned) && h.readState().EndedTask != task {
		h.updateState(func(m *sessionState) { m.EndedTask, m.TaskEnded = task, h.repo.now })
	}
}

// loseContext records that the agent has lost its conversation. Comments are
// delivered again, and outputs are counted from now.
func (h *handler) loseContext() {
	h.updateState(func(m *sessionState) { m.Comments, m.CommentsSeen, m.ContextFrom = nil, "", h.repo.now })
}
