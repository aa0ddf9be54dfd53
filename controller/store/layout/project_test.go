package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProject(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	at := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
	git := func(dir string, args ...string) {
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@x", "-c", "protocol.file.allow=always"}, args...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	for _, dir := range []string{"main/.idumb", "main/src", "other/.idumb", "none"} {
		require.NoError(t, os.MkdirAll(at(dir), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(at(dir), "x"), nil, 0o644))
	}
	for _, dir := range []string{"main", "other"} {
		git(at(dir), "init", "-q")
		git(at(dir), "add", ".")
		git(at(dir), "commit", "-q", "-m", "x")
	}
	git(at("main"), "worktree", "add", "-q", "../linked")
	git(at("main"), "worktree", "add", "-q", "../bare")
	require.NoError(t, os.RemoveAll(at("bare/.idumb")))
	git(at("main"), "submodule", "--quiet", "add", at("other"), "sub")

	for _, test := range []struct{ name, project, dir, session, command string }{
		{"no project", "", "linked", "linked", "linked"},
		{"no project, a tree without .idumb", "", "bare", "main", "main"},
		{"another working tree", "main", "linked", "main", "main"},
		{"another working tree, from below", "main/src", "linked", "main", "main"},
		{"the main tree, from a linked one", "linked", "main/src", "linked", "linked"},
		{"below", "main", "main/src", "main", "main"},
		{"another repository", "main", "other", "main", "other"},
		{"a submodule with plans of its own", "main", "main/sub", "main", "main/sub"},
		{"a project that is not governed", "none", "main", "main", "main"},
		{"nothing is governed", "none", "none", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			project := ""
			if test.project != "" {
				project = at(test.project)
			}
			check := func(find func(project, dir string) (Root, error), want string) {
				root, err := find(project, at(test.dir))
				if want == "" {
					assert.ErrorIs(t, err, ErrNoRoot)
					return
				}
				require.NoError(t, err)
				assert.Equal(t, Root(at(want)), root)
			}
			check(FindFor, test.session)
			check(FindIn, test.command)
		})
	}
	assert.Equal(t, "b", Project([]string{ProjectVariable + "=a", ProjectVariable + "=b", "X=c"}))
	assert.Empty(t, Project(nil))
}
