package inventory

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func scope(t *testing.T, i *Inventory) (s Scope) {
	t.Helper()
	require.NoError(t, i.Ask(context.Background(), func(k Snapshot) { s = k.Scope() }))
	return s
}

func TestIgnoredFilesAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "a.go", "package a\n")
	write(t, dir, "old/b.go", "package b\n")
	write(t, dir, "old/c.md", "# c\n")
	i := New(layout.Root(dir), 1)
	assert.Equal(t, 3, scope(t, i).Files)
	assert.Empty(t, scope(t, i).Omissions())

	write(t, dir, ".idumb/config.json", `{"spec": {"map": {"ignore": ["old/**"]}}}`)
	assert.Equal(t, []string{"2 files are left out: map.ignore of .idumb/config.json names them"}, scope(t, i).Omissions())
	assert.Equal(t, []string{"a.go"}, i.Paths())
	require.NoError(t, i.Ask(context.Background(), func(k Snapshot) { k.Touch("old/b.go") }))
	assert.Equal(t, []string{"a.go"}, i.Paths(), "who edits it does not bring it back")
}

// Of a tree that is too large, what somebody works on is looked at, and each answer says so.
func TestLargeTreesAreLookedAtInPart(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for _, file := range []string{"go.mod", "api/go.mod", "api/cmd/main.go", "api/auth/auth.go", "web/src/a.ts", "web/src/b.ts", "webs/c.ts"} {
		write(t, dir, file, "package a\n")
	}
	i := New(layout.Root(dir), 1)
	i.limit.files = 5
	assert.Equal(t, []string{"6 files are left out: the tree is too large to index completely, and no query named a file of their workspaces"}, scope(t, i).Omissions())
	assert.Equal(t, []string{"go.mod"}, i.Paths())
	i.RecordUse("api/auth/auth.go#Login")
	assert.Equal(t, 3, scope(t, i).Omitted[manyFiles])
	assert.Equal(t, []string{"api/auth/auth.go", "api/cmd/main.go", "api/go.mod", "go.mod"}, i.Paths(), "the workspace of what was named")
	require.NoError(t, i.Ask(context.Background(), func(k Snapshot) { k.Touch("web/src/a.ts") }))
	scope(t, i)
	assert.Contains(t, i.Paths(), "web/src/b.ts", "the folder, where it has no manifest")
	assert.NotContains(t, i.Paths(), "webs/c.ts")
	i.RecordUse("../outside", "/", ".", "")
	assert.Equal(t, 1, scope(t, i).Omitted[manyFiles])

	i.limit = maxTree()
	i.limit.bytes = 20
	assert.Equal(t, 1, scope(t, i).Omitted[manyFiles], "by bytes as well")
}
