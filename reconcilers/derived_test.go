package reconcilers

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mems are the names of those that were derived.
func (s *stage) mems() []string {
	found, err := filepath.Glob(s.path(".idumb/derived/mems/[a-z]*.json")) // no temporary files
	require.NoError(s.t, err)
	var names []string
	for _, file := range found {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	slices.Sort(names)
	return names
}

func (s *stage) text(name string) string {
	data, err := os.ReadFile(s.path(".idumb/derived/mems/" + name + ".json"))
	require.NoError(s.t, err)
	return string(data)
}

// until waits until there are as many mems as that, and then a while longer.
func (s *stage) until(why string, names ...string) {
	s.t.Helper()
	slices.Sort(names)
	assert.Eventually(s.t, func() bool { return slices.Equal(names, s.mems()) }, 10*time.Second, 10*time.Millisecond, "%s: %v", why, s.mems())
	time.Sleep(3 * derivedDelay)
	require.Equal(s.t, names, s.mems(), why)
}

func TestMemsAreDerived(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	s := repository(t)
	require.NoError(t, os.RemoveAll(s.path(".git")))
	s.git(daysAgo(0), "init", "-q", "-b", "main")
	s.file("go.mod", "module x\n")
	done := func(name, evidence string) string {
		return `{"spec": {"workPlan": "plan", "expectedOutput": "` + name + ` works", "state": "completed", "result": {"evidence": "` + evidence + `", "filesModified": ["src/a.go"]}}}`
	}
	s.file(".idumb/tasks/alpha.json", done("alpha", "Redis evicts silently, Postgres does not"))
	s.file(".idumb/tasks/open.json", `{"spec": {"workPlan": "plan", "expectedOutput": "x", "state": "completed"}}`)
	s.file(".idumb/tasks/taken-over.json", `{"metadata": {"annotations": {"beads.idumb.dev/import-digest": "1"}}, "spec": {"workPlan": "plan", "expectedOutput": "x", "state": "completed", "result": {"evidence": "closed"}}}`)
	s.file(".idumb/anchors/opaque.json", `{"spec": {"content": "Tokens are opaque", "type": "decision", "source": {"file": "go.mod"}, "relatedTo": ["task/nothing"]}}`)
	s.file(".idumb/anchors/note.json", `{"spec": {"content": "Only a note"}}`)
	s.git(daysAgo(0), "commit", "-q", "--allow-empty", "-m", "decision(store): files, no database\n\nGit merges them.\n\nRefs: task/alpha")
	s.start()
	commit := func() string {
		i := slices.IndexFunc(s.mems(), func(name string) bool { return strings.HasPrefix(name, "mem-commit-") })
		if i < 0 {
			return "none"
		}
		return s.mems()[i]
	}
	assert.Eventually(t, func() bool { return len(s.mems()) == 3 }, 10*time.Second, 10*time.Millisecond)
	first := commit()
	s.until("from the start", "mem-task-alpha", "mem-anchor-opaque", first)
	assert.Contains(t, s.text("mem-task-alpha"), `Redis evicts silently, Postgres does not\nFiles written: src/a.go`)
	assert.Contains(t, s.text("mem-task-alpha"), `"source": "task/alpha"`)
	assert.Contains(t, s.text(first), `files, no database\nGit merges them.`)
	assert.Contains(t, s.text(first), `"originTask": "alpha"`)

	// A commit while it runs.
	s.git(daysAgo(0), "commit", "-q", "--allow-empty", "-m", "feat!: drop v1")
	assert.Eventually(t, func() bool { return len(s.mems()) == 4 }, 10*time.Second, 10*time.Millisecond, "%v", s.mems())
	before := s.mems()

	// What somebody deletes is not made again: not at once, not after a restart.
	require.NoError(t, s.store.Delete(t.Context(), memKey("mem-task-alpha"), s.revision("mem-task-alpha")))
	s.file(".idumb/tasks/beta.json", done("beta", "Stripe wants cents"))
	left := append(slices.DeleteFunc(slices.Clone(before), func(name string) bool { return name == "mem-task-alpha" }), "mem-task-beta")
	s.until("a user does not want it", left...)
	s.end()
	s.start()
	s.until("nor after a restart", left...)

	// Another result of the same task is told in its place; a task that is open again made none.
	s.file(".idumb/tasks/beta.json", done("beta", "Stripe wants cents, as integers"))
	assert.Eventually(t, func() bool { return strings.Contains(s.text("mem-task-beta"), "as integers") }, 10*time.Second, 10*time.Millisecond)
	s.file(".idumb/tasks/beta.json", `{"spec": {"workPlan": "plan", "expectedOutput": "beta works"}}`)
	left = slices.DeleteFunc(left, func(name string) bool { return name == "mem-task-beta" })
	s.until("open again", left...)
	s.file(".idumb/tasks/beta.json", done("beta", "Stripe wants cents, as integers"))
	left = append(left, "mem-task-beta")
	s.until("and done again", left...)

	// All of it may be removed: it is made anew, byte for byte.
	before = s.mems()
	text := s.text("mem-task-beta")
	s.end()
	require.NoError(t, os.RemoveAll(s.path(".idumb/derived")))
	s.start()
	s.until("made anew", append(before, "mem-task-alpha")...)
	assert.Equal(t, text, s.text("mem-task-beta"))

	// Who changes one makes a spec of it; what a commit deletes then, or what is archived, is not
	// made in another clone.
	spec := s.path(".idumb/mems/mem-task-beta.json")
	_, err := s.store.Put(t.Context(), memKey("mem-task-beta"), []byte(strings.Replace(text, `"spec": {`, `"spec": { "pinned": true,`, 1)), s.revision("mem-task-beta"))
	require.NoError(t, err)
	require.FileExists(t, spec)
	s.git(daysAgo(0), "add", "-f", ".idumb/mems")
	s.git(daysAgo(0), "commit", "-q", "-m", "mems")
	s.git(daysAgo(0), "rm", "-q", ".idumb/mems/mem-task-beta.json")
	s.git(daysAgo(0), "commit", "-q", "-m", "out")
	require.NoError(t, s.store.Archive(t.Context(), memKey("mem-task-alpha"), s.revision("mem-task-alpha")))
	left = slices.DeleteFunc(before, func(name string) bool { return name == "mem-task-beta" })
	s.until("deleted by a commit", left...)
	s.end()
	require.NoError(t, os.RemoveAll(s.path(".idumb/derived")))
	s.start()
	s.until("in a clone", left...)
	s.end()
}

// revision is that of a mem as it stands.
func (s *stage) revision(name string) string {
	record, err := s.store.Get(s.t.Context(), memKey(name))
	require.NoError(s.t, err)
	return record.Rev
}
