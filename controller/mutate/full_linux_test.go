package mutate

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// endless is text without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestApplyOnAFullDisk(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size=3m"); err != nil {
		t.Skip("a small disk cannot be mounted here: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(root, 0)) })
	repo := opened(t, root)
	applied, err := repo.Apply(t.Context(), many(t, 1000, "old"), CreateOrReplace)
	var stopped *Stopped
	require.ErrorAs(t, err, &stopped)
	require.ErrorIs(t, err, syscall.ENOSPC)
	assert.Equal(t, 1000, stopped.Total)
	assert.Equal(t, stopped.Done, written(t, root, "old"))
	assert.Greater(t, stopped.Done, 256)
	done := 0
	for _, a := range applied {
		assert.NoError(t, a.Err)
		if a.Operation == Created {
			done++
		}
	}
	assert.Equal(t, stopped.Done, done, "it says of each what became of it")

	// Full from the beginning: nothing is lost, and with room again all is made.
	fill, err := os.Create(filepath.Join(root, "fill"))
	require.NoError(t, err)
	_, err = io.Copy(fill, endless{})
	require.True(t, errors.Is(err, syscall.ENOSPC), err)
	require.NoError(t, fill.Close())
	_, err = repo.Apply(t.Context(), many(t, done, "new"), CreateOrReplace)
	require.ErrorAs(t, err, &stopped)
	assert.Equal(t, stopped.Done, written(t, root, "new"))
	assert.Equal(t, done-stopped.Done, written(t, root, "old"))
	require.NoError(t, syscall.Mount("tmpfs", root, "tmpfs", syscall.MS_REMOUNT, "size=64m"))
	_, err = repo.Apply(t.Context(), many(t, done, "new"), CreateOrReplace)
	require.NoError(t, err)
	assert.Equal(t, done, written(t, root, "new"))
}
