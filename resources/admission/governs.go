package admission

import "github.com/idumb-dev/idumb/resources"

// GoverningKind reports whether objects of a kind say how agents are governed: those are what
// agents never write, and what a person has to trust before they count. Records of
// sessions are kept out of git, and come from nobody else.
func GoverningKind(kind *resources.Kind) bool { return !kind.Local && !openKind(kind.Plural) }

// ObjectAt returns the object that a path holds, if it is one that agents edit as a file.
func ObjectAt(p Path) (resources.Key, bool) {
	kind, name, ok := object(p)
	if !ok || !openToAll(p) {
		return resources.Key{}, false
	}
	k, _ := resources.LookupKind(kind)
	return resources.Key{Kind: k.Plural, Name: name}, true
}
