package layout

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// While git holds its lock, what is missing may be on its way.
func TestIndexing(t *testing.T) {
	root := Root(t.TempDir())
	assert.False(t, root.Indexing(), "there is no git")
	require.NoError(t, os.Mkdir(root.Abs(".git"), 0o700))
	assert.False(t, root.Indexing())
	require.NoError(t, os.WriteFile(root.Abs(".git/index.lock"), nil, 0o600))
	assert.True(t, root.Indexing())
}
