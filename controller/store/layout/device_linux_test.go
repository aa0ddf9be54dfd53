package layout

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFindStaysOnOneDevice(t *testing.T) {
	top := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(top, Dir), 0o755))
	mount := filepath.Join(top, "mount")
	require.NoError(t, os.MkdirAll(mount, 0o755))
	if err := syscall.Mount("none", mount, "tmpfs", 0, ""); err != nil {
		t.Skip("nothing can be mounted here: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(mount, 0)) })
	_, err := Find(mount)
	require.ErrorIs(t, err, ErrNoRoot)
	_, err = Find(filepath.Dir(mount))
	assert.NoError(t, err)
}
