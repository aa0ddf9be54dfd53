package hooks

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
)

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
