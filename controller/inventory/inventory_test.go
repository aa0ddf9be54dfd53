package inventory

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"}, args...)...)
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func write(t *testing.T, dir, path, text string) {
	t.Helper()
	abs := filepath.Join(dir, path)
	require.NoError(t, os.MkdirAll(filepath.Dir(abs), 0o755))
	require.NoError(t, os.WriteFile(abs, []byte(text), 0o644))
}

func level(t *testing.T, i *Inventory) []string {
	t.Helper()
	changed, err := i.Update(context.Background())
	require.NoError(t, err)
	return changed
}

func TestLevel(t *testing.T) {
	for _, repository := range []bool{true, false} {
		t.Run(fmt.Sprint("git ", repository), func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "a.go", "package a\n\nfunc A() {}\n")
			write(t, dir, "docs/b.md", "# b\n")
			write(t, dir, ".idumb/tasks/x.go", "package x\n")
			write(t, dir, "outside.go", "package a\n")
			require.NoError(t, os.Symlink("outside.go", filepath.Join(dir, "link.go")))
			if repository {
				write(t, dir, ".gitignore", "ignored.go\n")
				git(t, dir, "init", "-q")
				git(t, dir, "add", "a.go")
			}
			write(t, dir, "untracked.go", "package a\n\nvar B int\n")

			i := New(layout.Root(dir), 2)
			level(t, i)
			assert.Subset(t, i.Paths(), []string{"a.go", "docs/b.md", "outside.go", "untracked.go"})
			assert.NotContains(t, i.Paths(), "link.go", "links are not followed")
			assert.NotContains(t, i.Paths(), ".idumb/tasks/x.go")
			assert.Equal(t, "A", i.Facts("a.go").Symbols[0].Name)
			assert.Empty(t, level(t, i), "nothing changed")

			write(t, dir, "a.go", "package a\n\nfunc C() {}\n")
			require.NoError(t, os.Remove(filepath.Join(dir, "untracked.go")))
			write(t, dir, "ignored.go", "package a\n")
			changed := level(t, i)
			assert.Subset(t, changed, []string{"a.go", "untracked.go"})
			assert.Equal(t, !repository, len(changed) == 3, "%v", changed)
			assert.Equal(t, "C", i.Facts("a.go").Symbols[0].Name)
			assert.Empty(t, i.Facts("untracked.go"))
		})
	}
}

// Two writes within a tick of the clock, with the same length, are both seen.
func TestChangeWithinATick(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "a.go", "package a\n\nvar A int\n")
	git(t, dir, "add", ".")
	i := New(layout.Root(dir), 1)
	level(t, i)
	at := time.Now()
	write(t, dir, "a.go", "package a\n\nvar B int\n")
	require.NoError(t, os.Chtimes(filepath.Join(dir, "a.go"), at, at))
	level(t, i)
	require.Equal(t, "B", i.Facts("a.go").Symbols[0].Name)
	write(t, dir, "a.go", "package a\n\nvar C int\n")
	require.NoError(t, os.Chtimes(filepath.Join(dir, "a.go"), at, at))
	level(t, i)
	assert.Equal(t, "C", i.Facts("a.go").Symbols[0].Name)
}

// What was found is kept, for another working tree too, and damage to it loses nothing.
func TestFactsAreKept(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "a.go", "package a\n\nfunc A() {}\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "a")
	level(t, New(layout.Root(dir), 1))
	kept, err := filepath.Glob(filepath.Join(dir, ".git", "idumb", "facts", "*"))
	require.NoError(t, err)
	require.Len(t, kept, 1)

	other := filepath.Join(t.TempDir(), "other")
	git(t, dir, "worktree", "add", "-q", other)
	second := New(layout.Root(other), 1)
	level(t, second)
	assert.Empty(t, second.cache.newFacts, "nothing was scanned again")
	assert.Equal(t, "A", second.Facts("a.go").Symbols[0].Name)

	require.NoError(t, os.WriteFile(kept[0], []byte("torn"), 0o600))
	third := New(layout.Root(dir), 1)
	level(t, third)
	assert.Equal(t, "A", third.Facts("a.go").Symbols[0].Name)
}

// Many files of facts become one, and nothing that they hold is lost.
func TestKeptFactsAreMerged(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	i := New(layout.Root(dir), 1)
	for n := range maxFiles + 1 {
		write(t, dir, fmt.Sprintf("f%d.go", n), fmt.Sprintf("package a\n\nvar V%d int\n", n))
		level(t, i)
	}
	assert.Len(t, i.cache.names(), 1)
	again := New(layout.Root(dir), 1)
	level(t, again)
	assert.Empty(t, again.cache.newFacts)
	assert.Equal(t, "V3", again.Facts("f3.go").Symbols[0].Name)
}

// However a tree came to be as it is, what is known of it is what a fresh inventory knows.
func TestLevelEqualsAFreshOne(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "go.mod", "module x\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	r := rand.New(rand.NewPCG(7, 1))
	i := New(layout.Root(dir), 2)
	for step := range 120 {
		path := fmt.Sprintf("p%d/f%d.go", r.IntN(3), r.IntN(4))
		switch r.IntN(8) {
		case 0:
			_ = os.Remove(filepath.Join(dir, path))
		case 1:
			_ = os.Rename(filepath.Join(dir, path), filepath.Join(dir, "moved.go"))
		case 2:
			git(t, dir, "add", "-A")
			git(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(step))
		case 3:
			git(t, dir, "stash", "-q", "-u")
		case 4:
			require.NoError(t, i.Ask(context.Background(), func(k Snapshot) { k.Graph(); k.Touch(path) }))
			continue
		default:
			write(t, dir, path, fmt.Sprintf("package p\n\nimport \"x/p%d\"\n\nvar V%d = p%[1]d.V0\n", r.IntN(3), r.IntN(5)))
		}
		level(t, i)
		fresh := New(layout.Root(dir), 1)
		fresh.cache.loaded = true // from nothing
		level(t, fresh)
		require.Equal(t, fresh.Paths(), i.Paths(), step)
		for _, path := range fresh.Paths() {
			require.Equal(t, fresh.Facts(path), i.Facts(path), "%d %s", step, path)
			require.Equal(t, dependents(t, fresh, path), dependents(t, i, path), "%d %s", step, path)
		}
	}
}

func dependents(t *testing.T, i *Inventory, path string) (edges []project.Edge) {
	t.Helper()
	require.NoError(t, i.Ask(context.Background(), func(k Snapshot) { edges = k.Graph().Dependents(path) }))
	return edges
}

// What a change takes from those who import it is known until it is mended, on either side.
func TestLost(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "go.mod", "module x\n")
	write(t, dir, "a/a.go", "package a\n\nfunc Get() {}\n\nfunc Unused() {}\n")
	write(t, dir, "b/b.go", "package b\n\nimport \"x/a\"\n\nvar _ = a.Get\n")
	i := New(layout.Root(dir), 1)
	names := func() (found []string) {
		require.NoError(t, i.Ask(context.Background(), func(k Snapshot) {
			k.Graph()
			lost, _ := k.RemovedExports("a/a.go")
			for _, l := range lost {
				found = append(found, l.Name+" "+l.Edges[0].From)
			}
		}))
		return found
	}
	assert.Empty(t, names())
	write(t, dir, "a/a.go", "package a\n\nfunc Fetch() {}\n")
	assert.Equal(t, []string{"Get b/b.go"}, names(), "what nobody used is nobody's loss")
	assert.Equal(t, []string{"Get b/b.go"}, names(), "it stays so")
	write(t, dir, "b/b.go", "package b\n\nimport \"x/a\"\n\nvar _ = a.Fetch\n")
	assert.Empty(t, names(), "mended by who imported it")
	write(t, dir, "a/a.go", "package a\n")
	assert.Equal(t, []string{"Fetch b/b.go"}, names())
	write(t, dir, "a/a.go", "package a\n\nfunc Fetch() {}\n")
	assert.Empty(t, names(), "it came back")
	write(t, dir, "a/a.go", "package a\n\nfunc Fetch() {}\n\nfunc Late() {}\n")
	write(t, dir, "c/c.go", "package c\n\nimport \"x/a\"\n\nvar _ = a.Late\n")
	level(t, i) // as a pull: nobody asks what it broke
	write(t, dir, "a/a.go", "package a\n\nfunc Fetch() {}\n")
	assert.Equal(t, []string{"Late c/c.go"}, names(), "a name that came later")
	require.NoError(t, os.Remove(filepath.Join(dir, "c/c.go")))
	level(t, i)
	assert.Empty(t, names())
	require.NoError(t, os.Remove(filepath.Join(dir, "a/a.go")))
	assert.Equal(t, []string{"Fetch b/b.go"}, names(), "the file is gone")
	write(t, dir, "a/other.go", "package a\n\nfunc Fetch() {}\n")
	write(t, dir, "a/a.go", "package a\n")
	assert.Empty(t, names(), "another file of the package has it")
}

// What another process found meanwhile is not removed with what becomes one.
func TestMergingLeavesWhatOthersWrote(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	i := New(layout.Root(dir), 1)
	for n := range maxFiles {
		write(t, dir, fmt.Sprintf("f%d.go", n), fmt.Sprintf("package a\n\nvar V%d int\n", n))
		level(t, i)
	}
	foreign := filepath.Join(i.cache.folder, source.Version+"-other")
	require.NoError(t, os.WriteFile(foreign, []byte("x"), 0o600))
	write(t, dir, "last.go", "package a\n")
	level(t, i)
	assert.FileExists(t, foreign)
	assert.Len(t, i.cache.names(), 2, "all that this one wrote is one")
}
