package status

import (
	"strconv"

	"github.com/idumb-dev/idumb/resources"
)

// Replaced returns the artifact that took the place of another one, and the one at the end of the
// chain of those, which holds now; "" if nothing did. Of several that did, all but the newest
// stand in conflict. Those that replace each other in a circle replace nothing.
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

// successor is the artifact that names one as what it supersedes, the newest of several; nil if
// there is none.
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

func successors(a *resources.Artifact, v Artifacts) []*resources.Artifact {
	var all []*resources.Artifact
	for _, other := range v.ArtifactsNaming(a.Key()) {
		if other.Spec.Supersedes == a.Metadata.Name && other.Metadata.Name != a.Metadata.Name {
			all = append(all, other)
		}
	}
	return all
}

// supersededFrom reports whether an artifact is among those that a name stands for the last of:
// what it supersedes, what that does, and so on.
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

// holds reports whether an artifact claims to hold, and nothing took its place.
func holds(a *resources.Artifact, v Artifacts) bool {
	return resources.OpenArtifact(a) && successor(a, v) == nil
}

// CheckArtifact returns what keeps an artifact from being written because of what others say: the
// one that it supersedes has a successor already, or another one that holds speaks of its file.
// What comes past commands is marked Conflict=True.
func CheckArtifact(a *resources.Artifact, v Artifacts) []resources.FieldError {
	var errs []resources.FieldError
	if rival := rivalHead(a, v); rival != "" {
		errs = append(errs, resources.Forbidden("spec.supersedes", strconv.Quote(rival)+" has taken the place of "+strconv.Quote(a.Spec.Supersedes)+" already; supersede that one"))
	}
	if other := secondAt(a, v); other != "" {
		errs = append(errs, resources.Forbidden("spec.path", "artifact/"+other+" speaks of "+a.Spec.Path+" already; idumb confirm artifact "+other+", or say that this one takes its place: supersedes"))
	}
	return errs
}

// rivalHead is another artifact that took the place of the one that a supersedes, "" if there is none.
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

// secondAt is another artifact that holds and speaks of the same file, "" if there is none.
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
