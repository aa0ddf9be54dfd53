package layout

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// While git holds its lock, what is missing may be on its way.
func TestIndexing(t *testing.T) {
	root := Root(t.TempDir())
	assert.False(t, root.Indexing(), "there is no git")
	require.NoError(t, os.Mkdir(root.Abs(".git"), 0o700))
	assert.False(t, root.Indexing())
	require.NoError(t, os.WriteFile(root.Abs(".git/index.lock"), nil, 0o600))
	assert.True(t, root.Indexing())
	assert.True(t, root.GitAtWork())

	require.NoError(t, os.Rename(root.Abs(".git/index.lock"), root.Abs(".git/index")))
	assert.False(t, root.Indexing())
	assert.True(t, root.GitAtWork(), "HEAD moves after the index")
	past := time.Now().Add(-2 * headSettleTime)
	require.NoError(t, os.Chtimes(root.Abs(".git/index"), past, past))
	assert.False(t, root.GitAtWork())
}

// Of a log that grew too long the newest removals are kept: git may not carry them yet.
func TestRemovalsOutlastOtherWrites(t *testing.T) {
	root, key := Root(t.TempDir()), resources.Key{Kind: resources.Tasks, Name: "a"}
	require.NoError(t, os.MkdirAll(root.Abs(RunDir), 0o700))
	now := time.Now()
	root.RecordWrites([]WriteEntry{{Time: now, Key: key}})
	write := WriteEntry{Time: now, Key: resources.Key{Kind: resources.Tasks, Name: "b"}, Rev: strings.Repeat("x", 1000)}
	for range 2*maxWritten/1000 + 1 {
		root.RecordWrites([]WriteEntry{write})
	}
	assert.True(t, root.RemovedByCommand(key, time.Time{}))
	info, err := os.Stat(root.Abs(WrittenLog))
	require.NoError(t, err)
	assert.Less(t, info.Size(), int64(maxWritten+2000))
}
