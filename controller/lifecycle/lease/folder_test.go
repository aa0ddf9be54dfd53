package lease

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// TestALockedFolderIsNoController: another program may keep .idumb locked, and the message does not call it a
// controller that runs.
func TestALockedFolderIsNoController(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, layout.Dir), 0o755))
	folder := flock.New(filepath.Join(root, layout.Dir), flock.SetFlag(os.O_RDONLY))
	if ok, err := folder.TryLock(); err != nil || !ok {
		t.Skip("this system locks no folders")
	}
	defer folder.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := Acquire(ctx, root, "1")
	var running *RunningError
	require.ErrorAs(t, err, &running)
	assert.Contains(t, running.Error(), "keeps the folder .idumb locked")
	assert.NotContains(t, running.Error(), "already running")
}
