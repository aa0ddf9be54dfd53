package status

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
)

// Stacks is the data that decisions are checked against.
type Stacks interface {
	// SourceStack returns the packages in the repository's manifests, as of the last scan.
	// Seen is false before the first scan. The result must not be modified.
	SourceStack() resources.Stack
	// SourceFile describes a file of the repository. See WideView.
	SourceFile(path string) (modTime time.Time, sha256 string, exists bool)
}

// DecisionConditions returns the conditions of an accepted decision that follow from the
// code map and from its documents. It returns nil for other decisions and ignores data that
// was not collected yet.
func DecisionConditions(d *resources.Decision, phase string, v interface {
	Stacks
	Documents
}) (all []resources.Condition) {
	if resources.DecisionState(d) != resources.DecisionAccepted || phase == resources.DecisionSuperseded {
		return nil
	}
	if c := contradicted(d, v); c != nil && phase == resources.DecisionResolved {
		all = append(all, *c)
	}
	if c := upstreamStale(d, v); c != nil {
		all = append(all, *c)
	}
	return all
}

// contradicted returns a condition if the manifests contain an avoided package,
// contain another version of a used package, or lack a package that the
// decision uses. Otherwise it returns nil. It ignores files that changed after
// the last scan.
func contradicted(d *resources.Decision, v Stacks) *resources.Condition {
	if len(d.Spec.Uses) == 0 && len(d.Spec.Avoids) == 0 {
		return nil
	}
	stack := v.SourceStack()
	if !stack.Seen {
		return nil
	}
	held := violationCheck{d: d, v: v, files: slices.DeleteFunc(slices.Clone(stack.Files), func(f resources.StackFile) bool {
		return len(d.Spec.Paths) > 0 && !resources.MatchesAny(f.Path, d.Spec.Paths)
	})}
	replace := ", or replace the decision: idumb supersede decision " + d.Metadata.Name + " --by ANOTHER"
	if places := held.broken(); len(places) > 0 {
		return &resources.Condition{Type: resources.Contradicted, Status: resources.True, Reason: "Avoided", Message: Listed(places, ", ") + "; mend that" + replace}
	}
	if missing := held.unused(); len(missing) > 0 && !stack.Partial {
		return &resources.Condition{Type: resources.Contradicted, Status: resources.True, Reason: "NotUsed",
			Message: fmt.Sprintf("it uses %s, which the map does not show; bring it in", strings.Join(missing, ", ")) + replace}
	}
	return nil
}

// violationCheck compares a decision with the files in its scope.
type violationCheck struct {
	d     *resources.Decision
	v     Stacks
	files []resources.StackFile
}

// fresh reports whether a file is unchanged since the scan.
func (h *violationCheck) fresh(f *resources.StackFile) bool {
	_, sum, exists := h.v.SourceFile(f.Path)
	return exists && sum == f.SHA256
}

// broken lists the locations of avoided packages, and of used packages in another version.
func (h *violationCheck) broken() (places []string) {
	for i := range h.files {
		f, found := &h.files[i], []string(nil)
		for _, use := range f.Uses {
			if why := h.against(use); why != "" {
				found = append(found, fmt.Sprintf("%s:%d has %s (%s)", safeText(f.Path), use.Line, safeText(named(use).String()), why))
			}
		}
		if len(found) > 0 && h.fresh(f) {
			places = append(places, found...)
		}
	}
	return places
}

// against returns why a package violates the decision, or "" if it does not.
func (h *violationCheck) against(use resources.StackUse) string {
	p := named(use)
	for _, entry := range h.d.Spec.Avoids {
		if p.Is(packages.Named(entry)) {
			return "avoided"
		}
	}
	for _, entry := range h.d.Spec.Uses {
		wanted := packages.Named(entry)
		if strings.ContainsAny(p.Version, "0123456789") && p.Is(packages.Package{Name: wanted.Name}) && !p.Is(wanted) {
			return "not " + entry
		}
	}
	return ""
}

// unused returns the entries of spec.uses that no file contains. It returns nil if there
// are no files, or if a file changed after the last scan.
func (h *violationCheck) unused() (missing []string) {
	shows := func(entry string) bool {
		wanted := packages.Named(entry)
		return slices.ContainsFunc(h.files, func(f resources.StackFile) bool {
			return slices.ContainsFunc(f.Uses, func(use resources.StackUse) bool { return named(use).Is(packages.Package{Name: wanted.Name}) })
		})
	}
	for _, entry := range h.d.Spec.Uses {
		if !shows(entry) {
			missing = append(missing, entry)
		}
	}
	if len(missing) == 0 || len(h.files) == 0 || slices.ContainsFunc(h.files, func(f resources.StackFile) bool { return !h.fresh(&f) }) {
		return nil
	}
	return missing
}

// named returns the package that a manifest uses.
func named(use resources.StackUse) packages.Package {
	return packages.Package{Name: use.Name, Version: use.Version}
}

// safeText makes an untrusted name safe to display: one line, limited length, no control
// characters.
func safeText(text string) string {
	const longest = 120
	text = strings.Join(strings.Fields(strings.Map(resources.Visible, strings.ToValidUTF8(text, ""))), " ")
	return resources.Shortened(text, longest, "…")
}
