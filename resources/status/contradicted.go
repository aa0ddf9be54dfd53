package status

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
)

// Stacks is what decisions are held against.
type Stacks interface {
	// SourceStack is what the map last saw in the repository's manifests; it has no Seen where it was
	// never asked. Read-only.
	SourceStack() resources.Stack
	// SourceFile reports on a file of the repository, as WideView does.
	SourceFile(path string) (modTime time.Time, sha256 string, exists bool)
}

// DecisionConditions are the conditions of a decision that is accepted and holds, of which the map and
// the documents before it tell: none of another one, and nothing of what nobody looked for.
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

// contradicted says where the map shows what a decision avoids, or that it shows not what it uses; nil
// if neither is known. A file that changed since the map saw it shows nothing.
func contradicted(d *resources.Decision, v Stacks) *resources.Condition {
	if len(d.Spec.Uses) == 0 && len(d.Spec.Avoids) == 0 {
		return nil
	}
	stack := v.SourceStack()
	if !stack.Seen {
		return nil
	}
	held := heldAgainst{d: d, v: v, files: slices.DeleteFunc(slices.Clone(stack.Files), func(f resources.StackFile) bool {
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

// heldAgainst is a decision beside the files where it holds.
type heldAgainst struct {
	d     *resources.Decision
	v     Stacks
	files []resources.StackFile
}

// fresh reports whether a file is as the map saw it.
func (h *heldAgainst) fresh(f *resources.StackFile) bool {
	_, sum, exists := h.v.SourceFile(f.Path)
	return exists && sum == f.SHA256
}

// broken are the places that show what is avoided, or in another version what is used.
func (h *heldAgainst) broken() (places []string) {
	for i := range h.files {
		f, found := &h.files[i], []string(nil)
		for _, use := range f.Uses {
			if why := h.against(use); why != "" {
				found = append(found, fmt.Sprintf("%s:%d has %s (%s)", shown(f.Path), use.Line, shown(named(use).String()), why))
			}
		}
		if len(found) > 0 && h.fresh(f) {
			places = append(places, found...)
		}
	}
	return places
}

// against says what speaks against a package or technology; "" for nothing.
func (h *heldAgainst) against(use resources.StackUse) string {
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

// unused are the entries of spec.uses that no file shows, where there are files and all are as they were.
func (h *heldAgainst) unused() (missing []string) {
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

func named(use resources.StackUse) packages.Package {
	return packages.Package{Name: use.Name, Version: use.Version}
}

// shown is a name that a stranger's file has, as it may be shown: on one line, not long, and nothing
// that a terminal obeys.
func shown(text string) string {
	const longest = 120
	text = strings.Join(strings.Fields(strings.Map(resources.Visible, strings.ToValidUTF8(text, ""))), " ")
	return resources.Shortened(text, longest, "…")
}
