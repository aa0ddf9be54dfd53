//go:build unix

package inventory

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Git opens a .gitignore is a named pipe and waits for ever. Whoever asks does not.
func TestAPipeHoldsNobodyUp(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "a.go", "package a\n")
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, ".gitignore"), 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := List(ctx, layout.Root(dir))
	assert.ErrorContains(t, err, "a .gitignore is a named pipe")
	assert.Less(t, time.Since(began), 10*time.Second)
}
