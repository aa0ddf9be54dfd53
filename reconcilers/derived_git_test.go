package reconcilers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// gitStage is a repository of git, with a commit and a plan in it.
func gitStage(t *testing.T) *stage {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	s := repository(t)
	require.NoError(t, os.RemoveAll(s.path(".git")))
	s.git(daysAgo(0), "init", "-q", "-b", "main")
	s.commit("chore: begin")
	return s
}

func (s *stage) commit(message string) {
	s.t.Helper()
	s.git(daysAgo(0), "commit", "-q", "--allow-empty", "-m", message)
}

// made waits until some mem says that text, and returns its name.
func (s *stage) made(text string) string {
	s.t.Helper()
	var found string
	require.Eventually(s.t, func() bool {
		for _, name := range s.mems() {
			if data, err := os.ReadFile(s.path(".idumb/derived/mems/" + name + ".json")); err == nil && strings.Contains(string(data), text) {
				found = name
				return true
			}
		}
		return false
	}, 10*time.Second, 10*time.Millisecond, text)
	return found
}

// Commits in a linked worktree, whose git folder stands elsewhere, and in a folder of a
// larger repository are seen while the controller runs.
func TestMemsAreDerivedOfCommitsElsewhere(t *testing.T) {
	t.Parallel()
	main := gitStage(t)
	tree := filepath.Join(t.TempDir(), "tree")
	main.git(daysAgo(0), "worktree", "add", "-q", "-b", "side", tree)
	for name, root := range map[string]string{"a linked worktree": tree, "a folder in it": filepath.Join(tree, "below")} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.MkdirAll(filepath.Join(root, ".idumb"), 0o755))
			s := stageAt(t, root)
			s.repo = mutate.Open(s.store, time.Now, false)
			s.plan("plan", "")
			s.commit("decision: known before " + filepath.Base(root))
			s.start()
			s.made("known before " + filepath.Base(root))
			s.commit("decision: made while it runs in " + filepath.Base(root))
			s.made("made while it runs in " + filepath.Base(root))
			s.git(daysAgo(0), "checkout", "-q", "-b", "other-"+filepath.Base(root))
			s.commit("decision: on another branch of " + filepath.Base(root))
			s.made("on another branch of " + filepath.Base(root))
			s.end()
		})
	}
}

// A mem is not made again after it was archived or a commit deleted it, even the only one.
func TestUnwantedMems(t *testing.T) {
	t.Parallel()
	s := gitStage(t)
	s.file(".idumb/mems/deleted.json", `{"spec": {"content": "x"}}`)
	s.git(daysAgo(0), "add", "-f", ".idumb/mems")
	s.commit("mem")
	s.git(daysAgo(0), "rm", "-q", ".idumb/mems/deleted.json")
	s.commit("out")
	s.file(".idumb/archive/mems/archived.json", `{"spec": {"content": "x"}}`)
	head := s.git(daysAgo(0), "rev-parse", "HEAD")
	for _, names := range [][]string{{"deleted"}, {"archived"}, {"deleted", "archived", "wanted"}} {
		p := &derivation{head: head, digest: map[string]string{}}
		for _, name := range names {
			p.digest[name] = "x"
		}
		d := &deriver{root: layout.Root(s.root)}
		require.NoError(t, d.dropUnwanted(t.Context(), p))
		delete(p.digest, "wanted")
		require.Empty(t, p.digest, names)
	}
}

// What is remembered of commits is what the commits that HEAD leads to say, whatever was amended,
// rebased, dropped or left meanwhile.
func TestRewrittenCommits(t *testing.T) {
	t.Parallel()
	s := gitStage(t)
	s.start()
	s.commit("decision: use postgers")
	first := s.made("use postgers")
	s.git(daysAgo(0), "commit", "-q", "--amend", "--allow-empty", "-m", "decision: use postgres")
	second := s.made("use postgres")
	s.until("amended", second)
	require.NotEqual(t, first, second)

	s.git(daysAgo(0), "checkout", "-q", "-b", "side")
	s.commit("decision: tried on the side")
	side := s.made("tried on the side")
	s.git(daysAgo(0), "checkout", "-q", "main")
	s.until("main knows nothing of it", second)
	s.commit("decision: from main")
	last := s.made("from main")
	s.git(daysAgo(0), "checkout", "-q", "side")
	s.git(daysAgo(0), "rebase", "-q", "--keep-empty", "main")
	s.until("rebased", second, side, last)

	// While it is away, one is amended.
	s.git(daysAgo(0), "checkout", "-q", "main")
	s.until("main again", second, last)
	s.end()
	s.git(daysAgo(0), "commit", "-q", "--amend", "--allow-empty", "-m", "decision: from main, at last")
	s.start()
	s.until("amended while nobody looked", second, s.made("from main, at last"))
	s.end()
}
