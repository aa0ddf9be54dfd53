package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Lines about a repository are put into a profile and taken out byte for byte; the profile counts as
// ours with them, is renewed with them, and goes with them.
func TestLinesAboutTheRepository(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	h := claudeCode()
	c := Commands{Hook: Command{"idumb-hook", []string{"claude"}}, MCP: Command{Program: "idumb-mcp"}}
	assert.Empty(t, Profiles(root))
	_, err := Install(h, root, c, Options{})
	require.NoError(t, err)
	files := Profiles(root)
	require.Contains(t, files, ".claude/agents/idumb-executor.md")
	file := filepath.Join(root, ".claude/agents/idumb-executor.md")
	before, err := os.ReadFile(file)
	require.NoError(t, err)

	text := FittedText("- to test: `npm test`\n")
	toFit, err := FilesToFit(root, "- to test: `npm test`\n")
	require.NoError(t, err)
	assert.Equal(t, files, toFit)
	for range 2 {
		require.NoError(t, WriteFitted(root, ".claude/agents/idumb-executor.md", text))
		got, err := ReadFitted(root, ".claude/agents/idumb-executor.md")
		require.NoError(t, err)
		assert.Equal(t, text, got)
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(data), fitStart))

	toFit, err = FilesToFit(root, "- to test: `npm run all`\n")
	require.NoError(t, err)
	assert.Contains(t, toFit, ".claude/agents/idumb-executor.md", "of another time")
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(data), "npm test", "make", 1)), 0o644))
	toFit, err = FilesToFit(root, "- to test: `npm test`\n")
	require.NoError(t, err)
	assert.NotContains(t, toFit, ".claude/agents/idumb-executor.md", "a person changed it")
	assert.ErrorIs(t, WriteFitted(root, ".claude/agents/idumb-executor.md", ""), ErrEditedFit)
	assert.ErrorIs(t, WriteFitted(root, ".claude/agents/idumb-executor.md", text), ErrEditedFit)
	edited, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(edited), "make", "a person's lines stay")
	left, err := Uninstall(h, root, c, Options{DryRun: true})
	require.NoError(t, err)
	for _, change := range left {
		assert.Equal(t, change.File != ".claude/agents/idumb-executor.md", change.Changed(), change.File)
	}
	require.NoError(t, os.WriteFile(file, data, 0o644))

	changes, err := Install(h, root, c, Options{})
	require.NoError(t, err)
	for _, change := range changes {
		assert.False(t, change.Changed(), change.File)
		assert.Empty(t, change.Preserved, change.File)
	}
	older := ownedFile{body: "---\nname: x\n---\nolder\n", comment: "#", line: 1}
	require.NoError(t, os.WriteFile(file, append(older.text(), text...), 0o644))
	_, err = Install(h, root, c, Options{})
	require.NoError(t, err)
	data, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(before)+text, string(data), "renewed, with the lines")

	require.NoError(t, WriteFitted(root, ".claude/agents/idumb-executor.md", ""))
	data, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(data))

	require.NoError(t, WriteFitted(root, ".claude/agents/idumb-executor.md", text))
	_, err = Uninstall(h, root, c, Options{})
	require.NoError(t, err)
	assert.NoFileExists(t, file)
}

// A profile that is a link out of the repository is not written through.
func TestLinesStayInTheRepository(t *testing.T) {
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "theirs.md")
	require.NoError(t, os.WriteFile(outside, []byte("theirs\n"), 0o644))
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".claude/agents"), 0o755))
	require.NoError(t, os.Symlink(outside, filepath.Join(root, ".claude/agents/idumb-executor.md")))
	assert.ErrorContains(t, WriteFitted(root, ".claude/agents/idumb-executor.md", FittedText("x\n")), "outside the repository")
	data, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, "theirs\n", string(data))
}

// Whatever a file holds, lines go in and come out, and what stood there is as it was, but for the end
// of its last line.
func FuzzFitted(f *testing.F) {
	f.Add([]byte("---\nname: x\n---\ntext"), "- to test: `npm test`\n")
	f.Add([]byte("a\r\nb\r\n"), "x\n")
	f.Add([]byte(fitStart+"\n"+fitEnd), "")
	f.Add([]byte(fitEnd+"\n"+fitStart), fitEnd)
	f.Fuzz(func(t *testing.T, text []byte, lines string) {
		rest, _ := cutFitted(text)
		if len(rest) == 0 || lineWith(rest, fitStart) >= 0 || strings.Contains(lines, fitEnd) || strings.Contains(lines, "\r") || lines == "" {
			return
		}
		with := withFitted(rest, []byte(FittedText(lines)))
		again, fitted := cutFitted(with)
		lf := func(text []byte) string {
			return strings.TrimRight(strings.ReplaceAll(string(text), "\r\n", "\n"), "\r\n")
		}
		assert.Equal(t, lf(rest), lf(again))
		assert.Equal(t, FittedText(lines), string(fitted))
		assert.False(t, EditedFit(string(fitted)))
	})
}
