package lease

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

func newRoot(t *testing.T) layout.Root {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, layout.Dir), 0o755))
	return layout.Root(root)
}

func TestOnlyOneHoldsTheLease(t *testing.T) {
	root := newRoot(t)
	lease, err := Acquire(t.Context(), string(root), "v1")
	require.NoError(t, err)
	assert.True(t, root.ControllerAlive())
	_, err = Acquire(t.Context(), string(root), "v2")
	var running *RunningError
	require.ErrorAs(t, err, &running)
	assert.Equal(t, os.Getpid(), running.PID)
	assert.Equal(t, "v1", running.Version)
	assert.Contains(t, err.Error(), "already running")
	require.NoError(t, lease.Release())
	assert.False(t, root.ControllerAlive())
	again, err := Acquire(t.Context(), string(root), "v2")
	require.NoError(t, err)
	require.NoError(t, again.Release())
}

// Whoever asks whether a controller lives locks the file as well, and may be kept from
// letting go of it: that is no controller.
func TestWhoAsksForALongTimeIsNoController(t *testing.T) {
	root := newRoot(t)
	first, err := Acquire(t.Context(), string(root), "v1")
	require.NoError(t, err)
	require.NoError(t, first.Release())
	asking := flock.New(root.Abs(layout.ControllerLock))
	require.NoError(t, asking.RLock())
	time.AfterFunc(3*leaseTimeout, func() { asking.Unlock() })
	lease, err := Acquire(t.Context(), string(root), "v2")
	require.NoError(t, err, "nobody holds it")
	require.NoError(t, lease.Release())
}

func TestTheLeaseNeedsAStore(t *testing.T) {
	_, err := Acquire(t.Context(), t.TempDir(), "v1")
	assert.ErrorIs(t, err, store.ErrGone)
}

// A controller whose lock file was removed still keeps the next one waiting until it ends.
func TestTheNextWaitsForOneThatLostItsFile(t *testing.T) {
	root := newRoot(t)
	first, err := Acquire(t.Context(), string(root), "v1")
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(root.Abs(layout.RunDir)))
	assert.False(t, first.IsHeld())
	var released atomic.Bool
	early := make(chan bool, 1)
	go func() {
		second, err := Acquire(t.Context(), string(root), "v2")
		early <- !released.Load()
		assert.NoError(t, err)
		assert.NoError(t, second.Release())
	}()
	require.Eventually(t, root.ControllerAlive, 10*time.Second, time.Millisecond, "it holds the new file")
	released.Store(true)
	require.NoError(t, first.Release())
	assert.False(t, <-early, "two controllers at once")
}

// A repository may come with a lock file that is a link to somebody's file.
func TestTheLeaseDoesNotFollowLinks(t *testing.T) {
	root := newRoot(t)
	victim := filepath.Join(t.TempDir(), "victim")
	require.NoError(t, os.WriteFile(victim, []byte("precious"), 0o600))
	require.NoError(t, os.Mkdir(root.Abs(layout.RunDir), 0o755))
	require.NoError(t, os.Symlink(victim, root.Abs(layout.ControllerLock)))
	_, err := Acquire(t.Context(), string(root), "v1")
	require.Error(t, err)
	data, err := os.ReadFile(victim)
	require.NoError(t, err)
	assert.Equal(t, "precious", string(data))
}

func TestALeaseIsRenewedInAStoreThatCameBack(t *testing.T) {
	root := newRoot(t)
	lease, err := Acquire(t.Context(), string(root), "v1")
	require.NoError(t, err)
	require.NoError(t, lease.Renew(t.Context()), "nothing happened")

	require.NoError(t, os.Rename(root.Abs(layout.Dir), root.Abs("away")))
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
	assert.False(t, root.ControllerAlive())
	require.NoError(t, lease.Renew(t.Context()))
	assert.True(t, root.ControllerAlive())

	require.NoError(t, os.RemoveAll(root.Abs(layout.Dir)))
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
	other, err := Acquire(t.Context(), string(root), "v2")
	require.NoError(t, err)
	var running *RunningError
	assert.True(t, errors.As(lease.Renew(t.Context()), &running), "another one was faster")
	require.NoError(t, other.Release())
}
