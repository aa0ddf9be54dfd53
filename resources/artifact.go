package resources

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Artifact records facts about a planning document that cannot be computed: the plan that
// it covers, the documents that it was derived from, and the artifact that replaced it. The
// document is a file of the repository, which iDumb never writes.
type Artifact = Resource[ArtifactSpec, ArtifactStatus]

// ArtifactSpec is the recorded description of a document.
type ArtifactSpec struct {
	Path            string            `json:"path" idumb:"required,format=path" doc:"The Markdown file, relative to the repository's root. A file has one live artifact."`
	Type            string            `json:"type,omitempty" idumb:"enum=prd|spec|architecture|plan|tasks|roadmap|research|adr|report|other" doc:"What sort of document it is. Default other."`
	State           string            `json:"state,omitempty" idumb:"enum=draft|active|completed|superseded|abandoned" doc:"The claimed state. Default active."`
	Supersedes      string            `json:"supersedes,omitempty" idumb:"ref=artifacts" doc:"The artifact that this one replaces."`
	SupersedeReason string            `json:"supersedeReason,omitempty" doc:"Why it replaces that one."`
	Parent          string            `json:"parent,omitempty" idumb:"ref=artifacts" doc:"The artifact that it is a part of."`
	Covers          []string          `json:"covers,omitempty" idumb:"format=reference" doc:"The objects that it documents: workplans/NAME, tasks/NAME, mems/NAME, decisions/NAME or artifacts/NAME."`
	DerivedFrom     []ArtifactDerived `json:"derivedFrom,omitempty" doc:"The sources of the document or of a section. When a source changes, the artifact is stale until a user confirms it."`
	ValidatedAt     Time              `json:"validatedAt,omitzero" doc:"When it was last confirmed."`
	ValidatedBy     string            `json:"validatedBy,omitempty" doc:"Who confirmed it: an agent's session, or a user."`
	Reason          string            `json:"reason,omitempty" doc:"Why it is in its state."`
	EndedAt         Time              `json:"endedAt,omitzero" doc:"When it was completed, superseded or abandoned."`
	PurgedAt        Time              `json:"purgedAt,omitzero" doc:"When it was removed from the context. The file stays."`
}

// ArtifactDerived is one link of the chain from requirements to tasks.
type ArtifactDerived struct {
	Artifact string `json:"artifact" idumb:"required,ref=artifacts" doc:"The artifact that comes before this one."`
	Section  string `json:"section,omitempty" doc:"A section of it, by its headings: Auth > Tokens. Default the whole document."`
	Of       string `json:"of,omitempty" doc:"The section of this document that hangs on it. Default the whole document."`
	SHA256   string `json:"sha256,omitempty" doc:"Checksum of the confirmed source, from status.sections or status.sha256. Without it only a deleted source is noticed."`
}

// Names returns the target of the link in its usual notation: "prd#Auth > Tokens".
func (d ArtifactDerived) Names() string { return CitationText(d.Artifact, d.Section) }

// CitationText returns the usual notation of a file or an artifact, or of a section of it: "whole"
// or "whole#section".
func CitationText(whole, section string) string {
	if section == "" {
		return whole
	}
	return whole + "#" + section
}

// States of an artifact. They are also phases.
const (
	ArtifactDraft      = "draft"
	ArtifactActive     = "active"
	ArtifactCompleted  = "completed"
	ArtifactSuperseded = Superseded
	ArtifactAbandoned  = "abandoned"
)

// Phases that only artifacts have. The stale, suspect and purged phases are shared with
// mems.
const (
	ArtifactMissing = "missing" // the file has been absent for more than a day
	ArtifactCurrent = "current" // no other phase applies
)

// ArtifactStatus is the observed state of an artifact.
type ArtifactStatus struct {
	Common
	Title         string            `json:"title,omitempty" doc:"The title of the document, its first heading."`
	SHA256        string            `json:"sha256,omitempty" doc:"Of the whole document but its front matter, as sections are summed."`
	Sections      []ArtifactSection `json:"sections,omitempty" doc:"Its sections, in their order."`
	Stale         []string          `json:"stale,omitempty" doc:"The stale sections with their causes, one sentence each."`
	Gone          []string          `json:"gone,omitempty" doc:"Files that it links to, from the repository's root, and that are not there."`
	GoneSince     Time              `json:"goneSince,omitzero" doc:"Since when the file itself is not there."`
	MovedTo       string            `json:"movedTo,omitempty" doc:"The new path of a renamed file, from git. confirm adopts it."`
	SupersededBy  string            `json:"supersededBy,omitempty" doc:"The artifact that supersedes it."`
	Head          string            `json:"head,omitempty" doc:"The last artifact of the chain of successors; empty for a current one."`
	CoveredBy     []string          `json:"coveredBy,omitempty" doc:"The artifacts whose spec.covers names this one."`
	ImplementedAt Time              `json:"implementedAt,omitzero" doc:"When something was first recorded for a task that it covers."`
}

// ArtifactSection is a section of the current document. It records whether the section
// still matches its sources.
type ArtifactSection struct {
	DocumentSection
	Stale   bool   `json:"stale,omitempty" doc:"Something before it in the chain changed after it was confirmed."`
	Because string `json:"because,omitempty" doc:"The first cause of that."`
}

// ArtifactState returns spec.state, or its default, active.
func ArtifactState(a *Artifact) string {
	if a.Spec.State == "" {
		return ArtifactActive
	}
	return a.Spec.State
}

// ArtifactType returns spec.type, or its default, other.
func ArtifactType(a *Artifact) string {
	if a.Spec.Type == "" {
		return "other"
	}
	return a.Spec.Type
}

// OpenArtifact reports whether an artifact is a draft or active and not purged. It ignores
// artifacts that supersede it.
func OpenArtifact(a *Artifact) bool {
	state := ArtifactState(a)
	return a.Spec.PurgedAt.IsZero() && (state == ArtifactActive || state == ArtifactDraft)
}

// CoveredKeys returns the objects that spec.covers names, in the same order.
func CoveredKeys(a *Artifact) []Key {
	self, _ := KindOf(Artifacts)
	keys := make([]Key, len(a.Spec.Covers))
	for i, entry := range a.Spec.Covers {
		keys[i] = relatedKey(self, entry)
	}
	return keys
}

// covered lists the kinds that spec.covers may name.
var covered = [...]string{WorkPlans, Tasks, Mems, Artifacts, Decisions}

// artifact checks the path, the covered objects and the sources of an artifact.
func (v *validator) artifact(a *Artifact) {
	if p := a.Spec.Path; p != "" && OutsideReason(p) == "" {
		switch {
		case path.Clean(p) != p || p == "." || strings.ContainsRune(p, '\\'):
			v.add(invalid("spec.path", p, "must be a clean path with /, such as docs/plan.md"))
		case p == ".idumb" || strings.HasPrefix(p, ".idumb/"):
			v.add(invalid("spec.path", p, "is no document: .idumb holds what iDumb keeps"))
		}
	}
	for i, key := range CoveredKeys(a) {
		if !slices.Contains(covered[:], key.Kind) {
			v.add(invalid(fmt.Sprintf("spec.covers[%d]", i), a.Spec.Covers[i], "must name a workplan, task, mem, decision or artifact"))
		}
	}
	seen := map[ArtifactDerived]bool{}
	for i, link := range a.Spec.DerivedFrom {
		link.SHA256 = ""
		if seen[link] {
			v.add(duplicate(fmt.Sprintf("spec.derivedFrom[%d]", i), link.Names()))
		}
		seen[link] = true
	}
}
