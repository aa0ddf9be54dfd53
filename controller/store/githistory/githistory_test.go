package githistory

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// day is a moment on the first days of 2026.
func day(n int) time.Time { return time.Date(2026, 1, n, 23, 30, 0, 0, time.UTC) }

// repo is a git repository with .idumb in it.
type repo struct {
	t    *testing.T
	root layout.Root
}

func newRepo(t *testing.T) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	r := repo{t, layout.Root(t.TempDir())}
	require.NoError(t, os.MkdirAll(r.root.Abs(layout.RunDir), 0o700))
	r.git(day(1), "init", "-q", "-b", "main")
	return r
}

func (r repo) git(at time.Time, args ...string) string {
	r.t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	c.Dir = string(r.root)
	stamp := at.Format(time.RFC3339)
	c.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+stamp, "GIT_AUTHOR_DATE="+stamp, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := c.CombinedOutput()
	require.NoError(r.t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

func (r repo) commit(at time.Time, message string) string {
	r.t.Helper()
	r.git(at, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message)
	return r.git(at, "rev-parse", "HEAD")
}

func numbers(days ...int) []int {
	var list []int
	for _, n := range days {
		list = append(list, status.DayOf(day(n)))
	}
	return list
}

func TestHead(t *testing.T) {
	r := newRepo(t)
	assert.Empty(t, Head(r.root), "no commit yet")
	first := r.commit(day(1), "one")
	assert.Equal(t, first, Head(r.root))
	r.git(day(1), "pack-refs", "--all")
	assert.Equal(t, first, Head(r.root), "packed")
	second := r.commit(day(2), "two")
	r.git(day(2), "checkout", "-q", "--detach", first)
	assert.Equal(t, first, Head(r.root), "detached")
	r.git(day(2), "checkout", "-q", "main")
	tree := layout.Root(filepath.Join(t.TempDir(), "tree"))
	r.git(day(2), "worktree", "add", "-q", "-b", "other", string(tree))
	assert.Equal(t, second, Head(tree), "a linked work tree")
	below := layout.Root(filepath.Join(string(tree), "below"))
	require.NoError(t, os.Mkdir(string(below), 0o700))
	assert.Equal(t, second, Head(below), "a folder in one")
	assert.Empty(t, Head(layout.Root(t.TempDir())), "no repository")
}

func TestFiles(t *testing.T) {
	always := []string{store.HeadFile, ".git/packed-refs"}
	for _, test := range []struct {
		name, head, branch string
	}{
		{"a branch", "ref: refs/heads/a/b\n", ".git/refs/heads/a/b"},
		{"no branch", strings.Repeat("0", 40) + "\n", ""},
		{"nothing", "", ""},
		{"out of the repository", "ref: refs/../../../x\n", ""},
		{"no file of a branch", "ref: config\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := layout.Root(t.TempDir())
			assert.Equal(t, always, Files(root), "no repository yet")
			require.NoError(t, os.Mkdir(root.Abs(".git"), 0o700))
			require.NoError(t, os.WriteFile(root.Abs(store.HeadFile), []byte(test.head), 0o600))
			want := always
			if test.branch != "" {
				want = append(slices.Clone(always), test.branch)
			}
			assert.Equal(t, want, Files(root))
		})
	}
}

func TestFilesElsewhere(t *testing.T) {
	r := newRepo(t)
	r.commit(day(1), "one")
	tree := layout.Root(filepath.Join(t.TempDir(), "tree"))
	r.git(day(1), "worktree", "add", "-q", "-b", "side", string(tree))
	git := filepath.ToSlash(r.git(day(1), "rev-parse", "--absolute-git-dir"))
	want := []string{git + "/worktrees/tree/HEAD", git + "/packed-refs", git + "/refs/heads/side"}
	assert.Equal(t, want, Files(tree), "a linked worktree")
	below := layout.Root(tree.Abs("below"))
	require.NoError(t, os.Mkdir(string(below), 0o700))
	assert.Equal(t, want, Files(below), "a folder in one")
	below = layout.Root(r.root.Abs("below"))
	require.NoError(t, os.Mkdir(string(below), 0o700))
	assert.Equal(t, []string{git + "/HEAD", git + "/packed-refs", git + "/refs/heads/main"}, Files(below), "a folder in a repository")
}

func TestDays(t *testing.T) {
	r, ctx := newRepo(t), context.Background()
	assert.Empty(t, Days(ctx, r.root))
	r.commit(day(3), "a")
	base := r.commit(day(1), "b")
	r.commit(day(3), "c")
	assert.Equal(t, numbers(1, 3), Days(ctx, r.root))
	kept, err := os.ReadFile(r.root.Abs(layout.CommitDaysFile))
	require.NoError(t, err)
	want, err := json.Marshal(workDays{Head(r.root), numbers(1, 3)})
	require.NoError(t, err)
	assert.Equal(t, string(want), string(kept))
	r.commit(day(5), "d")
	assert.Equal(t, numbers(1, 3, 5), Days(ctx, r.root), "what is new is added")
	r.git(day(6), "reset", "-q", "--hard", base)
	r.commit(day(7), "e")
	assert.Equal(t, numbers(1, 3, 7), Days(ctx, r.root), "what HEAD no longer leads to is out")
	require.NoError(t, os.Remove(r.root.Abs(layout.CommitDaysFile)))
	assert.Equal(t, numbers(1, 3, 7), Days(ctx, r.root), "the same from nothing")
	require.NoError(t, os.WriteFile(r.root.Abs(layout.CommitDaysFile), []byte(`{"head":"-x","days":[1]}`), 0o600))
	assert.Equal(t, numbers(1, 3, 7), Days(ctx, r.root), "what was kept is no argument of git")
}

func TestCommits(t *testing.T) {
	r, ctx := newRepo(t), context.Background()
	none, err := Commits(ctx, r.root, Head(r.root), "", 10)
	require.NoError(t, err)
	assert.Empty(t, none)
	decision := r.commit(day(1), "decision: x\n\nbody")
	r.commit(day(2), "feat: nothing to see")
	breaking := r.commit(day(3), "feat(api)!: drop v1")
	for _, file := range []string{"b.go", "a b.go"} {
		require.NoError(t, os.WriteFile(r.root.Abs(file), nil, 0o600))
		r.git(day(4), "add", file)
	}
	refs := r.commit(day(4), "Fix it\n\nRefs: task/a")
	footer := r.commit(day(5), "fix: y\n\nBREAKING CHANGE: z")
	commits, err := Commits(ctx, r.root, Head(r.root), "", 10)
	require.NoError(t, err)
	assert.Equal(t, []string{decision, breaking, refs, footer}, ids(commits), "the oldest first")
	assert.Equal(t, "decision: x\n\nbody", strings.TrimSpace(commits[0].Message))
	assert.Equal(t, resources.NewTime(day(1)), commits[0].Time)
	assert.Equal(t, []string{"a b.go", "b.go"}, commits[2].Files)
	assert.Empty(t, commits[3].Files)
	later, err := Commits(ctx, r.root, Head(r.root), breaking, 10)
	require.NoError(t, err)
	assert.Equal(t, []string{refs, footer}, ids(later))
	newest, err := Commits(ctx, r.root, Head(r.root), "", 1)
	require.NoError(t, err)
	assert.Equal(t, []string{footer}, ids(newest))
	unknown, err := Commits(ctx, r.root, Head(r.root), strings.Repeat("0", 40), 10)
	require.NoError(t, err)
	assert.Len(t, unknown, 4)
}

// HEAD that moves between two questions makes no third history of the two that it stood at.
func TestHeadMovesBetweenQuestions(t *testing.T) {
	r, ctx := newRepo(t), context.Background()
	require.NoError(t, os.MkdirAll(r.root.Abs(".idumb/mems"), 0o700))
	require.NoError(t, os.WriteFile(r.root.Abs(".idumb/mems/gone.json"), []byte("{}"), 0o600))
	r.git(day(1), "add", "-f", ".idumb/mems")
	first := r.commit(day(1), "decision: first")
	r.git(day(1), "checkout", "-q", "-b", "side")
	r.git(day(2), "rm", "-q", ".idumb/mems/gone.json")
	side := r.commit(day(2), "decision: on the side")
	head := Head(r.root)
	r.git(day(2), "checkout", "-q", "main")

	commits, err := Commits(ctx, r.root, head, first, 10)
	require.NoError(t, err)
	assert.Equal(t, []string{side}, ids(commits))
	leads, err := LeadsTo(ctx, r.root, head, side)
	require.NoError(t, err)
	assert.True(t, leads)
	names, err := Deleted(ctx, r.root, head)
	require.NoError(t, err)
	assert.Equal(t, []string{"gone"}, names)

	leads, err = LeadsTo(ctx, r.root, Head(r.root), side)
	require.NoError(t, err)
	assert.False(t, leads)
	names, err = Deleted(ctx, r.root, Head(r.root))
	require.NoError(t, err)
	assert.Empty(t, names)
}

func ids(commits []memory.Commit) []string {
	var list []string
	for _, c := range commits {
		list = append(list, c.ID)
	}
	return list
}

func TestDeleted(t *testing.T) {
	r := newRepo(t)
	require.NoError(t, os.MkdirAll(r.root.Abs(".idumb/mems"), 0o700))
	for _, name := range []string{"gone", "kept"} {
		require.NoError(t, os.WriteFile(r.root.Abs(".idumb/mems/"+name+".json"), []byte("{}"), 0o600))
	}
	r.git(day(1), "add", "-f", ".idumb/mems")
	r.commit(day(1), "mems")
	r.git(day(2), "rm", "-q", ".idumb/mems/gone.json")
	r.commit(day(2), "out")
	names, err := Deleted(context.Background(), r.root, Head(r.root))
	require.NoError(t, err)
	assert.Equal(t, []string{"gone"}, names)
}

func FuzzReadCommits(f *testing.F) {
	f.Add([]byte(strings.Repeat("a", 40) + "\n12\n11 a@b\n\nx\x00junk\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range readCommits(data) {
			if hexOf(c.ID) == "" || slices.Contains([]byte(c.Message), 0) {
				t.Fatalf("%q", c.ID)
			}
		}
		readDays(data)
	})
}
