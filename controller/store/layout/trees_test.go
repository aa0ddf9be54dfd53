package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTrees(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	main := filepath.Join(home, "shop")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost", "-C", main}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(main, Dir), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(main, Dir, "config.json"), []byte("{}"), 0o644))
	git("init", "-q")
	assert.Empty(t, Root(main).Trees(), "it has one tree")
	git("add", "-A")
	git("commit", "-qm", "begin")
	one, two, bare := filepath.Join(home, "one"), filepath.Join(home, "two"), filepath.Join(home, "bare")
	git("worktree", "add", "-q", two)
	git("worktree", "add", "-q", one)
	git("worktree", "add", "-q", bare)
	require.NoError(t, os.RemoveAll(filepath.Join(bare, Dir)))
	assert.Equal(t, []Root{Root(one), Root(two)}, Root(main).Trees(), "one has no .idumb")
	assert.Equal(t, []Root{Root(main), Root(two)}, Root(one).Trees())
	require.NoError(t, os.RemoveAll(two))
	assert.Equal(t, []Root{Root(main)}, Root(one).Trees(), "one was deleted")
	stranger := filepath.Join(home, "stranger")
	require.NoError(t, os.MkdirAll(filepath.Join(stranger, Dir), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(stranger, ".git"), []byte("gitdir: "+filepath.Join(main, ".git", "worktrees", "one")+"\n"), 0o644))
	assert.Equal(t, []Root{Root(main)}, Root(one).Trees(), "who says so alone is none")
	assert.Empty(t, Root(stranger).Trees())
}
