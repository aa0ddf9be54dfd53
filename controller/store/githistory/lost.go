package githistory

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/memory"
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
	Commit memory.Commit
	// Heir is the commit that took its place: what its author wrote at the same second, which
	// amending and rebasing keep. Nil: there is none, or nobody can tell which.
	Heir *memory.Commit
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
func since(ctx context.Context, root layout.Root, former string, most int) ([]memory.Commit, error) {
	args := append(logArgs(most), "--all", "HEAD")
	if base, err := git(ctx, root, "merge-base", former, "HEAD"); err == nil {
		args = append(args, "--not", string(bytes.TrimSpace(base)))
	}
	return logged(ctx, root, args)
}

// heirs finds for each commit that is lost what took its place among those that are there.
func heirs(lost, there []memory.Commit) []Lost {
	said := map[string]bool{}
	for _, c := range there {
		said[strings.TrimSpace(c.Message)] = true
	}
	all, kept, seekers := make([]Lost, len(lost)), map[string]bool{"": true}, map[string]int{}
	for i, c := range lost {
		all[i] = Lost{Commit: c, Kept: said[strings.TrimSpace(c.Message)]}
		if all[i].Kept {
			kept[strings.TrimSpace(c.Message)] = true // what bears it is no heir of others
		} else {
			seekers[c.Author]++
		}
	}
	free := slices.DeleteFunc(slices.Clone(there), func(c memory.Commit) bool { return kept[strings.TrimSpace(c.Message)] })
	for _, fits := range [...]func(a, b memory.Commit) bool{
		func(a, b memory.Commit) bool { return a.Parents == b.Parents },         // amended
		func(a, b memory.Commit) bool { return seekers[a.Author] == 1 },         // there is no other one
		func(a, b memory.Commit) bool { return slices.Equal(a.Files, b.Files) }, // of those of one second
	} {
		for i := range all {
			if l := &all[i]; !l.Kept && l.Heir == nil {
				l.Heir, free = heirOf(l.Commit, free, fits)
			}
		}
	}
	for i := range all {
		all[i].Kept = all[i].Kept || all[i].Heir == nil && squashed(all[i].Commit, there)
	}
	return all
}

// heirOf is the one commit that the same author wrote at the same second and that fits, and
// those that are left.
func heirOf(c memory.Commit, there []memory.Commit, fits func(a, b memory.Commit) bool) (*memory.Commit, []memory.Commit) {
	found := -1
	for i, other := range there {
		switch {
		case other.Author != c.Author || !fits(c, other):
		case found >= 0:
			return nil, there // nobody can tell which
		default:
			found = i
		}
	}
	if found < 0 {
		return nil, there
	}
	heir := there[found]
	return &heir, slices.Delete(slices.Clone(there), found, found+1)
}

// squashed reports whether a line of another commit's message is the subject of this one, as
// in the messages of commits that several were squashed into.
func squashed(c memory.Commit, there []memory.Commit) bool {
	subject, _, _ := strings.Cut(strings.TrimSpace(c.Message), "\n")
	words := memory.NormalText(subject)
	for _, other := range there {
		for line := range strings.Lines(other.Message) {
			if memory.NormalText(line) == words {
				return true
			}
		}
	}
	return false
}
