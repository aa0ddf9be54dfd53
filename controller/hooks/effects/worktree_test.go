package effects

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPathsInWorktrees(t *testing.T) {
	base := ResolveLinks(t.TempDir())
	root := filepath.Join(base, "repo")
	git := func(dir string, args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@x", "-c", "protocol.file.allow=always"}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	write := func(name, text string) {
		file := filepath.Join(base, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	write("repo/src/a.go", "a")
	write("other/x", "x")
	for _, dir := range []string{root, filepath.Join(base, "other")} {
		git(dir, "init", "-q")
		git(dir, "add", ".")
		git(dir, "commit", "-q", "-m", "x")
	}
	git(root, "worktree", "add", "-q", ".claude/worktrees/agent-1")
	git(root, "worktree", "add", "-q", "../beside")
	git(root, "worktree", "add", "-q", ".idumb/tree")
	git(filepath.Join(base, "other"), "worktree", "add", "-q", "../foreign")
	git(root, "submodule", "--quiet", "add", filepath.Join(base, "other"), "sub")
	// What an agent could write to have its files taken for others.
	write("repo/.idumb/tasks/.git", "gitdir: "+root+"/.git/worktrees/agent-1\n")
	write("repo/fake/.git", "gitdir: "+root+"/.git/worktrees/agent-1\n")
	write("repo/fake2/.git", "gitdir: "+base+"/fakegit/worktrees/f\n")
	write("fakegit/worktrees/f/gitdir", root+"/fake2/.git\n")

	r := Resolver{Root: root, Home: filepath.Join(base, "home"), Cwd: root}
	for given, want := range map[string]string{
		".claude/worktrees/agent-1/src/a.go":              "src/a.go",
		".claude/worktrees/agent-1/src/new/b.go":          "src/new/b.go",
		".claude/worktrees/agent-1/.claude/settings.json": ".claude/settings.json",
		".claude/worktrees/agent-1/.idumb/config.json":    ".idumb/config.json",
		".claude/worktrees/agent-1/../agent-1/src/a.go":   "src/a.go",
		".claude/worktrees/other":                         ".claude/worktrees/other",
		"../beside/src/a.go":                              "src/a.go",
		"../foreign/x":                                    "",
		"../other/x":                                      "",
		"sub/x":                                           "sub/x",
		"src/a.go":                                        "src/a.go",
		".idumb/tree/src/a.go":                            ".idumb/tree/src/a.go",
		".idumb/tasks/config.json":                        ".idumb/tasks/config.json",
		"fake/.idumb":                                     "fake/.idumb",
		"fake2/src/a.go":                                  "fake2/src/a.go",
		".git/worktrees/agent-1/gitdir":                   ".git/worktrees/agent-1/gitdir",
	} {
		t.Run(given, func(t *testing.T) {
			got, err := r.Resolve(given)
			require.NoError(t, err)
			assert.Equal(t, want, got.Repo)
		})
	}
	t.Run("governed from a working tree of its own", func(t *testing.T) {
		inside := Resolver{Root: filepath.Join(base, "beside"), Cwd: filepath.Join(base, "beside")}
		for given, want := range map[string][2]string{
			"src/a.go": {"src/a.go"}, root + "/.claude/worktrees/agent-1/src/a.go": {"src/a.go"},
			root + "/src/a.go": {"src/a.go", root}, root + "/.claude/settings.json": {".claude/settings.json", root},
			root + "/.idumb/config.json": {".idumb/config.json", root}, root + "/.git/hooks/pre-commit": {".git/hooks/pre-commit", root},
			root + "/sub/x": {}, base + "/other/x": {},
		} {
			got, err := inside.Resolve(given)
			require.NoError(t, err)
			assert.Equal(t, want, [2]string{got.Repo, got.Tree}, given)
		}
	})
	t.Run("git's directory without a main tree", func(t *testing.T) {
		git(base, "clone", "-q", "--bare", root, "shared.git")
		git(filepath.Join(base, "shared.git"), "worktree", "add", "-q", "../alone")
		alone := Resolver{Root: filepath.Join(base, "alone"), Cwd: filepath.Join(base, "alone")}
		got, err := alone.Resolve(base + "/shared.git/hooks/pre-commit")
		require.NoError(t, err)
		assert.Equal(t, ".git/hooks/pre-commit", got.Repo)
	})
}
