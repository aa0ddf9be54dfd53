package onboarding

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// maxTitle is the maximal length of a title from a document, in bytes.
const maxTitle = 160

// decisions plans a decision for each architecture decision record. It returns the names of the
// undecided ones.
func (p *Plan) decisions(f ScanResult, known Existing) (open []string) {
	names := map[string]string{} // decision names by path of their record
	var planned []*resources.Decision
	for _, d := range f.Documents {
		if d.Class != documents.ADR || known.DecisionAt(d.Path) || path.Base(d.Path) == "README.md" {
			continue
		}
		stem := resources.NameOf(strings.TrimSuffix(path.Base(d.Path), path.Ext(d.Path)))
		used := func(name string) bool {
			for _, there := range names {
				if there == name {
					return true
				}
			}
			return known.Exists(resources.Key{Kind: resources.Decisions, Name: name})
		}
		name := stem
		for n := 2; name != "" && used(name); n++ {
			name = stem + "-" + strconv.Itoa(n)
		}
		if name == "" {
			continue
		}
		names[d.Path] = name
		planned = append(planned, decisionOf(name, d))
		if planned[len(planned)-1].Spec.State == resources.DecisionProposed {
			open = append(open, name)
		}
	}
	linkSuperseded(f.Documents, planned, names)
	for _, d := range planned {
		p.Steps = append(p.Steps, Step{Action: "decide", Subject: d.Metadata.Name, Reason: d.Spec.State + ": " + d.Spec.Title + " (" + d.Spec.Artifact + ")", Object: d})
	}
	return open
}

// decisionOf returns the decision of a record. Without a state in the record it is only proposed.
func decisionOf(name string, d documents.Document) *resources.Decision {
	o := resources.New[*resources.Decision](resources.Decisions, name)
	o.Spec.Title, o.Spec.Artifact = words(withoutNumber(d.Title), maxTitle), d.Path
	if o.Spec.Title == "" {
		o.Spec.Title = words(path.Base(d.Path), maxTitle)
	}
	evidence := resources.MemEvidence{Path: d.Path}
	if d.StateLine > 0 {
		evidence.Note = "line " + strconv.Itoa(d.StateLine) + ": " + d.State
	}
	o.Spec.Evidence = []resources.MemEvidence{evidence}
	switch d.State {
	case "accepted", "active", "completed":
		o.Spec.State = resources.DecisionAccepted
	case "rejected", "abandoned":
		o.Spec.State, o.Spec.Reason = resources.DecisionRejected, "stated in the document"
	case "deprecated", "superseded":
		o.Spec.State, o.Spec.Reason = resources.DecisionDeprecated, "stated in the document"
	default:
		o.Spec.State = resources.DecisionProposed
	}
	return o
}

// withoutNumber removes the number from a record's title: "1. Use REST", "ADR-1: Use REST".
func withoutNumber(title string) string {
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(title), "ADR"), "-# ")
	if text := strings.TrimLeft(rest, "0123456789"); text != rest && strings.HasPrefix(strings.TrimLeft(text, ".:-"), " ") {
		return strings.TrimLeft(text, ".:- ")
	}
	return title
}

// linkSuperseded links decisions with the decisions that they supersede. The old decision counts as
// accepted until the new one superseded it.
func linkSuperseded(all []documents.Document, planned []*resources.Decision, names map[string]string) {
	by := map[string]*resources.Decision{}
	for _, d := range planned {
		by[d.Metadata.Name] = d
	}
	link := func(newer, older string) {
		next, old := by[names[newer]], by[names[older]]
		if next == nil || old == nil || next == old || next.Spec.Supersedes != "" || next.Spec.State != resources.DecisionAccepted {
			return
		}
		if supersedes(old, next, by) || slices.ContainsFunc(planned, func(d *resources.Decision) bool { return d.Spec.Supersedes == old.Metadata.Name }) {
			return
		}
		next.Spec.Supersedes = old.Metadata.Name
		old.Spec.State, old.Spec.Reason = resources.DecisionAccepted, ""
	}
	for _, d := range all {
		if d.SupersededBy != "" {
			link(d.SupersededBy, d.Path)
		}
		if d.Supersedes != "" {
			link(d.Path, d.Supersedes)
		}
	}
}

// supersedes reports whether d is other or supersedes it, directly or through further decisions.
func supersedes(d, other *resources.Decision, by map[string]*resources.Decision) bool {
	for ; d != nil; d = by[d.Spec.Supersedes] {
		if d == other {
			return true
		}
	}
	return false
}

// rank returns the position of a class of documents in the chain from requirements to tasks. It
// returns false for classes outside the chain.
func rank(class string) (int, bool) {
	at := slices.Index([]string{documents.PRD, documents.Spec, documents.Architecture, documents.Roadmap, documents.Plan, documents.Tasks}, class)
	return at, at >= 0
}

// inChainOrder sorts documents so that sources precede the documents derived from them.
func inChainOrder(all []documents.Document) []documents.Document {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b documents.Document) int {
		first, _ := rank(a.Class)
		second, _ := rank(b.Class)
		return cmp.Compare(first, second)
	})
	return all
}

// adoption returns the step that adopts a document as an artifact. Only a user can add the
// documents that it derives from.
func adoption(d documents.Document) Step {
	s := Step{Action: "adopt", Subject: d.Path, Reason: d.Class, Adoption: &artifacts.Adoption{Path: d.Path, Type: d.Class}}
	switch {
	case d.State == "draft" || d.State == "proposed":
		s.Adoption.Draft = true
	case d.State == "completed":
		s.State = resources.ArtifactCompleted
	case d.State == "superseded":
		s.State = resources.ArtifactSuperseded
	case slices.Contains([]string{"superseded", "abandoned", "rejected", "deprecated"}, d.State):
		s.State = resources.ArtifactAbandoned
	}
	if d.State != "" {
		s.Reason += ", " + d.State
	}
	return s
}
