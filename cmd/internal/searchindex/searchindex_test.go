package searchindex

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/packer/search"
)

func documents(n int) []search.Document {
	list := make([]search.Document, n)
	for i := range list {
		list[i] = search.Document{ID: fmt.Sprintf("mems/m-%03d", i), Revision: "1", Text: fmt.Sprintf("login number %d", i), Confidence: 80}
	}
	return list
}

func TestKeptAndRead(t *testing.T) {
	root := layout.Root(t.TempDir())
	Keep(root, search.New(nil, documents(100)))
	assert.Nil(t, Read(root), "there is no .idumb, and none is made")
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o700))
	assert.Nil(t, Read(root))
	Keep(root, search.New(nil, documents(3)))
	assert.Nil(t, Read(root), "three are analysed faster than a file is read")
	Keep(root, search.New(nil, documents(100)))
	kept := Read(root)
	require.NotEmpty(t, kept)
	assert.False(t, search.New(kept, documents(100)).Stale())
	info, err := os.Stat(root.Abs(layout.SearchIndex))
	require.NoError(t, err)
	assert.Equal(t, "-rw-------", info.Mode().String())
	left, err := filepath.Glob(root.Abs(layout.IndexDir) + "/*")
	require.NoError(t, err)
	assert.Len(t, left, 1, "no temporary file is left")
	Keep(root, search.New(kept, documents(100)))
	again, err := os.Stat(root.Abs(layout.SearchIndex))
	require.NoError(t, err)
	assert.True(t, os.SameFile(info, again), "what is of use is not written again")
}

func TestALinkIsNotFollowed(t *testing.T) {
	root := layout.Root(t.TempDir())
	require.NoError(t, os.MkdirAll(root.Abs(layout.IndexDir), 0o700))
	outside := filepath.Join(t.TempDir(), "outside")
	require.NoError(t, os.WriteFile(outside, []byte("mine"), 0o600))
	if err := os.Symlink(outside, root.Abs(layout.SearchIndex)); err != nil {
		t.Skip("no links here: ", err)
	}
	assert.Nil(t, Read(root))
	Keep(root, search.New(nil, documents(100)))
	data, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(data))
	assert.NotEmpty(t, Read(root), "the link was replaced")
}
