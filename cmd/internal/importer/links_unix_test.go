//go:build unix

package importer

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/imports"
)

func TestWhatIsNoFileIsNotRead(t *testing.T) {
	root := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret.json")
	require.NoError(t, os.WriteFile(secret, []byte(`{"mems":[{"id":"s","content":"secret"}]}`), 0o600))
	graph := filepath.Join(root, ".hivemind", "graph")
	require.NoError(t, os.MkdirAll(graph, 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	require.NoError(t, os.Symlink(secret, filepath.Join(graph, "mems.json")))
	require.NoError(t, os.Symlink(filepath.Dir(secret), filepath.Join(root, ".hivemind", "state")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(graph, "tasks.json"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(graph, "plans.json"), []byte(`{"plans":[{"id":"../../x","title":"\u001b[31m"}]}`), 0o600))
	huge, err := os.Create(filepath.Join(graph, "phases.json"))
	require.NoError(t, err)
	require.NoError(t, huge.Truncate(maxFile+1))
	require.NoError(t, huge.Close())

	found, err := Find(root, imports.Formats(imports.Migrated))
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Len(t, found[0].Files, 1)
	assert.Len(t, found[0].Skipped, 3)
	assert.Contains(t, strings.Join(found[0].Skipped, "\n"), "64 MiB")
	migrateAll(t, root, false)
	for path, data := range contents(t, root) {
		assert.NotContains(t, data, "secret", path)
	}
	assert.FileExists(t, filepath.Join(root, ".idumb", "workplans", "x.json"), "a name that wants out stays in its folder")
}

func TestAnotherFolderInItsPlaceIsNotFollowed(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	lay(t, other, older(t, "hivemind"))
	require.NoError(t, os.Symlink(other, filepath.Join(root, ".hivemind")))
	found, err := Find(root, imports.Formats(imports.Migrated))
	require.NoError(t, err)
	assert.Empty(t, found)
}

// What is there and cannot be read is said also where nothing else is there.
func TestLinksAreNamed(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	lay(t, other, older(t, "hivemind"))
	require.NoError(t, os.Symlink(other, filepath.Join(root, ".hivemind")))
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".idumb", "brain"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(other, "graph", "tasks.json"), filepath.Join(root, ".idumb", "brain", "tasks.json")))
	found, err := FindAll(root, imports.Formats(imports.Migrated))
	require.NoError(t, err)
	require.Len(t, found, 2)
	for _, s := range found {
		assert.Empty(t, s.Files)
		assert.Contains(t, strings.Join(s.Skipped, "\n"), "links are not followed")
	}
	found, err = Find(root, imports.Formats(imports.Migrated))
	require.NoError(t, err)
	assert.Empty(t, found, "there is nothing to convert")
}
