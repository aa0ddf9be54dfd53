package agents

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A command is made with its lines and goes with them; what a person wrote beside them stays.
func TestFittedCommands(t *testing.T) {
	root := t.TempDir()
	const file, lines = ".claude/commands/idumb-verify.md", "- test: `npm test`\n"
	toFit := func(lines string) []string {
		files, err := FittedFiles(root, VerifyCommand, lines)
		require.NoError(t, err)
		return files
	}
	assert.Empty(t, toFit(lines), "no host is set up")
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".claude/commands/idumb"), 0o755))
	assert.Equal(t, []string{file}, toFit(lines))
	assert.Empty(t, toFit(""))
	require.NoError(t, WriteFitted(root, file, FittedText(lines)))
	assert.Empty(t, toFit(lines))
	assert.Equal(t, []string{file}, toFit("- test: `make`\n"))

	path := filepath.Join(root, file)
	made, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, VerifyCommand.head()+FittedText(lines), string(made))
	require.NoError(t, WriteFitted(root, file, ""))
	assert.NoFileExists(t, path)

	require.NoError(t, os.WriteFile(path, append([]byte("Mine.\n"), FittedText(lines)...), 0o644))
	require.NoError(t, WriteFitted(root, file, ""))
	left, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "Mine.\n", string(left))
	assert.Empty(t, toFit(lines), "a person's command is left to them")

	require.NoError(t, os.Remove(path))
	require.NoError(t, WriteFitted(root, file, FittedText(lines)))
	_, err = Uninstall(claudeCode(), root, Commands{Hook: Command{"idumb-hook", []string{"claude"}}, MCP: Command{Program: "idumb-mcp"}}, Options{})
	require.NoError(t, err)
	assert.NoFileExists(t, path, "it goes with the host")
}
