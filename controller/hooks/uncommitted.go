package hooks

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// indexed returns a function that returns the entries of git's index by file.
// The index is read once, on demand.
func (h *handler) indexed() func() map[string]layout.Indexed {
	return sync.OnceValue(func() map[string]layout.Indexed {
		known := map[string]layout.Indexed{}
		for _, e := range h.repo.Root.Index() {
			known[e.File] = e
		}
		return known
	})
}

// tracked returns a function that lists the files in git's index, sorted.
func (h *handler) tracked() func() []string {
	index := h.indexed()
	return func() []string { return slices.Sorted(maps.Keys(index())) }
}

// uncommitted returns a function that reports whether a file differs from git's
// index. It does not start git, which would be too slow for a hook. It does not
// detect staged changes. If the state is unknown, the file counts as different.
func (h *handler) uncommitted() func(path string) bool {
	index := h.indexed()
	return func(path string) bool {
		info, err := os.Lstat(h.repo.Abs(path))
		if err != nil {
			return false // a missing file cannot be overwritten
		}
		entry, ok := index()[path]
		return info.IsDir() || !ok || entry.Changed(info.Size(), info.ModTime())
	}
}

// replaces returns a function that reports whether a report or a build product
// overwrites a hand-written file. Such a file is tracked by git, or is source
// code that is not tracked yet. A path that does not exist or is ignored may be
// written. Without a readable index every file counts as tracked.
func (h *handler) replaces() func(path string) bool {
	index, ignored := h.indexed(), h.ignored()
	return func(name string) bool {
		info, err := os.Stat(h.repo.Abs(name))
		if err != nil {
			return false
		}
		if info.IsDir() {
			return name != "." && !ignored(name) && holdsTracked(index(), name) // builds in the root are common and only add files
		}
		_, tracked := index()[name]
		return tracked || !ignored(name) && !command.IsBuildOutput(name) && (len(index()) == 0 || strings.Contains(sourceCode, " "+strings.ToLower(filepath.Ext(name))+" "))
	}
}

// creates returns a function that reports whether a path would be a new source
// file or document of the project. Below the folders of tracked files that also
// includes other files and folders. Names of reports, ignored files and build
// output are none.
func (h *handler) creates() func(path string) bool {
	index, ignored := h.indexed(), h.ignored()
	return func(name string) bool {
		ext := " " + strings.ToLower(filepath.Ext(name)) + " "
		isCode := ext != "  " && strings.Contains(sourceCode, ext)
		if ignored(name) || command.IsBuildOutput(name) {
			return false
		}
		if _, err := os.Lstat(h.repo.Abs(name)); err == nil {
			return false
		}
		folder := filepath.ToSlash(filepath.Dir(name))
		for folder != "." {
			if _, err := os.Lstat(h.repo.Abs(folder)); err == nil {
				break
			}
			folder = filepath.ToSlash(filepath.Dir(folder))
		}
		isReport := slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(strings.TrimPrefix(name, folder)), isNoLetter), isOfReport)
		if folder == "." {
			return isCode && !isReport
		}
		return (isCode || !isReport) && holdsTracked(index(), folder)
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

// sourceCode lists the extensions of source code, which tests and builds do not
// use for reports.
const sourceCode = " .go .py .js .mjs .cjs .ts .tsx .jsx .rs .c .h .cc .cpp .hpp .java .kt .rb .php .swift .scala .cs .ex .exs .lua .pl .sh .sql .tf .vue .svelte .md "

// reportNames lists words in the names of reports and of other results of a run.
var reportNames = [...]string{"report", "result", "coverage", "profile", "trace", "log", "summary", "audit", "lint", "bench", "metric", "stats", "output", "sarif", "sbom", "junit", "cache", "tmp", "temp"}

// isNoLetter reports whether a character is between the words of a name.
func isNoLetter(r rune) bool { return !unicode.IsLetter(r) }

// isOfReport reports whether a word of a name is of a report, alone or joined to another word.
func isOfReport(word string) bool {
	return slices.ContainsFunc(reportNames[:], func(name string) bool {
		return strings.TrimSuffix(word, "s") == strings.TrimSuffix(name, "s") || len(name) > 4 && strings.Contains(word, name)
	})
}

// manyUncommitted is the number of changed files from which a session gets the
// advice to commit. Many files are hard to review and to revert one by one.
const manyUncommitted = 10

// withUncommitted adds a notice to the answer to a prompt or a write, once for
// each task, if many changes of the session's active task are not committed. A
// host that composes would ignore it at a prompt.
func (h *handler) withUncommitted(answer hosts.Answer) hosts.Answer {
	name := h.record().ActiveTask
	t, ok := h.repo.Task(name)
	if !ok || t.Spec.State != resources.TaskActive || h.event.Type == hosts.Prompt && h.composes() || slices.Contains(h.readState().Uncommitted, name) {
		return answer
	}
	n := h.notCommitted(name)
	if n < manyUncommitted || !h.repo.trusted() {
		return answer
	}
	line := fmt.Sprintf("iDumb: %d files written for task \"%s\" are not committed: commit finished changes, so that they can be reviewed and reverted.\n", n, name)
	if text := inLines(answer.Context, line); characters(text) <= h.limit {
		answer.Context = text
		h.updateState(func(m *sessionState) { m.Uncommitted = append(m.Uncommitted, name) })
	}
	return answer
}

// notCommitted counts the files written for a task that differ from git's
// index. It returns 0 without git, or if too few files were written. Git's
// index is large in a large repository, so a write reads it only at every tenth
// file; a prompt and the end of a turn always read it.
func (h *handler) notCommitted(task string) (n int) {
	files := h.repo.overlay.Evidence(task).Files
	due := h.event.Type != hosts.AfterTool || len(files)%manyUncommitted == 0
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
