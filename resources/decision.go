package resources

import (
	"fmt"
	"slices"
	"strings"
)

// Decision is what is proposed or decided about how things are done.
type Decision = Resource[DecisionSpec, DecisionStatus]

// DecisionSpec is what is proposed or decided, as an architecture decision record says it, with
// what it uses and avoids in the words of package registries.
type DecisionSpec struct {
	Title       string            `json:"title" idumb:"required" doc:"What is decided, a sentence: Sessions are kept in PostgreSQL."`
	State       string            `json:"state,omitempty" idumb:"enum=proposed|accepted|rejected|deprecated" doc:"Where it stands. Default proposed. Agents propose; people accept and reject, and roles whose tools.allow names decide."`
	Question    string            `json:"question,omitempty" doc:"What had to be decided."`
	Chosen      string            `json:"chosen,omitempty" doc:"Which option it is."`
	Because     string            `json:"because,omitempty" doc:"Why."`
	Options     []DecisionOption  `json:"options,omitempty" doc:"What there was to choose from."`
	Uses        []string          `json:"uses,omitempty" idumb:"set" doc:"Technologies and packages that it settles on: postgresql, next@>=16."`
	Avoids      []string          `json:"avoids,omitempty" idumb:"set" doc:"Technologies and packages that are not to be used: moment, next@<16. Adding one to a manifest, or by a package manager, is met as spec.onViolation says."`
	Paths       []string          `json:"paths,omitempty" idumb:"format=glob,set" doc:"Where it holds. Default everywhere."`
	DependsOn   []string          `json:"dependsOn,omitempty" idumb:"format=section,set" doc:"What has to be resolved first: decisions by name or as decisions/NAME; and artifacts/NAME#SECTION."`
	Against     []DecisionAgainst `json:"against,omitempty" doc:"What the documents of spec.dependsOn were when it was accepted, or accepted once more. When one is another since, the decision is UpstreamStale: accept it once more, or replace it."`
	Supersedes  string            `json:"supersedes,omitempty" idumb:"ref=decisions" doc:"The decision whose place it takes, once it is accepted."`
	Artifact    string            `json:"artifact,omitempty" idumb:"format=path" doc:"The document that records it, a file of the repository."`
	Evidence    []MemEvidence     `json:"evidence,omitempty" idumb:"text=note" doc:"What it rests on. When what it cites changes, the decision is suspect. A text alone is read as a note."`
	DecidedBy   string            `json:"decidedBy,omitempty" doc:"Who accepted or rejected it."`
	DecidedAt   Time              `json:"decidedAt,omitzero" doc:"When that was."`
	Reason      string            `json:"reason,omitempty" doc:"Why it was rejected, or does not hold any more."`
	OnViolation string            `json:"onViolation,omitempty" idumb:"enum=warn|deny|none" doc:"What becomes of a call that brings in what it avoids. warn: it runs, and is told. deny: it does not run, where a plan is worked on. none: nothing. Default warn."`
}

// DecisionAgainst is what a document, or a section of one, was when a decision was made.
type DecisionAgainst struct {
	On      string `json:"on" idumb:"required" doc:"The entry of spec.dependsOn."`
	Section string `json:"section,omitempty" doc:"The section that it means, by all its headings. Default the whole document."`
	SHA256  string `json:"sha256,omitempty" doc:"Of its text, as the artifact's status says it. Without it only what is gone is noticed."`
}

// DecisionOption is one of the things to choose from.
type DecisionOption struct {
	Name string `json:"name" idumb:"required" doc:"What it is."`
	Note string `json:"note,omitempty" doc:"What speaks for it, and against it."`
}

// States of a decision.
const (
	DecisionProposed   = "proposed"
	DecisionAccepted   = "accepted"
	DecisionRejected   = "rejected"
	DecisionDeprecated = "deprecated" // it held, and does not any more; nothing took its place
)

// Phases of a decision, besides PhaseInvalid. One that is rejected or deprecated is DecisionRejected.
const (
	DecisionUnresolved = "unresolved" // proposed; or accepted, and something that it depends on is not resolved
	DecisionResolved   = "resolved"   // it holds
	DecisionSuperseded = "superseded" // an accepted one took its place
)

// What becomes of a call that brings in what a decision avoids.
const (
	ViolationWarn = "warn" // it runs, with the decision as advice
	ViolationDeny = "deny" // it does not run; where nothing is planned, as warn
	ViolationNone = "none" // nothing
)

// DecisionStatus is what holds about a decision.
type DecisionStatus struct {
	Common
	BlockedBy    []string `json:"blockedBy,omitempty" doc:"What it depends on and is not resolved, as kind/name."`
	SupersededBy string   `json:"supersededBy,omitempty" doc:"The decision that took its place."`
	Head         string   `json:"head,omitempty" doc:"The decision at the end of the chain of those that replaced each other; none for one that holds itself."`
	Suspect      []string `json:"suspect,omitempty" doc:"What it cites that changed or is gone."`
}

// Decided reports whether a decision is any more than proposed: from then on it is people's.
func Decided(d *Decision) bool { return DecisionState(d) != DecisionProposed }

// DecisionsBefore returns the decisions that one names in spec.dependsOn, by name, in their order.
func DecisionsBefore(d *Decision) []string {
	var names []string
	for _, key := range UpstreamOf(d) {
		if key.Kind == Decisions {
			names = append(names, key.Name)
		}
	}
	return names
}

// UpstreamOf returns what a decision names in spec.dependsOn, sections left out, in its order.
func UpstreamOf(d *Decision) []Key {
	self, _ := KindOf(Decisions)
	keys := make([]Key, len(d.Spec.DependsOn))
	for i, entry := range d.Spec.DependsOn {
		name, _, _ := strings.Cut(entry, "#")
		keys[i] = relatedKey(self, name)
	}
	return keys
}

// DocumentsBefore returns the documents that a decision names in spec.dependsOn, in its order, as what
// they were when it was made: links without a sum where nobody knows.
func DocumentsBefore(d *Decision) []ArtifactDerived {
	var links []ArtifactDerived
	for i, key := range UpstreamOf(d) {
		if key.Kind != Artifacts {
			continue
		}
		entry := d.Spec.DependsOn[i]
		_, section, _ := strings.Cut(entry, "#")
		link := ArtifactDerived{Artifact: key.Name, Section: section}
		if at := slices.IndexFunc(d.Spec.Against, func(a DecisionAgainst) bool { return a.On == entry }); at >= 0 {
			link.Section, link.SHA256 = d.Spec.Against[at].Section, d.Spec.Against[at].SHA256
		}
		links = append(links, link)
	}
	return links
}

func (v *validator) decision(d *Decision) {
	v.evidence(d.Spec.Evidence)
	for i, key := range UpstreamOf(d) {
		at := fmt.Sprintf("spec.dependsOn[%d]", i)
		switch {
		case key == d.Key():
			v.add(itself(at, d.Spec.DependsOn[i]))
		case key.Kind != Decisions && key.Kind != Artifacts:
			v.add(invalid(at, d.Spec.DependsOn[i], "a decision depends on decisions, and on artifacts and their sections"))
		}
	}
	for i, avoided := range d.Spec.Avoids {
		for j, used := range d.Spec.Uses {
			if avoided == used {
				v.add(invalid(fmt.Sprintf("spec.avoids[%d]", i), avoided, fmt.Sprintf("spec.uses[%d] says to use it", j)))
			}
		}
	}
}
