package layout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func TestKeyOf(t *testing.T) {
	for _, test := range []struct {
		path string
		want resources.Key // zero: no object
	}{
		{".idumb/tasks/a.json", resources.Key{Kind: "tasks", Name: "a"}},
		{".idumb/tasks/a.b-1.json", resources.Key{Kind: "tasks", Name: "a.b-1"}},
		{".idumb/sessions/s.json", resources.Key{Kind: "sessions", Name: "s"}},
		{".idumb/config.json", resources.Key{Kind: "config", Name: "config"}},
		{".idumb/trajectory.json", resources.Key{Kind: "trajectory", Name: "trajectory"}},
		{".idumb/checkpoints/a.jsonl", resources.Key{Kind: "checkpoints", Name: "a"}},
		{".idumb/tasks.json", resources.Key{}},
		{".idumb/config/config.json", resources.Key{}},
		{".idumb/checkpoints/a.json", resources.Key{}},
		{".idumb/status/tasks/a.json", resources.Key{}},
		{".idumb/archive/tasks/a.json", resources.Key{}},
		{".idumb/tasks/.tmp-0011", resources.Key{}},
		{".idumb/tasks/.a.json.swp", resources.Key{}},
		{".idumb/tasks/4913", resources.Key{}},
		{".idumb/tasks/sedjBPBbi", resources.Key{}},
		{".idumb/tasks/a.json~", resources.Key{}},
		{".idumb/tasks/A.json", resources.Key{}},
		{".idumb/tasks/.json", resources.Key{}},
		{".idumb/tasks/deep/a.json", resources.Key{}},
		{"tasks/a.json", resources.Key{}},
		{"", resources.Key{}},
	} {
		t.Run(test.path, func(t *testing.T) {
			got, ok := KeyOf(test.path)
			assert.Equal(t, test.want != resources.Key{}, ok)
			if ok {
				assert.Equal(t, test.want, got)
				assert.Equal(t, test.path, Path(got), "and back")
			}
		})
	}
}

func TestFind(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"a/.idumb", "a/.git", "a/src/deep", "a/clone/.git", "a/clone/src", "a/module/src", "a/ruled/src", "a/ruled/.idumb", "a/ruled/.git", "a/worktree/.idumb"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(top, "a/worktree/.git"), []byte("gitdir: elsewhere\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(top, "a/module/.git"), []byte("gitdir: ../.git/modules/module\n"), 0o644))
	require.NoError(t, os.MkdirAll(filepath.Join(top, "b/src"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(top, "c/src"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(top, "a/vendored/src"), 0o755))
	for _, file := range []string{"b/.idumb", "c/.idumb", "c/.git", "a/vendored/.idumb"} {
		require.NoError(t, os.WriteFile(filepath.Join(top, file), []byte("somebody else's\n"), 0o644))
	}
	for _, test := range []struct{ name, in, want string }{
		{"a file of that name somewhere above is not ours", "b/src", ""},
		{"in the place of plans it is", "b", "b"},
		{"in a repository as well", "c/src", "c"},
		{"nor does it hide the folder above it", "a/vendored/src", "a"},
		{"the root itself", "a", "a"},
		{"a folder below it", "a/src/deep", "a"},
		{"a clone inside it is governed by it", "a/clone/src", "a"},
		{"a submodule inside it as well", "a/module/src", "a"},
		{"not one with an .idumb of its own", "a/ruled/src", "a/ruled"},
		{"a worktree has its own", "a/worktree", "a/worktree"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Find(filepath.Join(top, test.in))
			if test.want == "" {
				require.ErrorIs(t, err, ErrNoRoot)
				assert.ErrorContains(t, err, "idumb init")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, Root(filepath.Join(top, test.want)), got)
		})
	}
}

// A linked working tree without a .idumb is governed by the main one's, if git knows of it.
func TestFindInALinkedWorkingTree(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	main, tree := filepath.Join(top, "main"), filepath.Join(top, "elsewhere/tree")
	private := filepath.Join(main, ".git/worktrees/tree")
	for _, dir := range []string{private, filepath.Join(main, ".idumb"), filepath.Join(tree, "src")} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	write := func(file, text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o644)) }
	write(filepath.Join(tree, ".git"), "gitdir: "+private+"\n")
	_, err = Find(filepath.Join(tree, "src"))
	require.ErrorIs(t, err, ErrNoRoot, "a file .git alone says nothing")
	write(filepath.Join(private, "gitdir"), filepath.Join(tree, ".git")+"\n")
	for _, dir := range []string{tree, filepath.Join(tree, "src")} {
		got, err := Find(dir)
		require.NoError(t, err)
		assert.Equal(t, Root(main), got)
	}
	require.NoError(t, os.Mkdir(filepath.Join(tree, ".idumb"), 0o755))
	got, err := Find(filepath.Join(tree, "src"))
	require.NoError(t, err)
	assert.Equal(t, Root(tree), got, "its own counts more")
	require.NoError(t, os.Remove(filepath.Join(tree, ".idumb")))
	require.NoError(t, os.Remove(filepath.Join(main, ".idumb")))
	_, err = Find(tree)
	assert.ErrorIs(t, err, ErrNoRoot)
}

func TestRelIsTheReverseOfAbs(t *testing.T) {
	r := Root(t.TempDir())
	rel, ok := r.Rel(r.Abs(".idumb/tasks/a.json"))
	assert.True(t, ok)
	assert.Equal(t, ".idumb/tasks/a.json", rel)
	_, ok = r.Rel(filepath.Dir(string(r)))
	assert.False(t, ok)
}
