package hooks

import (
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// brings returns the first file whose change between two revisions is none that an agent makes: a governed file, or
// an object's file whose new version loosens a user's plan or cannot be told. See command.Options.Brings.
func (g *gitState) brings(base, theirs string) string {
	if strings.HasPrefix(base, "-") || strings.HasPrefix(theirs, "-") {
		return ""
	}
	if base == "" {
		at, ok := g.git("merge-base", "HEAD", theirs)
		if !ok {
			return "" // no such revision, or no common commit: git refuses it
		}
		base = strings.TrimSpace(at)
	}
	diff := func(from, to string) map[string]bool {
		out, _ := g.git(append([]string{"--literal-pathspecs", "diff", "--name-only", "--no-renames", "-z", from, to, "--"}, admission.GovernedNames()...)...)
		files := map[string]bool{}
		for file := range strings.SplitSeq(out, "\x00") {
			if admission.Plans(file) {
				files[file] = true
			}
		}
		return files
	}
	changed := diff(base, theirs)
	if len(changed) == 0 {
		return ""
	}
	already, found := diff("HEAD", theirs), ""
	for file := range changed {
		if already[file] && (found == "" || file < found) && g.forbids(file, base, theirs) {
			found = file
		}
	}
	return found
}

// forbids reports whether a file is not to become what it is in a revision.
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

// loosens reports whether an agent that writes a version of an object's file, or removes the file, needs the user.
func (h *handler) loosens(key resources.Key, data []byte) bool {
	planned := admission.Planned{Key: key, Path: admission.Path{Repo: layout.Path(key)}, Known: true, Gone: len(data) == 0}
	if !planned.Gone {
		planned.Next, _, _ = resources.DecodeFile(key, data)
	}
	return admission.Loosens(h.self(), planned, h.repo)
}
