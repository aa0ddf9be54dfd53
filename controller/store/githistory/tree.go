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

// Tree holds the regular files of a commit below the root, except those of
// iDumb. It is safe for concurrent use. The caller must close it.
type Tree struct {
	Commit string
	paths  []string
	ids    map[string]string // path -> ID of its content
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

// list parses the output of ls-tree -r -z.
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

// Paths returns the paths of all files, sorted. The caller must not modify the
// slice.
func (t *Tree) Paths() []string { return t.paths }

// Blob returns the git ID of a file's content, or "" if the file does not
// exist.
func (t *Tree) Blob(path string) string { return t.ids[path] }

// Read returns the content of a file. It returns fs.ErrNotExist if the file
// does not exist, and another error if it exceeds 1 MiB.
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

// maxRemovalCommits is the number of newest commits that are searched for removed
// files.
const maxRemovalCommits = 10_000

// Removed returns the files that one of the newest commits of a revision
// removed, even if they exist again. It stops after 20 s. For "", the working
// tree, it searches HEAD and adds tracked files that are missing. Files
// excluded by a sparse checkout do not count as removed.
func Removed(ctx context.Context, root layout.Root, revision string) map[string]bool {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	removed := map[string]bool{}
	log := []string{"log", "-n", strconv.Itoa(maxRemovalCommits), "--format=", "-z", "--no-renames", "--diff-filter=D", "--name-only", "--relative", "--end-of-options", cmp.Or(revision, "HEAD"), "--"}
	asked := [][]string{log}
	if revision == "" {
		asked = append(asked, []string{"diff", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=D", "--name-only", "--relative", "HEAD", "--"})
	}
	for _, args := range asked {
		out, err := git(ctx, root, args...)
		if err != nil {
			continue // unknown
		}
		for file := range strings.SplitSeq(string(out), "\x00") {
			if file = strings.TrimPrefix(file, "\n"); file != "" {
				removed[file] = true
			}
		}
	}
	return removed
}
