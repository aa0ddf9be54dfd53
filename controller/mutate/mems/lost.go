package mems

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// LoseSource returns a mem as it is to be once nothing leads any more to the commit that it
// was made of, and why. made is what that commit makes (memory.OfCommit), heir the mem
// of the commit that took its place, nil for none.
//
// With an heir that holds, that one takes its place: key is the heir's, and so is the mem.
// Without, the mem is marked (memory.AnnotationSourceLost), and suspect until somebody
// confirms it. One that is out of use, or that people stand for - they wrote it anew, confirmed
// or pinned it - is left alone: nil.
func LoseSource(made, heir *resources.Mem, w View) *resources.Mem {
	old := w.Mem(made.Metadata.Name)
	if old == nil || !stillDerived(old, made, w) {
		return nil
	}
	if heir != nil {
		if h := w.Mem(heir.Metadata.Name); h != nil && memory.Live(h, w, w.Now()) {
			if next, err := Supersede(h, old, "the commit that it was made of was amended", w); err == nil && next != h {
				return next
			}
		}
	}
	next := resources.Clone(old).(*resources.Mem)
	next.Metadata.Annotations[memory.AnnotationSourceLost] = w.Now().UTC().Format(time.RFC3339)
	return next
}

// stillDerived reports whether a mem holds, and nobody had anything to do with it but the controller that derived it.
func stillDerived(m, made *resources.Mem, w View) bool {
	_, marked := m.Metadata.Annotations[memory.AnnotationSourceLost]
	return !marked && resources.SourceDigest(m) == resources.SourceDigest(made) && m.Spec.Content == made.Spec.Content &&
		!m.Spec.Pinned && len(m.Spec.Confirmations) == 0 && memory.Live(m, w, w.Now())
}
