package githistory

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Tree are the files of a commit, as they stand in git: regular ones below the root, without what
// iDumb keeps. Its methods may be called by any number of goroutines. Close it.
type Tree struct {
	Commit string
	paths  []string
	blobs  map[string]string

	mu      sync.Mutex // of all below
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	broken  error // git and we no longer agree where an answer begins
}

// OpenTree opens the tree of a commit, branch or tag.
func OpenTree(ctx context.Context, root layout.Root, revision string) (*Tree, error) {
	out, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("git knows no revision %q: name a commit, branch or tag", revision)
	}
	t := &Tree{Commit: strings.TrimSpace(string(out)), blobs: map[string]string{}}
	listed, err := git(ctx, root, "ls-tree", "-r", "-z", t.Commit)
	if err != nil {
		return nil, err
	}
	t.list(string(listed))
	t.process = command(ctx, root, "cat-file", "--batch")
	if t.in, err = t.process.StdinPipe(); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	pipe, err := t.process.StdoutPipe()
	if err == nil {
		err = t.process.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	t.out = bufio.NewReader(pipe)
	return t, nil
}

// list reads what ls-tree -r -z prints.
func (t *Tree) list(listed string) {
	for line := range strings.SplitSeq(listed, "\x00") {
		about, path, _ := strings.Cut(line, "\t")
		words := strings.Fields(about)
		if len(words) != 3 || words[0] != "100644" && words[0] != "100755" || hexOf(words[2]) == "" || path == "" || t.blobs[path] != "" || strings.HasPrefix(path, layout.Dir+"/") {
			continue
		}
		t.paths = append(t.paths, path)
		t.blobs[path] = words[2]
	}
	slices.Sort(t.paths)
}

// Paths are those of all files, sorted. Nobody may change them.
func (t *Tree) Paths() []string { return t.paths }

// Blob is git's id of a file's content; "" of one that is not there.
func (t *Tree) Blob(path string) string { return t.blobs[path] }

// maxBlob is how much of a file is read, in bytes.
const maxBlob = 1 << 20

// Read returns the content of a file; fs.ErrNotExist where there is none, another error for one that
// is larger than 1 MiB.
func (t *Tree) Read(path string) ([]byte, error) {
	blob := t.blobs[path]
	if blob == "" {
		return nil, fmt.Errorf("%s in %s: %w", path, t.Commit, fs.ErrNotExist)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.broken != nil {
		return nil, t.broken
	}
	size, err := t.ask(blob)
	if err != nil {
		t.broken = fmt.Errorf("git cat-file %s of %s: %w", blob, path, err)
		return nil, t.broken
	}
	data := make([]byte, min(size, maxBlob))
	if _, err = io.ReadFull(t.out, data); err == nil {
		_, err = io.CopyN(io.Discard, t.out, size-int64(len(data))+1) // the end of the line too
	}
	if err != nil {
		t.broken = fmt.Errorf("git cat-file %s of %s: %w", blob, path, err)
		return nil, t.broken
	}
	if size > maxBlob {
		return nil, fmt.Errorf("%s in %s: larger than 1 MiB", path, t.Commit)
	}
	return data, nil
}

// ask asks for a blob, and reads how many bytes will follow.
func (t *Tree) ask(blob string) (size int64, err error) {
	if _, err = io.WriteString(t.in, blob+"\n"); err != nil {
		return 0, err
	}
	head, err := t.out.ReadString('\n')
	if err != nil {
		return 0, err
	}
	words := strings.Fields(head)
	if len(words) != 3 || words[1] != "blob" {
		return 0, errors.New("it is missing here")
	}
	length, err := strconv.ParseUint(words[2], 10, 62)
	return int64(length), err
}

// Close ends the git that reads.
func (t *Tree) Close() error {
	_ = t.in.Close()
	return t.process.Wait()
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
