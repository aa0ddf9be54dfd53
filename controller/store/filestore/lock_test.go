package filestore

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestWhoWaitsIsToldForWhom(t *testing.T) {
	one := empty(t)
	two, err := Open(string(one.root))
	require.NoError(t, err)
	held, err := one.lock(t.Context())
	require.NoError(t, err)

	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, errLocked)
	defer cancel()
	_, err = two.lock(ctx)
	require.ErrorIs(t, err, errLocked)
	assert.ErrorContains(t, err, "filestore.test")
	assert.ErrorContains(t, err, ".idumb/run/lock")

	ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = two.lock(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded, "the caller's own patience is not ours")

	held.unlock()
	held, err = two.lock(t.Context())
	require.NoError(t, err)
	held.unlock()
	info, err := os.Stat(one.root.Abs(layout.WriteLock))
	require.NoError(t, err)
	assert.Zero(t, info.Size(), "nobody holds it")
}

func TestTheLockIsNoLink(t *testing.T) {
	s := empty(t)
	outside := t.TempDir() + "/target"
	require.NoError(t, os.WriteFile(outside, []byte("precious"), 0o644))
	require.NoError(t, os.Mkdir(s.root.Abs(layout.RunDir), 0o700))
	require.NoError(t, os.Symlink(outside, s.root.Abs(layout.WriteLock)))
	_, err := s.Put(t.Context(), task("a"), []byte("1"), "")
	require.Error(t, err)
	data, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, "precious", string(data))
}
