//go:build unix

package agents

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Pipes in the place of settings hold nobody up.
func TestPipesForSettings(t *testing.T) {
	root := t.TempDir()
	for _, h := range Hosts() {
		c := FindCommands(h.Name)
		for _, file := range h.Files(root, c) {
			path := filepath.Join(root, file.Path)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, syscall.Mkfifo(path, 0o600))
		}
		assert.Equal(t, Unreadable, Status(h, root, c).Summary(), h.Name)
		ConfiguredIn(h, root, c)
		Conflicts(h, root)
	}
	_, err := readFile(filepath.Join(root, "none"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}
