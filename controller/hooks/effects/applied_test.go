package effects

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// TestAppliedWords: a file with a record of a session is found however -f is written.
func TestAppliedWords(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "ses.yaml"), []byte("kind: Session\nmetadata:\n  name: s1\n"), 0o600))
	r := Resolver{Root: root, Cwd: root}
	for _, words := range [][]string{
		{"idumb", "apply", "-f", "ses.yaml"}, {"idumb", "apply", "-Af", "ses.yaml"}, {"idumb", "delete", "-Af", "ses.yaml"},
		{"idumb", "delete", "-ARfses.yaml"}, {"idumb", "apply", "-n", "x", "--filename=ses.yaml"},
	} {
		assert.NotEmpty(t, r.Applied([]command.Run{command.RunOf(words...)}).Changes, words)
	}
	assert.NotEmpty(t, r.Applied([]command.Run{command.RunOf("idumb", "patch", "task", "a", "-Ap", `{"spec":{"state":"completed"}}`)}).Amounts)
}

// TestDecidingElsewhere: an agent decides nothing in another repository, whichever way it gets there.
func TestDecidingElsewhere(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	r := Resolver{Root: filepath.Join(base, "here"), Cwd: filepath.Join(base, "here")}
	require.NoError(t, os.MkdirAll(filepath.Join(r.Root, "src"), 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(base, "other"), 0o700))
	moved := command.RunOf("idumb", "decide", "accept", "d")
	moved.Dir = "../other"
	for words, denied := range map[*command.Run]bool{
		run("idumb", "-C", "../other", "decide", "accept", "d"):         true,
		run("idumb", "supersede", "-C../other", "decision", "d"):        true,
		run("idumb", "delete", "-AC", "../other", "decisions", "--all"): true,
		&moved: true,
		run("idumb", "-C", "src", "decide", "accept", "d"):                   false,
		run("idumb", "decide", "accept", "d"):                                false,
		run("idumb", "-C", "../other", "decide", "Use it", "--because", "x"): false,
		run("idumb", "-C", "../other", "decide", "accept", "d", "--dry-run"): false,
		run("idumb", "-C", "../other", "get", "decisions"):                   false,
	} {
		assert.Equal(t, denied, len(r.Applied([]command.Run{*words}).Changes) > 0, words.Words)
	}
}

func run(words ...string) *command.Run {
	r := command.RunOf(words...)
	return &r
}

// Only a regular file that is not too long is opened.
func TestObjectsOf(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.json")
	require.NoError(t, os.WriteFile(name, []byte(`{"kind": "TaskNode", "metadata": {"name": "a"}, "spec": {}}`), 0o600))
	info, err := os.Stat(name)
	require.NoError(t, err)
	objects, why := objectsOf(name, info)
	assert.Len(t, objects, 1)
	assert.Empty(t, why)
	info, err = os.Stat(dir)
	require.NoError(t, err)
	_, why = objectsOf(dir, info)
	assert.Contains(t, why, "is no regular file")
	require.NoError(t, os.WriteFile(name, make([]byte, layout.MaxSpec+1), 0o600))
	info, err = os.Stat(name)
	require.NoError(t, err)
	_, why = objectsOf(name, info)
	assert.Contains(t, why, "is too long to be looked at")
}
