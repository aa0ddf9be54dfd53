package githistory

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Trail is what became of a commit that HEAD stood at.
type Trail int

// Trails.
const (
	Followed Trail = iota // HEAD leads to it
	Aside                 // a branch, a tag or another worktree leads to it, HEAD does not
	Left                  // nothing leads to it any more
	Unknown               // there is no such commit here
)

// Lost is a commit that nothing leads to any more, since it was amended, rebased or dropped.
type Lost struct {
	Commit resources.Commit
	// Heir is the commit that took its place: what its author wrote at the same second, which
	// amending and rebasing keep. Nil: there is none, or nobody can tell which.
	Heir *resources.Commit
	// Kept: another commit that is there says what this one said, in the same words or, as
	// one that several were squashed into, among others.
	Kept bool
}

// LostSince returns, where nothing leads to a commit that HEAD stood at once, the commits
// with telling messages (see Commits) that it led to and that nothing leads to now, so many
// at most.
func LostSince(ctx context.Context, root layout.Root, former string, most int) (Trail, []Lost, error) {
	if hexOf(former) == "" {
		return Unknown, nil, nil
	}
	if _, err := git(ctx, root, "cat-file", "-e", former+"^{commit}"); err != nil {
		return Unknown, nil, ctx.Err()
	}
	if _, err := git(ctx, root, "merge-base", "--is-ancestor", former, "HEAD"); err == nil {
		return Followed, nil, nil
	}
	unreached := []string{former, "--not", "--all", "HEAD"}
	out, err := git(ctx, root, append([]string{"rev-list", "-n", "1"}, unreached...)...)
	if err != nil {
		return Unknown, nil, err
	}
	if len(bytes.TrimSpace(out)) == 0 {
		return Aside, nil, nil
	}
	commits, err := logged(ctx, root, slices.Concat(logArgs(most), tellingArgs(), unreached))
	if err != nil || len(commits) == 0 {
		return Left, nil, err
	}
	there, err := since(ctx, root, former, most)
	return Left, heirs(commits, there), err
}

// since are the newest commits that something leads to and that came after HEAD's way parted
// from that of a former one.
func since(ctx context.Context, root layout.Root, former string, most int) ([]resources.Commit, error) {
	args := append(logArgs(most), "--all", "HEAD")
	if base, err := git(ctx, root, "merge-base", former, "HEAD"); err == nil {
		args = append(args, "--not", string(bytes.TrimSpace(base)))
	}
	return logged(ctx, root, args)
}

// heirs finds for each commit that is lost what took its place among those that are there.
func heirs(lost, there []resources.Commit) []Lost {
	said := map[string]bool{}
	for _, c := range there {
		said[strings.TrimSpace(c.Message)] = true
	}
	same := map[string]bool{} // messages that were lost and are there: what bears them is no heir of others
	for _, c := range lost {
		same[strings.TrimSpace(c.Message)] = said[strings.TrimSpace(c.Message)]
	}
	var all []Lost
	for _, c := range lost {
		l := Lost{Commit: c, Kept: said[strings.TrimSpace(c.Message)]}
		if !l.Kept {
			l.Heir = heirOf(c, there, same)
			l.Kept = l.Heir == nil && squashed(c, there)
		}
		all = append(all, l)
	}
	return all
}

// heirOf is the one commit that the same author wrote at the same second; of several the one
// that follows the same commit, or that changed the same files.
func heirOf(c resources.Commit, there []resources.Commit, same map[string]bool) *resources.Commit {
	var found, after, alike []*resources.Commit
	for i := range there {
		other := &there[i]
		if other.Author != c.Author || c.Author == "" || same[strings.TrimSpace(other.Message)] {
			continue
		}
		found = append(found, other)
		if other.Parents == c.Parents {
			after = append(after, other)
		}
		if slices.Equal(other.Files, c.Files) {
			alike = append(alike, other)
		}
	}
	for _, list := range [][]*resources.Commit{found, after, alike} {
		if len(list) == 1 {
			return list[0]
		}
	}
	return nil
}

// squashed reports whether a line of another commit's message is the subject of this one, as
// in the messages of commits that several were squashed into.
func squashed(c resources.Commit, there []resources.Commit) bool {
	subject, _, _ := strings.Cut(strings.TrimSpace(c.Message), "\n")
	words := resources.NormalText(subject)
	for _, other := range there {
		for line := range strings.Lines(other.Message) {
			if resources.NormalText(line) == words {
				return true
			}
		}
	}
	return false
}
