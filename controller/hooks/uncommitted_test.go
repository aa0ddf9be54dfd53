package hooks

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSingleFilesAreNotRestoredOverWork: what git's own index says decides, not the words.
func TestSingleFilesAreNotRestoredOverWork(t *testing.T) {
	h := newHouse(t)
	git := func(args ...string) {
		out, err := exec.Command("git", append([]string{"-C", string(h.root), "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	git("init", "-q")
	require.NoError(t, os.WriteFile(h.root.Abs("a.txt"), []byte("one"), 0o600))
	git("add", "a.txt")
	git("commit", "-qm", "x")
	verdict := func(line string) string {
		handler := &handler{repo: openPacking(h.root, trusting(h.root), h.now), event: shellCall("claude", line)}
		return handler.interpreted(handler.repo.resolver(nil, string(h.root))).Verdict.Rule
	}
	for _, line := range []string{"git checkout -- a.txt", "git restore a.txt", "git restore gone.txt"} {
		assert.Empty(t, verdict(line), line)
	}
	require.NoError(t, os.WriteFile(h.root.Abs("a.txt"), []byte("of an hour"), 0o600))
	for _, line := range []string{"git checkout -- a.txt", "git restore a.txt", "git checkout HEAD -- ./a.txt"} {
		assert.Equal(t, "git-discard-some", verdict(line), line)
	}
}
