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

// A session's context has two parts. The system prompt contains the pack with
// which the session began, with the same bytes in every request. The end of the
// conversation contains the changes since then. The shim requests the first
// part once, and again after a compaction or when another process continues the
// session.

// base packs the context again and saves it, so that later answers can contain
// only differences. A line about an outdated pack and the notices precede it.
func (h *opencodeHandler) base() string {
	h.updateSession(func(*resources.SessionSpec) {})
	text := h.context()
	_ = h.writeNotes(notesBase, []byte(text))
	h.resetReceipts(text)
	h.inTail(text)
	h.logDelivery(wholeTold)
	if !h.repo.trusted() {
		return text
	}
	said := h.dated()
	if notice := inLines(forAgents(h.startNotice()), h.exportsNotice()); notice != "" {
		said += notice + "\n"
	}
	return said + text
}

// tail fills in the text for the end of the conversation: changes since the
// base, the text of this turn, and the missing evidence if the host cannot hold
// the turn. It also lists the outputs to leave out and the messages to the person.
func (h *opencodeHandler) tail(r *hosts.Reply) {
	var parts []string
	if base := string(h.readNotes(notesBase)); base != "" {
		now := h.context()
		if update := h.since(base, now, h.receivedIDs(h.repo.contexts.PackSnippets(now))); update != "" {
			h.logDelivery(strings.Replace(update, now, wholeTold, 1))
			parts = append(parts, update)
		}
	}
	if aside := h.readState().TurnContext; aside != "" {
		parts = append(parts, aside)
	}
	if h.request.Flag("unheld") && h.repo.settings.Mode == admission.ModeEnforce {
		if list := h.checklist(); list != "" {
			parts = append(parts, list)
		}
	}
	r.Tail = strings.Join(parts, "\n")
	h.inTail(r.Tail)
	r.Pruned = h.prune()
	r.Toasts = h.watched.news(h.repo)
}

// watchedWork holds the active tasks of each repository, for messages to the
// person about completed tasks.
type watchedWork struct {
	lastRequest time.Time // the time of the last request from its process, maintained by the Server

	mu     sync.Mutex
	active map[string][]string // by repository
}

// newWatchedWork returns a watchedWork without repositories.
func newWatchedWork() *watchedWork { return &watchedWork{active: map[string][]string{}} }

// news returns messages about the tasks that were completed since the last
// call, and the tasks that can be started because of that.
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

// maxFreed limits the tasks in one message.
const maxFreed = 5
