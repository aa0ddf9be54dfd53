package githistory

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// ChangedSince reports whether a user changed or removed a file since then: the
// working tree differs from HEAD, or a commit made since then has the change.
// It returns false if git restored an older version, as a checkout, a stash or
// a rebase does, and while git is changing the working tree. It returns true
// for an untracked file.
func ChangedSince(ctx context.Context, root layout.Root, file string, since time.Time) bool {
	if layout.GitDir(string(root)) == "" || Head(root) == "" {
		return true
	}
	if root.Indexing() {
		return false
	}
	_, err := git(ctx, root, "cat-file", "-e", "HEAD:./"+file)
	inHead, here := err == nil, exists(root.Abs(file))
	if inHead {
		_, err = git(ctx, root, "diff", "--quiet", "--no-ext-diff", "HEAD", "--", file)
	}
	switch {
	case inHead && err != nil:
		return !root.GitAtWork() // HEAD moves last
	case !inHead && (here || !RemovedByGit(ctx, root, file, since)):
		return true
	}
	out, err := git(ctx, root, "log", "-n", "1", "--no-renames", "--format=%at", "--", file)
	at, _ := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return err == nil && at > since.Unix()
}

// NewerVersion returns the newest version of a file on any branch, if it was committed
// after since and the version in the working tree is unmodified. It returns nil
// otherwise.
func NewerVersion(ctx context.Context, root layout.Root, file string, since time.Time) []byte {
	if layout.GitDir(string(root)) == "" || Head(root) == "" {
		return nil
	}
	if _, err := git(ctx, root, "diff", "--quiet", "--no-ext-diff", "HEAD", "--", file); err != nil {
		return nil
	}
	out, err := git(ctx, root, "log", "-n", "1", "--branches", "--remotes", "--no-renames", "--format=%at %H", "--", file)
	stamp, commit, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if at, _ := strconv.ParseInt(stamp, 10, 64); err != nil || commit == "" || at <= since.Unix() {
		return nil
	}
	data, err := git(ctx, root, "cat-file", "blob", commit+":./"+file)
	if err != nil {
		return nil
	}
	return data
}
