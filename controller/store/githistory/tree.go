package githistory

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Tree are the files of a commit, as they stand in git: regular ones below the root, without what
// iDumb keeps. Its methods may be called by any number of goroutines. Close it.
type Tree struct {
	Commit string
	paths  []string
	ids    map[string]string // of their contents
	*blobs
}

// OpenTree opens the tree of a commit, branch or tag.
func OpenTree(ctx context.Context, root layout.Root, revision string) (*Tree, error) {
	out, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("git knows no revision %q: name a commit, branch or tag", revision)
	}
	t := &Tree{Commit: strings.TrimSpace(string(out)), ids: map[string]string{}}
	listed, err := git(ctx, root, "ls-tree", "-r", "-z", t.Commit)
	if err != nil {
		return nil, err
	}
	t.list(string(listed))
	t.blobs, err = openBlobs(ctx, root)
	return t, err
}

// list reads what ls-tree -r -z prints.
func (t *Tree) list(listed string) {
	for line := range strings.SplitSeq(listed, "\x00") {
		about, path, _ := strings.Cut(line, "\t")
		words := strings.Fields(about)
		if len(words) != 3 || words[0] != "100644" && words[0] != "100755" || hexOf(words[2]) == "" || path == "" || t.ids[path] != "" || strings.HasPrefix(path, layout.Dir+"/") {
			continue
		}
		t.paths = append(t.paths, path)
		t.ids[path] = words[2]
	}
	slices.Sort(t.paths)
}

// Paths are those of all files, sorted. Nobody may change them.
func (t *Tree) Paths() []string { return t.paths }

// Blob is git's id of a file's content; "" of one that is not there.
func (t *Tree) Blob(path string) string { return t.ids[path] }

// Read returns the content of a file; fs.ErrNotExist where there is none, another error for one that
// is larger than 1 MiB.
func (t *Tree) Read(path string) ([]byte, error) {
	id := t.ids[path]
	if id == "" {
		return nil, fmt.Errorf("%s in %s: %w", path, t.Commit, fs.ErrNotExist)
	}
	data, err := t.read(id)
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", path, t.Commit, err)
	}
	return data, nil
}

// maxLooked is in how many commits removed files are looked for: the newest.
const maxLooked = 10_000

// Removed are the files that one of the newest commits that a revision leads to removed, whether or
// not they are there again: as far as that is known within 20 s. Those of the working tree, "", are
// those of HEAD and what is not there since; what a sparse checkout leaves out is not removed.
func Removed(ctx context.Context, root layout.Root, revision string) map[string]bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	removed := map[string]bool{}
	log := []string{"log", "-n", strconv.Itoa(maxLooked), "--format=", "-z", "--no-renames", "--diff-filter=D", "--name-only", "--relative", "--end-of-options", cmp.Or(revision, "HEAD"), "--"}
	asked := [][]string{log}
	if revision == "" {
		asked = append(asked, []string{"diff", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=D", "--name-only", "--relative", "HEAD", "--"})
	}
	for _, args := range asked {
		out, err := git(ctx, root, args...)
		if err != nil {
			continue // nobody knows
		}
		for file := range strings.SplitSeq(string(out), "\x00") {
			if file = strings.TrimPrefix(file, "\n"); file != "" {
				removed[file] = true
			}
		}
	}
	return removed
}
