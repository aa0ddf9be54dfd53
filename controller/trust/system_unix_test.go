//go:build unix

package trust

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNoControllerInAnotherUsersTree(t *testing.T) {
	c := newClone(t)
	require.NoError(t, Owned(c.root))
	for _, self := range []int{0, 1000} {
		assert.ErrorContains(t, ownedBy("/r/.idumb", 1234, self), "run it as user 1234 (sudo -u '#1234' idumb up), or take the tree over (chown -R ")
	}
	assert.NoError(t, ownedBy("/r/.idumb", 0, 0))
	if os.Geteuid() == 0 {
		require.NoError(t, os.Lchown(c.root.Abs(".idumb"), 1234, -1))
		assert.ErrorContains(t, Owned(c.root), "belongs to user 1234, and this is user 0")
	}
}

// In a home that others can write to they could leave a record.
func TestAnotherUsersRecordDoesNotCount(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	c := newClone(t)
	require.NoError(t, c.store().Trust(c.root))
	record := recordIn(c.store().dir, string(c.root))
	require.NoError(t, os.Chown(record, 1234, -1))
	assert.Equal(t, Unknown, c.store().Load(c.root).State())
	require.NoError(t, os.Chown(record, 0, -1))
	assert.Equal(t, Trusted, c.store().Load(c.root).State())
}

// A pipe in the place of a record, or of settings, holds nobody up.
func TestAPipeForARecord(t *testing.T) {
	c := newClone(t)
	require.NoError(t, c.store().Trust(c.root))
	record := recordIn(c.store().dir, string(c.root))
	require.NoError(t, os.Remove(record))
	require.NoError(t, syscall.Mkfifo(record, 0o600))
	assert.Equal(t, Unknown, c.store().Load(c.root).State())
	require.NoError(t, syscall.Mkfifo(c.root.Abs(".mcp.json"), 0o600))
	assert.False(t, SetByRepository(c.root, Variable))
}
