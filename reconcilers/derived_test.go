package reconcilers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
)

// mems are the names of those that are there.
func (s *stage) mems() []string {
	found, err := filepath.Glob(s.path(".idumb/mems/[a-z]*.json")) // no temporary files
	require.NoError(s.t, err)
	var names []string
	for _, file := range found {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	slices.Sort(names)
	return names
}

func (s *stage) text(name string) string {
	data, err := os.ReadFile(s.path(".idumb/mems/" + name + ".json"))
	require.NoError(s.t, err)
	return string(data)
}

// until waits until there are as many mems as that, and then a while longer.
func (s *stage) until(why string, names ...string) {
	s.t.Helper()
	slices.Sort(names)
	assert.Eventually(s.t, func() bool { return slices.Equal(names, s.mems()) }, 10*time.Second, 10*time.Millisecond, "%s: %v", why, s.mems())
	time.Sleep(3 * derivedAfter)
	require.Equal(s.t, names, s.mems(), why)
}

func TestMemsAreDerived(t *testing.T) {
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
	s.file(".idumb/tasks/alpha.json", done("alpha", "the tests pass"))
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
	assert.Contains(t, s.text("mem-task-alpha"), `Done: alpha works\nShown by: the tests pass\nFiles written: src/a.go`)
	assert.Contains(t, s.text("mem-task-alpha"), `"source": "task/alpha"`)
	assert.Contains(t, s.text("mem-anchor-opaque"), `"sha256"`)
	assert.NotContains(t, s.text("mem-anchor-opaque"), "nothing", "what it names is not there")
	assert.Contains(t, s.text(first), `files, no database\nGit merges them.`)
	assert.Contains(t, s.text(first), `"originTask": "alpha"`)

	// A commit while it runs, a log that proves what was claimed, and nothing twice.
	s.git(daysAgo(0), "commit", "-q", "--allow-empty", "-m", "feat!: drop v1")
	assert.Eventually(t, func() bool { return len(s.mems()) == 4 }, 10*time.Second, 10*time.Millisecond, "%v", s.mems())
	s.file(".idumb/checkpoints/open.jsonl", `{"time":"2026-01-01T00:00:00Z","tool":"write","filesModified":["src/b.go"]}`+"\n")
	assert.Eventually(t, func() bool { return slices.Contains(s.mems(), "mem-task-open") }, 10*time.Second, 10*time.Millisecond)
	before := s.mems()

	// What somebody deletes is not made again: not at once, not after a restart.
	require.NoError(t, os.Remove(s.path(".idumb/mems/mem-task-alpha.json")))
	s.file(".idumb/tasks/beta.json", done("beta", "seen"))
	left := append(slices.DeleteFunc(slices.Clone(before), func(name string) bool { return name == "mem-task-alpha" }), "mem-task-beta")
	s.until("a person does not want it", left...)
	s.end()
	s.start()
	s.until("nor after a restart", left...)

	// Another result of the same task is a revision.
	s.file(".idumb/tasks/beta.json", done("beta", "seen twice"))
	assert.Eventually(t, func() bool { return len(s.mems()) == len(left)+1 }, 10*time.Second, 10*time.Millisecond)
	i := slices.IndexFunc(s.mems(), func(name string) bool { return strings.HasPrefix(name, "mem-task-beta-") })
	require.GreaterOrEqual(t, i, 0)
	assert.Contains(t, s.text(s.mems()[i]), `"supersedes": "mem-task-beta"`)

	// A clone that knows nothing of this machine makes nothing that is there, and nothing that
	// a commit deleted.
	s.git(daysAgo(0), "add", "-f", ".idumb/mems")
	s.git(daysAgo(0), "commit", "-q", "-m", "mems")
	s.git(daysAgo(0), "rm", "-q", ".idumb/mems/mem-task-open.json")
	s.git(daysAgo(0), "commit", "-q", "-m", "out")
	s.end()
	all := s.mems()
	require.NoError(t, os.RemoveAll(s.path(".idumb/run")))
	s.start()
	s.until("a clone", append(all, "mem-task-alpha")...) // its deletion was never committed
	assert.NotContains(t, s.mems(), "mem-task-open")
	s.end()
}

// TestManyAreDerivedTogether: more than are written at once, each of them seen by the next.
func TestManyAreDerivedTogether(t *testing.T) {
	s := repository(t)
	var want []string
	for i := range derivedAtOnce + 40 {
		name := fmt.Sprintf("many-%03d", i)
		says := name
		if i == derivedAtOnce-1 || i == derivedAtOnce+1 {
			says = "many-000" // in the same change, and in the next one
		} else {
			want = append(want, name)
		}
		s.file(".idumb/tasks/"+name+".json", `{"spec": {"workPlan": "plan", "expectedOutput": "`+says+` works", "state": "completed", "result": {"evidence": "seen"}}}`)
	}
	s.start()
	defer func() { s.end() }()
	require.Eventually(t, func() bool { return len(s.mems()) >= len(want) }, 30*time.Second, 20*time.Millisecond)
	time.Sleep(3 * derivedAfter)
	require.Len(t, s.mems(), len(want), "what says the same is there once")
	for _, name := range want {
		assert.True(t, slices.ContainsFunc(s.mems(), func(mem string) bool { return strings.Contains(mem, name) }), name)
	}
	before := s.mems()
	s.file(".idumb/tasks/many-007.json", `{"spec": {"workPlan": "plan", "expectedOutput": "many-007 works", "state": "completed", "result": {"evidence": "seen again"}}}`)
	require.Eventually(t, func() bool { return len(s.mems()) == len(before)+1 }, 10*time.Second, 20*time.Millisecond, "a source that says something else is looked at again")
}

// Whoever writes while the mems of many tasks are made gets in between.
func TestWritersGetInBetween(t *testing.T) {
	s := repository(t)
	const many = 4 * derivedAtOnce
	for i := range many {
		s.file(fmt.Sprintf(".idumb/tasks/many-%03d.json", i), fmt.Sprintf(`{"spec": {"workPlan": "p", "expectedOutput": "thing %d works", "state": "completed", "result": {"evidence": "seen"}}}`, i))
	}
	s.start()
	defer s.end()
	between := 0
	for began := time.Now(); time.Since(began) < time.Minute; {
		require.NoError(t, s.store.Update(t.Context(), func(store.Tx) error { return nil }))
		made := len(s.mems())
		if made == many {
			break
		}
		if made > 0 {
			between++
		}
	}
	assert.Positive(t, between)
	assert.Len(t, s.mems(), many)
}
