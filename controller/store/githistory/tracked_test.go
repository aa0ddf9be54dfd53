package githistory

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// An index that is split into two files is one that only git reads.
func TestTrackedAsksGitWhereItMust(t *testing.T) {
	root := layout.Root(t.TempDir())
	names, err := Tracked(t.Context(), root)
	require.NoError(t, err)
	assert.Empty(t, names, "there is no git")
	for _, args := range [][]string{{"init", "-q"}, {"add", "a b", "c"}, {"update-index", "--split-index"}} {
		for _, name := range []string{"a b", "c"} {
			require.NoError(t, os.WriteFile(root.Abs(name), nil, 0o600))
		}
		c := exec.Command("git", args...)
		c.Dir = string(root)
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	assert.Empty(t, root.Tracked(), "it cannot be read without git")
	names, err = Tracked(t.Context(), root)
	require.NoError(t, err)
	assert.Equal(t, []string{"a b", "c"}, names)
}
