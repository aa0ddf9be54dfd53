package hooks

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// A session's context stands in two places: the pack that the session began with in
// the system prompt, the same bytes in every request, and what has changed since at
// the end of the conversation. The shim asks for the first once, and again after a
// compaction or when the session is taken up by another process.

// base packs the context anew and keeps it, so that later answers can say what is
// different. In front of it stands what it lacks.
func (h *opencodeHandler) base() string {
	h.updateSession(func(*resources.SessionSpec) {})
	text := h.context()
	_ = h.writeNotes(notesBase, []byte(text))
	h.sayAnew(text)
	h.inTail(text)
	h.noteTold(wholeTold)
	if !h.repo.trusted() {
		return text
	}
	said := h.dated()
	if notice := inLines(forAgents(h.started()), h.exportsNotice()); notice != "" {
		said += notice + "\n"
	}
	return said + text
}

// tail is what belongs at the end of the conversation: what changed since the base,
// what the turn still lacks where nobody can keep it from ending, and what of the
// conversation can be left out.
func (h *opencodeHandler) tail(r *hosts.Reply) {
	var parts []string
	if base := string(h.readNotes(notesBase)); base != "" {
		now := h.context()
		if update := h.since(base, now, h.given(h.repo.contexts.Given(now))); update != "" {
			h.noteTold(strings.Replace(update, now, wholeTold, 1))
			parts = append(parts, update)
		}
	}
	if aside := h.readMemo().Aside; aside != "" {
		parts = append(parts, aside)
	}
	if h.in.Flag("unheld") && h.repo.settings.Mode == admission.ModeEnforce {
		if list := h.checklist(); list != "" {
			parts = append(parts, list)
		}
	}
	r.Tail = strings.Join(parts, "\n")
	h.inTail(r.Tail)
	r.Pruned = h.prune()
	r.Toasts = h.watched.news(h.repo)
}

// watchedWork remembers which tasks were being worked on in each repository, to
// tell the person what has come of them.
type watchedWork struct {
	heard time.Time // when its process asked last, as the Server that keeps it knows

	mu     sync.Mutex
	active map[string][]string // by repository
}

func newWatchedWork() *watchedWork { return &watchedWork{active: map[string][]string{}} }

// news is what has happened since it was last asked for: tasks that were completed,
// and those that can be started because of it.
func (w *watchedWork) news(r *repo) []hosts.Toast {
	now := r.ActiveTasks()
	w.mu.Lock()
	before, known := w.active[string(r.Root)]
	w.active[string(r.Root)] = now
	w.mu.Unlock()
	if !known {
		return nil
	}
	var toasts []hosts.Toast
	for _, name := range before {
		t, ok := r.Task(name)
		if slices.Contains(now, name) || !ok || t.Spec.State != resources.TaskCompleted {
			continue
		}
		toasts = append(toasts, hosts.Toast{Message: "Task " + name + " is completed.", Variant: "success"})
		if freed := r.FreedBy(name, maxFreed); len(freed) > 0 {
			toasts = append(toasts, hosts.Toast{Message: "Unblocked: " + strings.Join(freed, ", ") + ".", Variant: "success"})
		}
	}
	return toasts
}

// maxFreed is how many tasks one message names.
const maxFreed = 5
