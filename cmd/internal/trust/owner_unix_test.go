//go:build unix

package trust

import (
	"os"
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
