//go:build unix

package controllerprocess

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNoControllerInAnotherUsersTree(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	root := repository(t)
	require.NoError(t, os.Lchown(filepath.Join(root, ".idumb"), 1234, -1))
	const want = "belongs to user 1234, and this is user 0"
	assert.ErrorContains(t, Run(t.Context(), Options{Root: root}), want)
	assert.ErrorContains(t, Foreground(t.Context(), Options{Root: root}), want)
	_, err := Start(t.Context(), root)
	assert.ErrorContains(t, err, want)
	assert.NoFileExists(t, filepath.Join(root, ".idumb", "run", "controller.lock"))
}
