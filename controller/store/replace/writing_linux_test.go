package replace

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// opens has an editor open the file right before it changes, and empty and write it only afterwards, as
// an editor does that waits for the disk between the two.
func opens(t *testing.T, run func(path string) error) (left string) {
	path := filepath.Join(t.TempDir(), "task.json")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	done := make(chan error)
	beforeSwap = func(path string) {
		beforeSwap = nil
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		require.NoError(t, err)
		go func() {
			time.Sleep(20 * time.Millisecond)
			err := f.Truncate(0)
			if err == nil {
				_, err = f.WriteString("the editor's")
			}
			f.Close()
			done <- err
		}()
	}
	defer func() { beforeSwap = nil }()
	assert.ErrorIs(t, run(path), ErrChanged)
	require.NoError(t, <-done)
	return read(t, path)
}

// TestAnOpenFileIsWaitedFor: a save of an editor that opened the file before the change, and writes
// after it, stays.
func TestAnOpenFileIsWaitedFor(t *testing.T) {
	assert.Equal(t, "the editor's", opens(t, func(path string) error { return File(path, []byte("old"), []byte("ours"), 0o600) }))
	assert.Equal(t, "the editor's", opens(t, func(path string) error { return Remove(path, []byte("old")) }))
}

// TestAFileThatStaysOpenIsNotReplaced: a process that does not close the file ends the wait.
func TestAFileThatStaysOpenIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "task.json")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	require.ErrorIs(t, File(path, []byte("old"), []byte("ours"), 0o600), ErrChanged)
	assert.Equal(t, "old", read(t, path))
	assert.Equal(t, []string{"task.json"}, names(t, filepath.Dir(path)))
}

// TestBothVersionsStayOpen: processes that close neither version do not keep the exchange going for ever.
func TestBothVersionsStayOpen(t *testing.T) {
	dir := t.TempDir()
	d, err := layout.OpenFolder(dir)
	require.NoError(t, err)
	defer d.Close()
	for name, text := range map[string]string{"task.json": "ours", "temp": "old"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY, 0)
		require.NoError(t, err)
		defer f.Close()
	}
	done := make(chan error, 1)
	go func() { done <- SwapBack(d, "task.json", "temp", []byte("ours")) }()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(5 * time.Second):
		t.Fatal("the exchange does not end")
	}
	assert.Equal(t, "old", read(t, filepath.Join(dir, "task.json")))
}
