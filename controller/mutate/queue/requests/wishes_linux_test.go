package requests

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pipe under the queue's name is refused: nobody waits for a reader of it.
func TestAWishIntoAPipe(t *testing.T) {
	root := repository(t)
	require.NoError(t, syscall.Mkfifo(root.Abs(File), 0o600))
	_, err := Append(root, "start", Args{Task: "a"}, time.Now())
	assert.ErrorContains(t, err, File)
	info, err := os.Lstat(root.Abs(File))
	require.NoError(t, err)
	assert.Equal(t, os.ModeNamedPipe, info.Mode().Type())
}
