package inventory

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// A commit is known as it was, whatever stands in the working tree now.
func TestPast(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "a.go", "package a\n\nfunc A() {}\n")
	write(t, dir, "b.txt", "b\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "one")
	write(t, dir, "a.go", "package a\n\nfunc B() {}\n")
	write(t, dir, "c.go", "package a\n")

	i := New(layout.Root(dir), 1)
	level(t, i)
	for range 2 { // the second time from what is known by content
		past, err := i.Revision(t.Context(), "HEAD")
		require.NoError(t, err)
		assert.Equal(t, []string{"a.go", "b.txt"}, past.Paths())
		assert.Equal(t, "A", past.Facts("a.go").Symbols[0].Name)
		assert.Empty(t, past.Facts("b.txt"))
		assert.Empty(t, past.Facts("c.go"))
		_, err = past.Read("c.go")
		assert.ErrorIs(t, err, fs.ErrNotExist)
		require.NoError(t, past.Close())
	}
	assert.Equal(t, "B", i.Facts("a.go").Symbols[0].Name)
	_, err := i.Revision(t.Context(), "nothing")
	assert.ErrorContains(t, err, "no revision")
}
