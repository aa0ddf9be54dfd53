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

// Author is the author of a commit according to git. The name is not verified.
type Author struct{ Name, Mail string }

// String returns NAME <MAIL>.
func (a Author) String() string { return strings.TrimSpace(a.Name + " <" + a.Mail + ">") }

// AddedBy returns the authors of the commits, reachable from HEAD, that added the
// objects in a directory of .idumb, by object name. If a file was added several
// times, the last commit counts. It returns nil without a commit.
func AddedBy(ctx context.Context, root layout.Root, folder string) (map[string]Author, error) {
	if Head(root) == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	out, err := git(ctx, root, "log", "-z", "--no-renames", "--diff-filter=A", "--name-only", "--relative", "--format=%x01%an%x02%ae", "--", folder)
	if err != nil {
		return nil, err
	}
	added := map[string]Author{}
	var by Author
	for record := range strings.SplitSeq(string(out), "\x00") {
		record = strings.TrimLeft(record, "\n")
		if commit, ok := strings.CutPrefix(record, "\x01"); ok {
			name, mail, _ := strings.Cut(commit, "\x02")
			by = Author{strings.ToValidUTF8(name, "?"), strings.ToValidUTF8(mail, "?")}
			continue
		}
		name, ok := layout.ObjectName(strings.TrimPrefix(record, folder+"/"))
		if _, known := added[name]; ok && !known && strings.HasPrefix(record, folder+"/") {
			added[name] = by
		}
	}
	return added, nil
}
