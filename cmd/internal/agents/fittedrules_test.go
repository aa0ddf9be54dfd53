package agents

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Hosts without profiles in files have the lines in the rules that they read, until the last of them goes; what
// a person wrote there stays.
func TestFittedRules(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	const lines = "- to test: `npm test`\n"
	toFit := func() []string {
		files, err := FilesToFit(root, lines)
		require.NoError(t, err)
		return files
	}
	install := func(h Host, do func(Host, string, Commands, Options) ([]Change, error)) {
		t.Helper()
		_, err := do(h, root, Commands{Hook: Command{"idumb-hook", []string{h.Name}}, MCP: Command{Program: "idumb-mcp"}}, Options{})
		require.NoError(t, err)
	}
	assert.Empty(t, toFit(), "no host is set up")
	path := filepath.Join(root, sharedRules)
	for _, mine := range []string{"", "# Mine\n\nBe kind.\n"} {
		install(codex(), Install)
		install(openCode(), Install)
		assert.Equal(t, []string{sharedRules}, toFit())
		if mine != "" {
			require.NoError(t, os.WriteFile(path, []byte(mine), 0o644))
		}
		require.NoError(t, WriteFitted(root, sharedRules, FittedText(lines)))
		assert.Empty(t, toFit())
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, mine+FittedText(lines), string(text))

		install(codex(), Uninstall)
		assert.FileExists(t, path)
		fitted, err := ReadFitted(root, sharedRules)
		require.NoError(t, err)
		assert.NotEmpty(t, fitted, "the other one reads it still")
		install(openCode(), Uninstall)
		left, err := os.ReadFile(path)
		if assert.Equal(t, mine, string(left)); mine == "" {
			assert.ErrorIs(t, err, os.ErrNotExist)
		}
	}
	install(claudeCode(), Install)
	assert.NotContains(t, toFit(), sharedRules, "it has its own profiles")
}
