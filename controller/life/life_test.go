package life

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
	f, err := Begin(root, at)
	if err == nil {
		require.NoError(t, f.Close())
	}
	return err
}

func TestThreeStartsInTenMinutes(t *testing.T) {
	root, now := repository(t), time.Now()
	for i := range MostStarts {
		assert.False(t, Spent(root, now))
		require.NoError(t, begin(t, root, now.Add(time.Duration(i)*time.Minute)))
	}
	later := now.Add(3 * time.Minute)
	assert.ErrorIs(t, begin(t, root, later), ErrSpent)
	assert.True(t, Spent(root, later))
	assert.False(t, Spent(root, now.Add(Within)), "the first one does not count any more")
	require.NoError(t, begin(t, root, now.Add(Within)))
	assert.ErrorIs(t, begin(t, root, now.Add(Within)), ErrSpent)
	require.NoError(t, Want(root), "a user starts one")
	require.NoError(t, begin(t, root, later))
}

func TestAWrongClockKeepsNobodyFromStarting(t *testing.T) {
	root, now := repository(t), time.Now()
	for range MostStarts {
		require.NoError(t, begin(t, root, now.Add(time.Hour)))
	}
	require.NoError(t, begin(t, root, now))
}

func TestOneStartAtATime(t *testing.T) {
	root, now := repository(t), time.Now()
	f, err := Begin(root, now)
	require.NoError(t, err)
	for range 2 * MostStarts {
		assert.ErrorIs(t, begin(t, root, now), ErrUnderWay)
	}
	require.NoError(t, f.Close())
	require.NoError(t, begin(t, root, now), "those that did not start count for nothing")
}

func TestStopped(t *testing.T) {
	root := repository(t)
	require.NoError(t, Want(root), "nobody stopped it")
	assert.False(t, Stopped(root))
	require.NoError(t, Stop(root))
	require.NoError(t, Stop(root))
	assert.True(t, Stopped(root))
	require.NoError(t, Want(root))
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
	assert.Error(t, Rest(root))
	data, err := os.ReadFile(victim)
	require.NoError(t, err)
	assert.Equal(t, "precious", string(data))
}
