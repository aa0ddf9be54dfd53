package githistory

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestLeftOut(t *testing.T) {
	r := newRepo(t)
	r.write("src/a.go", "package a\n")
	r.write(".idumb/config.json", "{}\n")
	r.write(".idumb/tasks/a.json", openTask)
	r.git(day(1), "add", ".")
	commit := r.commit(day(1), "one")
	why, _ := LeftOut(r.root)
	assert.Empty(t, why)
	require.NoError(t, os.RemoveAll(r.root.Abs(layout.Dir)))
	why, _ = LeftOut(r.root)
	assert.Empty(t, why, "a user removed it")
	r.git(day(1), "checkout", "--", ".")

	for _, set := range [][]string{{"sparse-checkout", "set", "src"}, {"sparse-checkout", "set", "--sparse-index", "src"}} {
		r.git(day(2), set...)
		root, why, command := LeftOutOf(r.root.Abs("src"))
		assert.Equal(t, "a sparse checkout leaves .idumb out of the working tree", why, set)
		assert.Equal(t, "git sparse-checkout add .idumb", command)
		assert.Equal(t, r.root, root)
		r.git(day(2), "sparse-checkout", "add", ".idumb")
		_, why, _ = LeftOutOf(r.root.Abs("src"))
		assert.Empty(t, why, "it is back")
		assert.FileExists(t, r.root.Abs(".idumb/tasks/a.json"))
	}
	r.git(day(2), "sparse-checkout", "disable")

	r.git(day(3), "checkout", "-q", "--orphan", "pages")
	why, _ = LeftOut(r.root)
	assert.Empty(t, why, "the files are still there")
	r.git(day(3), "rm", "-rfq", ".")
	_, why, command := LeftOutOf(string(r.root))
	assert.Contains(t, why, "no commit yet")
	assert.Equal(t, "git checkout "+commit[:12]+" -- .idumb", command)
	_, missing := layout.Find(string(r.root))
	var absent *AbsentError
	require.ErrorAs(t, Absence(string(r.root), missing), &absent)
	assert.ErrorIs(t, absent, layout.ErrNoRoot)
	assert.Equal(t, command, absent.Command)
	r.git(day(3), "checkout", commit[:12], "--", ".idumb")
	why, _ = LeftOut(r.root)
	assert.Empty(t, why, "it is back")
}
