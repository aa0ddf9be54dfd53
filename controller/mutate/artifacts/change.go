package artifacts

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Confirm returns the artifact as confirmed against its sources: its links, or
// those of one section, get the current hashes. A link to a superseded artifact
// is changed to the valid one, if that has the section. left lists the links
// that remain stale because of earlier artifacts in the chain.
func Confirm(a *resources.Artifact, section, by string, v View) (next *resources.Artifact, left []status.StaleLink, err error) {
	if err := refuseEnded("confirm", a, v); err != nil {
		return nil, nil, err
	}
	next = resources.Clone(a).(*resources.Artifact)
	if !v.SourceDocument(a.Spec.Path).Exists {
		moved := v.SourceMoved(a.Spec.Path, "", "")
		if moved == "" {
			return nil, nil, refuse("confirm", a.Metadata.Name, NoDocument, a.Spec.Path+" is not there", "bring the file back, or idumb artifact abandon "+a.Metadata.Name+" --reason WHY")
		}
		next.Spec.Path = moved
	}
	if section != "" {
		if section, _, err = sectionOf("confirm", next, section, v); err != nil {
			return nil, nil, err
		}
	}
	for i, link := range next.Spec.DerivedFrom {
		if !resources.Holds(section, link.Of) {
			continue
		}
		if next.Spec.DerivedFrom[i], err = renewLink(a, link, v); err != nil {
			return nil, nil, err
		}
	}
	next.Spec.ValidatedAt, next.Spec.ValidatedBy = resources.NewTime(v.Now()), by
	return next, status.StaleLinks(next, v), nil
}

// DescribeLink describes a link that remains stale after a confirmation.
func DescribeLink(link status.StaleLink) string {
	of := link.Section
	if of == "" {
		of = "it"
	}
	return of + " stays stale: " + link.Because + ", which is upstream of its source; confirm the source first"
}

// renewLink returns a link with the current hash.
func renewLink(a *resources.Artifact, link resources.ArtifactDerived, v View) (resources.ArtifactDerived, error) {
	instead := fmt.Sprintf("remove that link from spec.derivedFrom (idumb edit artifact %s), or name its new source: idumb artifact adopt %s --derived-from ARTIFACT#SECTION", a.Metadata.Name, a.Spec.Path)
	before, ok := v.Artifact(link.Artifact)
	if !ok {
		return link, refuse("confirm", a.Metadata.Name, Upstream, "artifact/"+link.Artifact+" is gone", instead)
	}
	if _, head := status.Replaced(before, v); head != "" {
		before, _ = v.Artifact(head)
	}
	if before.Spec.State == resources.ArtifactAbandoned || !before.Spec.PurgedAt.IsZero() {
		return link, refuse("confirm", a.Metadata.Name, Upstream, "artifact/"+before.Metadata.Name+" was given up", instead)
	}
	section, sum, found := v.SourceDocument(before.Spec.Path).Follow(link.Section, link.SHA256)
	if !found {
		return link, refuse("confirm", a.Metadata.Name, NoSection, resources.CitationText(before.Metadata.Name, link.Section)+" is gone", instead)
	}
	link.Artifact, link.Section, link.SHA256 = before.Metadata.Name, section, sum
	return link, nil
}

// refuseEnded returns a refusal if an artifact is no longer valid.
func refuseEnded(verb string, a *resources.Artifact, v View) error {
	name := a.Metadata.Name
	if _, head := status.Replaced(a, v); head != "" {
		step := "idumb artifact " + verb + " " + head
		if verb == "confirm" {
			step = "idumb confirm artifact/" + head
		}
		return refuse(verb, name, EndedCause, "artifact/"+head+" supersedes it", step)
	}
	if !a.Spec.PurgedAt.IsZero() {
		return refuse(verb, name, EndedCause, "it was purged", "idumb describe artifact "+name)
	}
	switch state := resources.ArtifactState(a); state {
	case resources.ArtifactAbandoned, resources.ArtifactSuperseded:
		return refuse(verb, name, EndedCause, "it is "+state+" already", "idumb describe artifact "+name)
	}
	return nil
}

// Supersede returns the artifact of a document as the replacement of an old
// one. A new artifact covers the same objects as the old one.
func Supersede(old *resources.Artifact, adopted Adoption, reason string, v View) (*resources.Artifact, error) {
	name := old.Metadata.Name
	if _, head := status.Replaced(old, v); head != "" {
		return nil, refuse("supersede", name, EndedCause, "artifact/"+head+" supersedes it", "idumb supersede artifact "+head+" --by FILE --reason WHY")
	}
	same := adopted.Path == old.Spec.Path
	next, err := Adopt(adopted, v)
	if err != nil {
		return nil, err
	}
	if same { // the document was rewritten in place
		next = newArtifact(adopted.Name, resources.ArtifactSpec{Path: adopted.Path, Type: old.Spec.Type})
	}
	if next.Source().Revision == "" {
		next.Spec.Parent, next.Spec.Covers = old.Spec.Parent, append(next.Spec.Covers, old.Spec.Covers...)
		if next.Spec.Type == "" {
			next.Spec.Type = old.Spec.Type
		}
	}
	next.Spec.Supersedes, next.Spec.SupersedeReason = name, strings.TrimSpace(reason)
	return next, nil
}

// Abandon returns the artifact in state abandoned. Its document stays.
func Abandon(a *resources.Artifact, reason string, v View) (*resources.Artifact, error) {
	if err := refuseEnded("abandon", a, v); err != nil {
		return nil, err
	}
	if strings.TrimSpace(reason) == "" {
		return nil, refuse("abandon", a.Metadata.Name, NoReason, "no reason is given", `say why with --reason "..."`)
	}
	return withEnd(a, resources.ArtifactAbandoned, reason, v), nil
}

// Complete returns the artifact in state completed.
func Complete(a *resources.Artifact, reason string, v View) (*resources.Artifact, error) {
	if err := refuseEnded("complete", a, v); err != nil {
		return nil, err
	}
	return withEnd(a, resources.ArtifactCompleted, reason, v), nil
}

// withEnd returns a copy of an artifact in a final state, with the time and the
// reason.
func withEnd(a *resources.Artifact, state, reason string, v View) *resources.Artifact {
	next := resources.Clone(a).(*resources.Artifact)
	next.Spec.State, next.Spec.EndedAt = state, resources.NewTime(v.Now())
	if reason = strings.TrimSpace(reason); reason != "" {
		next.Spec.Reason = reason
	}
	return next
}
