package memory

import (
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// View is what the rules between mems look at.
type View interface {
	Graph
	// Now is the one clock of a computation.
	Now() time.Time
}

// Check returns what keeps a mem from being written because of what other mems say:
// it cannot take the place of the one that it supersedes, or another one has taken that
// already; or it wants a false path to end without anything in its place. What comes past
// commands is marked Conflict=True in its place.
func Check(m *resources.Mem, w View) []resources.FieldError {
	var errs []resources.FieldError
	if m.Spec.Type == resources.FalsePath && !m.Spec.PurgedAt.IsZero() {
		errs = append(errs, resources.Forbidden("spec.purgedAt", "a false path ends only by a mem that replaces it and says why: idumb supersede mem "+m.Metadata.Name))
	}
	if m.Spec.Supersedes == "" || m.Spec.Supersedes == m.Metadata.Name {
		return errs
	}
	old := w.Mem(m.Spec.Supersedes)
	if old == nil {
		return errs
	}
	if why := Unfit(m, old); why != "" {
		return append(errs, resources.Forbidden("spec.supersedes", why))
	}
	if rivals := rivalsFor(old, m, w, w.Now()); len(rivals) > 0 && Live(m, w, w.Now()) {
		return append(errs, resources.Forbidden("spec.supersedes", strconv.Quote(rivals[0])+" has taken the place of "+strconv.Quote(old.Metadata.Name)+" already; supersede that one"))
	}
	return errs
}
