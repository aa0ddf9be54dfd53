package daemon

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// gitStage is a repository of git, with a commit and a plan in it.
func gitStage(t *testing.T) *fedStage {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	s := &fedStage{t: t, root: repository(t)}
	require.NoError(t, os.RemoveAll(filepath.Join(s.root, ".git")))
	s.git("init", "-q", "-b", "main")
	s.commit("chore: begin")
	return s
}

func (s *fedStage) commit(message string) {
	s.t.Helper()
	s.git("commit", "-q", "--allow-empty", "-m", message)
}

// made waits until some mem says that text, and returns its name.
func (s *fedStage) made(text string) string {
	s.t.Helper()
	var found string
	require.Eventually(s.t, func() bool {
		for _, name := range s.mems() {
			if data, err := os.ReadFile(filepath.Join(s.root, ".idumb/mems", name+".json")); err == nil && strings.Contains(string(data), text) {
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
func TestCommitsElsewhereAreFed(t *testing.T) {
	main := gitStage(t)
	tree := filepath.Join(t.TempDir(), "tree")
	main.git("worktree", "add", "-q", "-b", "side", tree)
	for name, root := range map[string]string{"a linked worktree": tree, "a folder in it": filepath.Join(tree, "below")} {
		t.Run(name, func(t *testing.T) {
			write(t, root, ".idumb/workplans/plan.json", `{"spec": {"title": "p", "acceptance": ["x"]}}`)
			s := &fedStage{t: t, root: root}
			s.commit("decision: known before " + filepath.Base(root))
			s.start()
			s.made("known before " + filepath.Base(root))
			s.commit("decision: made while it runs in " + filepath.Base(root))
			s.made("made while it runs in " + filepath.Base(root))
			s.git("checkout", "-q", "-b", "other-"+filepath.Base(root))
			s.commit("decision: on another branch of " + filepath.Base(root))
			s.made("on another branch of " + filepath.Base(root))
			s.end()
		})
	}
}
