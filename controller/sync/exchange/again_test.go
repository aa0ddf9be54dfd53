package exchange

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// discard is idumb delete: the file goes, and a tombstone says so until it is told.
func (c *clone) discard(key resources.Key) {
	stones := map[resources.Key]bool{key: true}
	c.x.Removed = func() (keys []resources.Key, err error) {
		for key := range stones {
			keys = append(keys, key)
		}
		return keys, nil
	}
	c.x.Notify = func(keys ...resources.Key) error {
		for _, key := range keys {
			delete(stones, key)
		}
		return nil
	}
	c.remove(key)
}

// What was removed here and changed by others meanwhile is back, and the tombstone is over: that its file goes
// missing later says nothing.
func TestATombstoneEndsWhereTheTeamWentOn(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	b.edit(key, `"T"`, `"B"`)
	b.must()
	a.discard(key)
	assert.Equal(t, []resources.Key{key}, a.must().Marked)
	assert.Contains(t, a.read(key), `"B"`)
	a.remove(key)
	assert.Equal(t, []resources.Key{key}, a.must().PutBack)
	b.must()
	assert.Contains(t, b.read(key), `"B"`)
}

// What was removed here, and made again by others as it was, stands: the tombstone is about what was there
// before, also where nobody heard that the team was told.
func TestATombstoneIsNotForWhatIsMadeAgain(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	a.discard(key)
	cut := true
	a.way.after = func() bool { defer func() { cut = false }(); return cut }
	_, err := a.round()
	require.ErrorIs(t, err, errCut)
	assert.Equal(t, []resources.Key{key}, b.must().SetAside)
	require.NoError(t, b.store.Restore(t.Context(), key))
	b.touch(key)
	assert.Equal(t, []resources.Key{key}, b.must().Pushed)
	a.must()
	assert.Equal(t, plain, a.read(key))
	b.must()
	assert.Equal(t, plain, b.read(key))
}

// Who removes it after they saw that it was made again removes that.
func TestWhatIsMadeAgainCanBeRemoved(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	a.discard(key)
	a.must()
	a.write(key, plain)
	a.must()
	b.must() // to it nothing happened
	require.Equal(t, plain, b.read(key))
	b.discard(key)
	b.must()
	a.must()
	assert.Empty(t, append(a.marks(), b.marks()...))
	assert.Empty(t, a.read(key)+b.read(key))
}
