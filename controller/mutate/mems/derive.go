package mems

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// DeriveView is what Derive looks at.
type DeriveView interface {
	View
	// Exists reports whether there is an object of that key, readable or not.
	Exists(key resources.Key) bool
	// Archived reports whether the object stands in the archive.
	Archived(key resources.Key) bool
}

// Derive decides what becomes of a mem that was made of something else (memory.OfTask
// and its like): the mem to be written, or nil and why none is. It is made once:
//
//   - Whatever stands under its name, in the folder or in the archive, is left alone, if it
//     was made of a source that said the same.
//   - What says the same in the same words is there already, whoever saved it; also if that
//     was purged or replaced since: what somebody took out of use does not come back by itself.
//   - A source that says something else now makes a revision, unless a person has replaced
//     or purged the mem meanwhile: then their word stands.
//
// References to what is not there are left out. m is changed.
func Derive(m *resources.Mem, w DeriveView) (*resources.Mem, string) {
	forgetGone(m, w)
	Cite(m, w)
	old := w.Mem(m.Metadata.Name)
	switch {
	case old != nil:
		return revisionOf(m, old, w)
	case w.Exists(m.Key()):
		return nil, "its file cannot be read"
	case w.Archived(m.Key()):
		return nil, "it stands in the archive"
	}
	if same := sayers(m, w); len(same) > 0 {
		return nil, "mem/" + same[0].Metadata.Name + " says the same"
	}
	return m, ""
}

// revisionOf is the mem that takes the place of one that was made of the same source. A
// source that says again what it said before is believed again.
func revisionOf(m, old *resources.Mem, w DeriveView) (*resources.Mem, string) {
	head := memory.Head(old, w)
	digest, before := resources.SourceDigest(m), resources.SourceDigest(old)
	switch {
	case resources.SourceDigest(head) == digest, before == digest && head.Spec.Source != m.Spec.Source:
		return nil, "it was made before"
	case resources.SourceDigest(head) == "":
		return nil, "somebody wrote mem/" + head.Metadata.Name + " in its place"
	case !memory.Live(head, w, w.Now()):
		return nil, "mem/" + head.Metadata.Name + " was taken out of use"
	}
	taken := func() bool { return w.Exists(m.Key()) || w.Archived(m.Key()) }
	first, again := memory.RevisionName(m, ""), memory.RevisionName(m, head.Metadata.Name)
	if m.Metadata.Name = first; taken() {
		m.Metadata.Name = again
	}
	if taken() {
		return nil, "it was made before"
	}
	m.Metadata.UID = resources.DerivedUID(m.Key())
	m.Spec.Supersedes, m.Spec.SupersedeReason = head.Metadata.Name, "what it was made of says something else now"
	m.Spec.Shelf = head.Spec.Shelf
	return m, ""
}

// forgetGone leaves out what a mem names and what is not there.
func forgetGone(m *resources.Mem, w DeriveView) {
	gone := func(key resources.Key) bool { return !w.Exists(key) && !w.Archived(key) }
	if task := m.Spec.OriginTask; task != "" && gone(resources.Key{Kind: resources.Tasks, Name: task}) {
		m.Spec.OriginTask = ""
	}
	keys, related := resources.RelatedKeys(m), m.Spec.RelatedTo
	m.Spec.RelatedTo = nil
	for i, key := range keys {
		if !gone(key) && !slices.Contains(keys[:i], key) {
			m.Spec.RelatedTo = append(m.Spec.RelatedTo, related[i])
		}
	}
	m.Spec.Evidence = slices.DeleteFunc(m.Spec.Evidence, func(e resources.MemEvidence) bool {
		_, exists := memory.SumOf(e, w)
		return e.Path != "" && !exists
	})
}
