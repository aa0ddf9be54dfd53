package status

import (
	"strconv"

	"github.com/idumb-dev/idumb/resources"
)

// Replaced returns the artifact that replaced another one, and the last artifact in the
// chain of replacements. Both are "" if the artifact was not replaced. If several artifacts
// replaced it, the newest counts and the rest are in conflict. Artifacts that replace each
// other in a cycle do not count as replacements.
func Replaced(a *resources.Artifact, v Artifacts) (by, head string) {
	met := map[string]bool{a.Metadata.Name: true}
	for at := a; ; {
		next := successor(at, v)
		if next == nil || met[next.Metadata.Name] {
			return by, head
		}
		met[next.Metadata.Name] = true
		at, head = next, next.Metadata.Name
		if by == "" {
			by = head
		}
	}
}

// successor returns the newest artifact that supersedes a. It returns nil if
// none does, or if the two are in a cycle of replacements.
func successor(a *resources.Artifact, v Artifacts) (newest *resources.Artifact) {
	for _, next := range successors(a, v) {
		if newest == nil || next.Created().After(newest.Created()) {
			newest = next
		}
	}
	if newest != nil && supersededFrom(newest, a.Spec.Supersedes, v) {
		return nil
	}
	return newest
}

// successors returns all artifacts that supersede an artifact, in the order of the view.
func successors(a *resources.Artifact, v Artifacts) []*resources.Artifact {
	var all []*resources.Artifact
	for _, other := range v.ArtifactsNaming(a.Key()) {
		if other.Spec.Supersedes == a.Metadata.Name && other.Metadata.Name != a.Metadata.Name {
			all = append(all, other)
		}
	}
	return all
}

// supersededFrom reports whether the chain of superseded artifacts that starts at name
// contains a.
func supersededFrom(a *resources.Artifact, name string, v Artifacts) bool {
	met := map[string]bool{}
	for name != "" && !met[name] {
		if name == a.Metadata.Name {
			return true
		}
		met[name] = true
		old, ok := v.Artifact(name)
		if !ok {
			return false
		}
		name = old.Spec.Supersedes
	}
	return false
}

// holds reports whether an artifact is a draft or active, was not purged, and
// was not replaced by another one.
func holds(a *resources.Artifact, v Artifacts) bool {
	return resources.OpenArtifact(a) && successor(a, v) == nil
}

// CheckArtifact returns errors that depend on other artifacts: the superseded artifact
// already has a successor, or another open artifact describes the same file. Artifacts that
// were written without this check get the condition Conflict=True.
func CheckArtifact(a *resources.Artifact, v Artifacts) []resources.FieldError {
	var errs []resources.FieldError
	if rival := rivalHead(a, v); rival != "" {
		errs = append(errs, resources.Forbidden("spec.supersedes", strconv.Quote(rival)+" has taken the place of "+strconv.Quote(a.Spec.Supersedes)+" already; supersede that one"))
	}
	if other := secondAt(a, v); other != "" {
		errs = append(errs, resources.Forbidden("spec.path", "artifact/"+other+" speaks of "+a.Spec.Path+" already; idumb confirm artifact "+other+", or declare that this one replaces it: supersedes"))
	}
	return errs
}

// rivalHead returns another artifact that supersedes the same artifact as a. It returns ""
// if none does.
func rivalHead(a *resources.Artifact, v Artifacts) string {
	old, ok := v.Artifact(a.Spec.Supersedes)
	if a.Spec.Supersedes == "" || !ok {
		return ""
	}
	for _, other := range successors(old, v) {
		if other.Metadata.Name != a.Metadata.Name {
			return other.Metadata.Name
		}
	}
	return ""
}

// secondAt returns another artifact in effect for the same file, except the one
// that a supersedes. It returns "" without such an artifact, and if a is not in
// effect.
func secondAt(a *resources.Artifact, v Artifacts) string {
	if !holds(a, v) {
		return ""
	}
	for _, other := range v.ArtifactsAt(a.Spec.Path) {
		if name := other.Metadata.Name; name != a.Metadata.Name && name != a.Spec.Supersedes && holds(other, v) {
			return name
		}
	}
	return ""
}
