package tools

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
)

// Where a clone shares its claims and no controller runs, who ends a task is told that the team does not know.
func TestUntold(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	root := layout.Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
	require.NoError(t, exec.Command("git", "init", "-q", string(root)).Run())
	assert.Empty(t, TeamNote(t.Context(), root))
	require.NoError(t, sync.Save(root, os.Getenv, &sync.Settings{Engine: sync.EngineGit, Remote: "r", Clone: "c"}))
	assert.Contains(t, TeamNote(t.Context(), root), "idumb sync now")
}
