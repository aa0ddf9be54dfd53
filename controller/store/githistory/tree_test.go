package githistory

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTree(t *testing.T) {
	r := newRepo(t)
	large := strings.Repeat("x", maxBlob+1)
	for name, text := range map[string]string{"a.go": "package a\n", "b b/c.md": "", "large.txt": large, ".idumb/tasks/t.json": "{}"} {
		r.write(name, text)
	}
	r.git(day(1), "add", "-f", ".")
	first := r.commit(day(1), "one")
	r.write("a.go", "package b\n")
	r.git(day(2), "rm", "-q", "b b/c.md")
	r.git(day(2), "add", "a.go")
	r.commit(day(2), "two")

	tree, err := OpenTree(t.Context(), r.root, "HEAD~1")
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(first), tree.Commit)
	assert.Equal(t, []string{"a.go", "b b/c.md", "large.txt"}, tree.Paths())
	for range 2 {
		data, err := tree.Read("a.go")
		require.NoError(t, err)
		assert.Equal(t, "package a\n", string(data))
		_, err = tree.Read("large.txt")
		assert.ErrorContains(t, err, "larger than 1 MiB")
		data, err = tree.Read("b b/c.md")
		require.NoError(t, err)
		assert.Empty(t, data)
		_, err = tree.Read("nothing")
		assert.ErrorIs(t, err, fs.ErrNotExist)
	}
	assert.NoError(t, tree.Close())
	assert.Equal(t, map[string]bool{"b b/c.md": true}, Removed(t.Context(), r.root, "HEAD"))
	assert.Empty(t, Removed(t.Context(), r.root, "HEAD~1"))
	require.NoError(t, os.Remove(r.root.Abs("a.go")))
	assert.Equal(t, map[string]bool{"b b/c.md": true, "a.go": true}, Removed(t.Context(), r.root, ""))
	for _, wrong := range []string{"nothing", "--help", "HEAD:a.go", ""} {
		_, err = OpenTree(t.Context(), r.root, wrong)
		assert.ErrorContains(t, err, "no revision", wrong)
	}
}

// What git prints of a tree that strangers made names files below the root, or none.
func FuzzList(f *testing.F) {
	blob := strings.Repeat("a", 40)
	f.Add("100644 blob " + blob + "\ta b.go\x00120000 blob " + blob + "\tlink\x00160000 commit " + blob + "\tsub\x00")
	f.Add("100755 blob \t\x00\x00 x\t100644 blob " + blob + "\t.idumb/tasks/a.json")
	f.Fuzz(func(t *testing.T, listed string) {
		tree := &Tree{ids: map[string]string{}}
		tree.list(listed)
		assert.IsIncreasing(t, append([]string{""}, tree.paths...))
		for _, path := range tree.paths {
			assert.NotEmpty(t, hexOf(tree.Blob(path)))
			assert.False(t, strings.HasPrefix(path, ".idumb/"))
		}
	})
}
