package filestore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// empty opens the store of a new repository.
func empty(tb testing.TB) *Store {
	tb.Helper()
	root := tb.TempDir()
	require.NoError(tb, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	s, err := Open(root)
	require.NoError(tb, err)
	return s
}
