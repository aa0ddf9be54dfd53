package resources

import (
	"fmt"
	"slices"
	"strings"
)

// Decision is a proposed or accepted decision about how the project is built.
type Decision = Resource[DecisionSpec, DecisionStatus]

// DecisionSpec is an architecture decision record. It also lists the technologies that the
// decision uses and avoids, by their names in package registries.
type DecisionSpec struct {
	Title       string            `json:"title" idumb:"required" doc:"The decision as a sentence: Sessions are stored in PostgreSQL."`
	State       string            `json:"state,omitempty" idumb:"enum=proposed|accepted|rejected|deprecated" doc:"The state. Default proposed. Agents propose; users accept and reject, and so do roles whose tools.allow contains decide."`
	Question    string            `json:"question,omitempty" idumb:"flag=question" doc:"The question to decide."`
	Chosen      string            `json:"chosen,omitempty" idumb:"flag=chosen" doc:"The chosen option."`
	Because     string            `json:"because,omitempty" idumb:"flag=because" doc:"The reason."`
	Options     []DecisionOption  `json:"options,omitempty" doc:"The options of the choice."`
	Uses        []string          `json:"uses,omitempty" idumb:"flag=uses*,set" doc:"A chosen technology or package: postgresql, next@>=16."`
	Avoids      []string          `json:"avoids,omitempty" idumb:"flag=avoid*,set" doc:"A technology or package to avoid: moment, next@<16. spec.onViolation sets the action for a call that adds one to a manifest or installs one by a package manager."`
	Paths       []string          `json:"paths,omitempty" idumb:"flag=path*,format=glob,set" doc:"A file pattern that limits the decision. Default: all files."`
	DependsOn   []string          `json:"dependsOn,omitempty" idumb:"flag=depends-on*,format=section,set" doc:"A decision that this one depends on, or artifacts/NAME#SECTION."`
	Against     []DecisionAgainst `json:"against,omitempty" doc:"Checksums of the documents in spec.dependsOn at the last acceptance. When a document changes, the decision is UpstreamStale: accept it again, or replace it."`
	Supersedes  string            `json:"supersedes,omitempty" idumb:"flag=supersedes,ref=decisions" doc:"The decision to replace once this one is accepted."`
	Artifact    string            `json:"artifact,omitempty" idumb:"flag=document,format=path" doc:"The document of the decision, a file of the repository."`
	Evidence    []MemEvidence     `json:"evidence,omitempty" idumb:"flag=evidence*,text=note" doc:"Evidence: FILE, FILE#HEADING, FILE#DECLARATION or a note. When a citation changes, the decision is suspect. Any other text is a note."`
	DecidedBy   string            `json:"decidedBy,omitempty" doc:"Who accepted or rejected it."`
	DecidedAt   Time              `json:"decidedAt,omitzero" doc:"When that was."`
	Reason      string            `json:"reason,omitempty" doc:"Why it was rejected or ended."`
	OnViolation string            `json:"onViolation,omitempty" idumb:"flag=on-violation,enum=warn|deny|none" doc:"The action for calls that add an avoided package. warn: the call runs and gets a warning. deny: the call is denied while a plan is active. none: no effect. Default warn."`
}

// DecisionAgainst is the version of a document, or of a section, that a decision is based
// on.
type DecisionAgainst struct {
	On      string `json:"on" idumb:"required" doc:"The entry of spec.dependsOn."`
	Section string `json:"section,omitempty" doc:"The section that it means, by all its headings. Default the whole document."`
	SHA256  string `json:"sha256,omitempty" doc:"Checksum of its text, from the artifact's status. Without it only a deleted document is noticed."`
}

// DecisionOption is one of the options of a decision.
type DecisionOption struct {
	Name string `json:"name" idumb:"required" doc:"The option in a few words."`
	Note string `json:"note,omitempty" doc:"Arguments for and against it."`
}

// States of a decision.
const (
	DecisionProposed   = "proposed"
	DecisionAccepted   = "accepted"
	DecisionRejected   = "rejected"
	DecisionDeprecated = "deprecated" // no longer in effect, without a replacement
)

// Phases of a decision, in addition to PhaseInvalid. The phase of a rejected or deprecated
// decision is DecisionRejected.
const (
	DecisionUnresolved = "unresolved" // proposed, or accepted with an unresolved dependency
	DecisionResolved   = "resolved"   // in effect
	DecisionSuperseded = "superseded" // replaced by an accepted decision
)

// Values of spec.onViolation: the handling of a call that introduces an avoided technology.
const (
	ViolationWarn = "warn" // the call runs, and the agent gets the decision as advice
	ViolationDeny = "deny" // the call is denied; without an active plan it is handled as warn
	ViolationNone = "none" // ignored
)

// DecisionStatus is the observed state of a decision.
type DecisionStatus struct {
	Common
	BlockedBy    []string `json:"blockedBy,omitempty" doc:"Its unresolved dependencies, as kind/name."`
	SupersededBy string   `json:"supersededBy,omitempty" doc:"The decision that supersedes it."`
	Head         string   `json:"head,omitempty" doc:"The last decision of the chain of successors; empty for a current one."`
	Suspect      []string `json:"suspect,omitempty" doc:"The citations that changed or were deleted."`
}

// Decided reports whether a decision was already accepted, rejected or
// deprecated. Agents may not change a decided decision.
func Decided(d *Decision) bool { return DecisionState(d) != DecisionProposed }

// DecisionsBefore returns the names of the decisions in spec.dependsOn, in the same order.
func DecisionsBefore(d *Decision) []string {
	var names []string
	for _, key := range UpstreamOf(d) {
		if key.Kind == Decisions {
			names = append(names, key.Name)
		}
	}
	return names
}

// UpstreamOf returns the objects in spec.dependsOn, without sections, in the same order.
func UpstreamOf(d *Decision) []Key {
	self, _ := KindOf(Decisions)
	keys := make([]Key, len(d.Spec.DependsOn))
	for i, entry := range d.Spec.DependsOn {
		name, _, _ := strings.Cut(entry, "#")
		keys[i] = relatedKey(self, name)
	}
	return keys
}

// DocumentsBefore returns the documents in spec.dependsOn, in the same order.
// spec.against records the section and the checksum. Without a record the
// section is the one in spec.dependsOn and the checksum is empty.
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

// decision checks the citations, the dependencies and the packages of a decision.
func (v *validator) decision(d *Decision) {
	v.evidence(d.Spec.Evidence)
	for i, key := range UpstreamOf(d) {
		switch at := fmt.Sprintf("spec.dependsOn[%d]", i); {
		case key == d.Key():
			v.add(itself(at, d.Spec.DependsOn[i]))
		case key.Kind != Decisions && key.Kind != Artifacts:
			v.add(invalid(at, d.Spec.DependsOn[i], "a decision depends on decisions, and on artifacts and their sections"))
		}
	}
	for i, avoided := range d.Spec.Avoids {
		for j, used := range d.Spec.Uses {
			if avoided == used {
				v.add(invalid(fmt.Sprintf("spec.avoids[%d]", i), avoided, fmt.Sprintf("also listed in spec.uses[%d]", j)))
			}
		}
	}
}
