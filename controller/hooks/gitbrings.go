package hooks

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// brings returns the first file with a change between two revisions that agents
// may not make. Such a file is a governed file, or an object's file with a new
// version that loosens a user's plan or is unknown. See command.Options.Brings.
func (g *gitState) brings(base, theirs string) string {
	if strings.HasPrefix(base, "-") || strings.HasPrefix(theirs, "-") {
		return ""
	}
	if base == "" {
		at, ok := g.git("merge-base", "HEAD", theirs)
		if !ok {
			return "" // unknown revision, or no common commit: git refuses it
		}
		base = strings.TrimSpace(at)
	}
	changed := g.planDifference(base, theirs)
	if len(changed) == 0 {
		return ""
	}
	already := g.planDifference("HEAD", theirs)
	for _, file := range changed {
		if slices.Contains(already, file) && g.forbids(file, base, theirs) {
			return file
		}
	}
	return ""
}

// planDifference returns the plan files and governed files that differ between two revisions, in
// the order of their names.
func (g *gitState) planDifference(from, to string) (files []string) {
	out, _ := g.git(append([]string{"--literal-pathspecs", "diff", "--name-only", "--no-renames", "-z", from, to, "--"}, admission.GovernedNames()...)...)
	for file := range strings.SplitSeq(out, "\x00") {
		if admission.Plans(file) {
			files = append(files, file)
		}
	}
	return files
}

// setsBack returns the first file that governs agents and differs between HEAD and a revision.
// The plan of another branch is as good as this one; that of another commit must not loosen
// what a user planned. See command.Options.SetsBack.
func (g *gitState) setsBack(revision string) string {
	revision = g.revision(revision)
	if revision == "" {
		return ""
	}
	changed := g.planDifference("HEAD", revision)
	if i := slices.IndexFunc(changed, admission.GovernsAgents); i >= 0 {
		return changed[i]
	}
	if len(changed) == 0 {
		return ""
	}
	ref, _ := g.git("rev-parse", "--symbolic-full-name", "--end-of-options", revision)
	if isBranch := strings.Contains(ref, "refs/heads/") || strings.Contains(ref, "refs/remotes/"); isBranch {
		return ""
	}
	for _, file := range changed {
		if _, isPlan := admission.ObjectAt(admission.Path{Repo: file}); isPlan && g.forbids(file, "HEAD", revision) {
			return file
		}
	}
	return ""
}

// forbids reports whether a file must not change to its version in a revision.
func (g *gitState) forbids(file, base, theirs string) bool {
	key, ok := admission.ObjectAt(admission.Path{Repo: file})
	if !ok || g.loosens == nil {
		return true
	}
	show := func(revision string) string {
		text, _ := g.git("show", "--end-of-options", revision+":"+file)
		return text
	}
	next := show(theirs)
	return show(base) != show("HEAD") || g.loosens(key, []byte(next))
}

// loosens reports whether an agent needs the user for writing this version of
// an object's file, or for removing it.
func (h *handler) loosens(key resources.Key, data []byte) bool {
	planned := admission.Planned{Key: key, Path: admission.Path{Repo: layout.Path(key)}, Known: true, Gone: len(data) == 0}
	if !planned.Gone {
		planned.Next, _, _ = resources.DecodeFile(key, data)
	}
	return admission.Loosens(h.self(), planned, h.repo)
}
