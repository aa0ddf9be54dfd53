package lifecycle

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func repository(t *testing.T) layout.Root {
	root := layout.Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
	return root
}

func begin(t *testing.T, root layout.Root, at time.Time) error {
	t.Helper()
	f, err := RecordStart(root, at)
	if err == nil {
		require.NoError(t, f.Close())
	}
	return err
}

func TestThreeStartsInTenMinutes(t *testing.T) {
	root, now := repository(t), time.Now()
	for i := range MaxStarts {
		assert.False(t, StartsSpent(root, now))
		require.NoError(t, begin(t, root, now.Add(time.Duration(i)*time.Minute)))
	}
	later := now.Add(3 * time.Minute)
	assert.ErrorIs(t, begin(t, root, later), ErrRestartLimit)
	assert.True(t, StartsSpent(root, later))
	assert.False(t, StartsSpent(root, now.Add(StartWindow)), "the first one does not count any more")
	require.NoError(t, begin(t, root, now.Add(StartWindow)))
	assert.ErrorIs(t, begin(t, root, now.Add(StartWindow)), ErrRestartLimit)
	require.NoError(t, AllowStart(root), "a user starts one")
	require.NoError(t, begin(t, root, later))
}

func TestAWrongClockKeepsNobodyFromStarting(t *testing.T) {
	root, now := repository(t), time.Now()
	for range MaxStarts {
		require.NoError(t, begin(t, root, now.Add(time.Hour)))
	}
	require.NoError(t, begin(t, root, now))
}

func TestOneStartAtATime(t *testing.T) {
	root, now := repository(t), time.Now()
	f, err := RecordStart(root, now)
	require.NoError(t, err)
	for range 2 * MaxStarts {
		assert.ErrorIs(t, begin(t, root, now), ErrStarting)
	}
	require.NoError(t, f.Close())
	require.NoError(t, begin(t, root, now), "those that did not start count for nothing")
}

func TestStopped(t *testing.T) {
	root := repository(t)
	require.NoError(t, AllowStart(root), "nobody stopped it")
	assert.False(t, Stopped(root))
	require.NoError(t, Stop(root))
	require.NoError(t, Stop(root))
	assert.True(t, Stopped(root))
	require.NoError(t, AllowStart(root))
	assert.False(t, Stopped(root))
}

// A repository may come with a file that is a link to somebody's.
func TestLinksAreNotFollowed(t *testing.T) {
	root := repository(t)
	victim := root.Abs("victim")
	require.NoError(t, os.WriteFile(victim, []byte("precious"), 0o600))
	require.NoError(t, os.Mkdir(root.Abs(layout.RunDir), 0o700))
	require.NoError(t, os.Symlink(victim, root.Abs(layout.StartsFile)))
	assert.Error(t, begin(t, root, time.Now()))
	assert.Error(t, ResetStarts(root))
	data, err := os.ReadFile(victim)
	require.NoError(t, err)
	assert.Equal(t, "precious", string(data))
}
