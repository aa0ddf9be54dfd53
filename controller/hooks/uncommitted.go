package hooks

import (
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// uncommitted answers which files of the working tree differ from git's index. It starts no git,
// which a hook has no time for; what was staged and not committed does not show. Where it cannot
// be told, the answer is that they differ.
func (h *handler) uncommitted() func(path string) bool {
	index := sync.OnceValue(func() map[string]layout.Indexed {
		known := map[string]layout.Indexed{}
		for _, e := range h.repo.Root.Index() {
			known[e.File] = e
		}
		return known
	})
	return func(path string) bool {
		info, err := os.Lstat(h.repo.Abs(path))
		if err != nil {
			return false // what is not there cannot be overwritten
		}
		entry, ok := index()[path]
		return info.IsDir() || !ok || entry.Changed(info.Size(), info.ModTime())
	}
}

// manyUncommitted is from how many files on a session is told to commit: they are hard to review
// and to take back one by one.
const manyUncommitted = 10

// withUncommitted adds to what answers a prompt or a write, once for each task, that much of what the
// session's active task wrote is not committed. A host that composes would not hear it at a prompt.
func (h *handler) withUncommitted(answer hosts.Answer) hosts.Answer {
	name := h.record().ActiveTask
	t, ok := h.repo.Task(name)
	if !ok || t.Spec.State != resources.TaskActive || h.event.Type == hosts.Prompt && h.composes() || slices.Contains(h.readMemo().Uncommitted, name) {
		return answer
	}
	n := h.notCommitted(name)
	if n < manyUncommitted || !h.repo.trusted() {
		return answer
	}
	line := fmt.Sprintf("iDumb: %d files written for task \"%s\" are not committed: commit what is whole, so that it can be reviewed and taken back.\n", n, name)
	if text := inLines(answer.Context, line); characters(text) <= h.limit {
		answer.Context = text
		h.updateMemo(func(m *memo) { m.Uncommitted = append(m.Uncommitted, name) })
	}
	return answer
}

// notCommitted counts the files written for a task that are not as git has them; none where there is
// no git, or too few were written for it to matter. Git's index is large where the repository is: a
// write has it read at every tenth file only, a prompt always.
func (h *handler) notCommitted(task string) (n int) {
	files := h.repo.overlay.Evidence(task).Files
	due := h.event.Type == hosts.Prompt || len(files)%manyUncommitted == 0
	if len(files) < manyUncommitted || !due || layout.GitDir(string(h.repo.Root)) == "" {
		return 0
	}
	differs, ignored := h.uncommitted(), h.ignored()
	for _, file := range files {
		if !ignored(file) && differs(file) {
			n++
		}
	}
	return n
}
