package hooks

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// indexed returns what git's index says of each file of the working tree. It is read once, when it is first asked for.
func (h *handler) indexed() func() map[string]layout.Indexed {
	return sync.OnceValue(func() map[string]layout.Indexed {
		known := map[string]layout.Indexed{}
		for _, e := range h.repo.Root.Index() {
			known[e.File] = e
		}
		return known
	})
}

// tracked lists the files in git's index.
func (h *handler) tracked() func() []string {
	index := h.indexed()
	return func() []string { return slices.Sorted(maps.Keys(index())) }
}

// uncommitted answers which files of the working tree differ from git's index. It starts no git,
// which a hook has no time for; what was staged and not committed does not show. Where it cannot
// be told, the answer is that they differ.
func (h *handler) uncommitted() func(path string) bool {
	index := h.indexed()
	return func(path string) bool {
		info, err := os.Lstat(h.repo.Abs(path))
		if err != nil {
			return false // what is not there cannot be overwritten
		}
		entry, ok := index()[path]
		return info.IsDir() || !ok || entry.Changed(info.Size(), info.ModTime())
	}
}

// replaces answers whether a report or a product of a build takes the place of a file that somebody wrote: one that
// git tracks, or one of source code that git does not track yet. A path that does not exist, or that git ignores, is free.
// Without a readable index every file counts as tracked.
func (h *handler) replaces() func(path string) bool {
	index, ignored := h.indexed(), h.ignored()
	return func(name string) bool {
		info, err := os.Stat(h.repo.Abs(name))
		if err != nil {
			return false
		}
		if info.IsDir() {
			return name != "." && !ignored(name) && holdsTracked(index(), name) // builds in the root are common, and add files
		}
		_, tracked := index()[name]
		return tracked || !ignored(name) && (len(index()) == 0 || strings.Contains(sourceCode, " "+strings.ToLower(filepath.Ext(name))+" "))
	}
}

// holdsTracked reports whether git tracks a file below a folder.
func holdsTracked(index map[string]layout.Indexed, folder string) bool {
	for file := range index {
		if strings.HasPrefix(file, folder+"/") {
			return true
		}
	}
	return len(index) == 0
}

// sourceCode are ends of names of source code, which no test or build reports in.
const sourceCode = " .go .py .js .mjs .cjs .ts .tsx .jsx .rs .c .h .cc .cpp .hpp .java .kt .rb .php .swift .scala .cs .ex .exs .lua .pl .sh .sql .tf .vue .svelte .md "

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
