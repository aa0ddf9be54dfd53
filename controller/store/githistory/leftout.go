package githistory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// LeftOut returns why tracked files of .idumb are missing in the working tree, and the command that
// brings them back: a sparse checkout leaves them out, or HEAD moved from a commit with .idumb to a
// branch without a commit. Both are empty otherwise, also after a plain removal.
// It starts git only on a branch without a commit.
func LeftOut(root layout.Root) (why, command string) {
	dir := layout.GitDir(string(root))
	if dir == "" {
		return "", ""
	}
	if exists(filepath.Join(dir, "info", "sparse-checkout")) {
		for _, e := range root.IndexIn(layout.Dir + "/") {
			if e.Skipped && strings.HasPrefix(e.File, layout.Dir+"/") && (strings.HasSuffix(e.File, "/") || !exists(root.Abs(e.File))) {
				return "a sparse checkout leaves .idumb out of the working tree", "git sparse-checkout add " + fromTop(root)
			}
		}
	}
	if Head(root) != "" {
		return "", ""
	}
	// the last commit in the log of HEAD
	var left string
	for line := range strings.Lines(string(readSmall(filepath.Join(dir, "logs", "HEAD"), 16<<20))) {
		if words := strings.Fields(line); len(words) > 1 {
			left = hexOf(words[1])
		}
	}
	if left == "" {
		return "", ""
	}
	out, err := git(context.Background(), root, "ls-tree", "-r", "-z", "--name-only", left, "--", layout.Dir+"/")
	files := fieldsOf(out)
	if err != nil || len(files) == 0 {
		return "", ""
	}
	for _, file := range files {
		if exists(root.Abs(file)) {
			return "", ""
		}
	}
	return "this branch has no commit yet, and the branch that was left has .idumb", "git checkout " + left[:min(len(left), 12)] + " -- " + layout.Dir
}

// LeftOutOf is LeftOut for the repository of a directory in which no .idumb was found. root is
// where .idumb would be.
func LeftOutOf(dir string) (root layout.Root, why, command string) {
	dir, err := filepath.Abs(dir)
	if err != nil || layout.GitDir(dir) == "" {
		return "", "", ""
	}
	for at := dir; ; at = filepath.Dir(at) {
		root = layout.Root(at)
		if why, command = LeftOut(root); why != "" {
			return root, why, command
		}
		if exists(filepath.Join(at, ".git")) || at == filepath.Dir(at) {
			return "", "", ""
		}
	}
}

// fromTop returns the path of .idumb relative to the top of the working tree,
// for git sparse-checkout.
func fromTop(root layout.Root) string {
	rel := layout.Dir
	for at := string(root); !exists(filepath.Join(at, ".git")) && at != filepath.Dir(at); at = filepath.Dir(at) {
		rel = filepath.Base(at) + "/" + rel
	}
	return rel
}

// maxBranches limits BranchWith to the newest branches.
const maxBranches = 64

// BranchWith returns the newest branch whose tree has .idumb where root would have it; empty if none
// has. A new .idumb on another branch would break the next checkout of that branch.
func BranchWith(ctx context.Context, root layout.Root) string {
	if layout.GitDir(string(root)) == "" {
		return ""
	}
	out, err := git(ctx, root, "for-each-ref", "--count="+strconv.Itoa(maxBranches), "--sort=-committerdate", "--format=%(refname)", "refs/heads", "refs/remotes")
	if err != nil {
		return ""
	}
	refs := strings.Fields(string(out))
	look := command(ctx, root, "cat-file", "--batch-check=%(objecttype)")
	look.Stdin = strings.NewReader(strings.Join(refs, ":./"+layout.Dir+"\n") + ":./" + layout.Dir + "\n")
	types, err := look.Output()
	if err != nil {
		return ""
	}
	for i, found := range strings.Split(strings.TrimSpace(string(types)), "\n") {
		if i < len(refs) && found == "tree" {
			return strings.TrimPrefix(strings.TrimPrefix(refs[i], "refs/heads/"), "refs/remotes/")
		}
	}
	return ""
}

// OtherBranch returns a branch that has .idumb if the checked-out branch does not and the working
// tree has at most its local files; otherwise an empty text.
func OtherBranch(ctx context.Context, root layout.Root) string {
	if exists(root.Abs(layout.Dir + "/" + layout.IgnoreFile)) {
		return ""
	}
	for _, e := range root.IndexIn(layout.Dir + "/") {
		if strings.HasPrefix(e.File, layout.Dir+"/") {
			return ""
		}
	}
	return BranchWith(ctx, root)
}

// CheckoutCommand returns the command that checks out the .idumb of a branch.
func CheckoutCommand(branch string) string { return "git checkout " + branch + " -- " + layout.Dir }

// Tracks reports whether HEAD has a file, or the newest commit that changed it removed it.
func Tracks(ctx context.Context, root layout.Root, file string) bool {
	if _, err := git(ctx, root, "cat-file", "-e", "HEAD:./"+file); err == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, tracksTimeout)
	defer cancel()
	out, err := git(ctx, root, "log", "-n", "1", "--no-renames", "--format=%H", "--", file)
	return err == nil && len(out) > 0
}

// tracksTimeout limits the search through the history.
const tracksTimeout = 2 * time.Second

// AbsentError means that git has .idumb and the working tree does not.
type AbsentError struct {
	Reason  string // a clause
	Command string // command that restores .idumb
}

func (e *AbsentError) Error() string {
	return fmt.Sprintf("%v: %s; run \"%s\"", layout.ErrNoRoot, e.Reason, e.Command)
}

func (e *AbsentError) Unwrap() error { return layout.ErrNoRoot }

// Absence replaces layout.ErrNoRoot by an *AbsentError if git has .idumb for a
// directory. It returns other errors unchanged.
func Absence(dir string, err error) error {
	if !errors.Is(err, layout.ErrNoRoot) {
		return err
	}
	if _, why, command := LeftOutOf(dir); why != "" {
		return &AbsentError{why, command}
	}
	if abs, failed := filepath.Abs(dir); failed == nil {
		dir = abs
	}
	if branch := BranchWith(context.Background(), layout.Root(dir)); branch != "" {
		return &AbsentError{"branch " + branch + " has it, and this one does not", "git checkout " + branch + " -- " + layout.Dir}
	}
	return err
}
