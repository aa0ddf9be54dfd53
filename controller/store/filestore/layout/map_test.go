package layout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Map gives what Read gives, and refuses what Read refuses.
func TestMap(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, Dir, "run")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "folder"), 0o755))
	require.NoError(t, os.Symlink("whole", filepath.Join(dir, "link")))
	for name, text := range map[string]string{"whole": strings.Repeat("text ", 2000), "empty": "", "long": strings.Repeat("x", 20_001)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	d, err := Root(root).Open(RunDir)
	require.NoError(t, err)
	defer d.Close()
	for _, name := range []string{"whole", "empty", "long", "link", "folder", "missing"} {
		t.Run(name, func(t *testing.T) {
			want, _, wantErr := d.Read(name, 20_000)
			got, err := d.Map(name, 20_000)
			assert.Equal(t, wantErr, err)
			assert.Equal(t, string(want), string(got))
		})
	}
}
