package resources

import (
	"strconv"
	"time"
)

// MemWorld is what the rules between mems look at.
type MemWorld interface {
	MemGraph
	// Now is the one clock of a computation.
	Now() time.Time
}

// CheckMem returns what keeps a mem from being written because of what other mems say:
// it cannot take the place of the one that it supersedes, or another one has taken that
// already; or it wants a false path to end without anything in its place. What comes past
// commands is marked Conflict=True in its place.
func CheckMem(m *Mem, w MemWorld) []FieldError {
	var errs []FieldError
	if m.Spec.Type == FalsePath && !m.Spec.PurgedAt.IsZero() {
		errs = append(errs, forbidden("spec.purgedAt", "a false path ends only by a mem that replaces it and says why: idumb mem supersede "+m.Metadata.Name))
	}
	if m.Spec.Supersedes == "" || m.Spec.Supersedes == m.Metadata.Name {
		return errs
	}
	old := w.Mem(m.Spec.Supersedes)
	if old == nil {
		return errs
	}
	if why := Unfit(m, old); why != "" {
		return append(errs, forbidden("spec.supersedes", why))
	}
	if rivals := rivalsFor(old, m, w, w.Now()); len(rivals) > 0 && MemLive(m, w, w.Now()) {
		return append(errs, forbidden("spec.supersedes", strconv.Quote(rivals[0])+" has taken the place of "+strconv.Quote(old.Metadata.Name)+" already; supersede that one"))
	}
	return errs
}
