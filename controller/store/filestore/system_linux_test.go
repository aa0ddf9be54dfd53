package filestore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// Both ways of asking, and reading, give the same signature.
func TestLstat(t *testing.T) {
	s := withTasks(t, 1)
	dir := filepath.Join(string(s.root), ".idumb", "tasks")
	require.NoError(t, os.Symlink("task-00000.json", filepath.Join(dir, "link")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	d, err := s.root.Open(".idumb/tasks")
	require.NoError(t, err)
	defer d.Close()
	for _, name := range []string{"task-00000.json", "link", "folder", "missing", strings.Repeat("x", 255), strings.Repeat("x", 256)} {
		got, regular, err := lstat(d, name)
		want, wantRegular, wantErr := lstatLong(d, name)
		assert.Equal(t, want, got, name)
		assert.Equal(t, wantRegular, regular, name)
		assert.Equal(t, wantErr, err, name)
	}
	got, _, err := lstat(d, "task-00000.json")
	require.NoError(t, err)
	_, info, err := d.Read("task-00000.json", layout.MaxSpec)
	require.NoError(t, err)
	assert.Equal(t, signatureOf(info), got)
	assert.Zero(t, testing.AllocsPerRun(100, func() { lstat(d, "task-00000.json") }))
}
