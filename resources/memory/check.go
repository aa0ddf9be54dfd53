package memory

import (
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// View is the data that Check needs.
type View interface {
	Graph
	// Now returns the time of the computation.
	Now() time.Time
}

// Check returns errors that depend on other mems: a mem cannot replace the mem in
// spec.supersedes, another mem has already replaced it, or a false path is purged without a
// replacement. Mems that were written without this check get the condition Conflict=True.
func Check(m *resources.Mem, w View) []resources.FieldError {
	var errs []resources.FieldError
	if m.Spec.Type == resources.FalsePath && !m.Spec.PurgedAt.IsZero() {
		errs = append(errs, resources.Forbidden("spec.purgedAt", "it records a failed approach, which only another mem with a reason can replace: idumb supersede mem "+m.Metadata.Name))
	}
	if m.Spec.Supersedes == "" || m.Spec.Supersedes == m.Metadata.Name {
		return errs
	}
	old := w.Mem(m.Spec.Supersedes)
	if old == nil {
		return errs
	}
	if why := ReplacementError(m, old); why != "" {
		return append(errs, resources.Forbidden("spec.supersedes", why))
	}
	if rivals := rivalsFor(old, m, w, w.Now()); len(rivals) > 0 && Live(m, w, w.Now()) {
		return append(errs, resources.Forbidden("spec.supersedes", strconv.Quote(rivals[0])+" has taken the place of "+strconv.Quote(old.Metadata.Name)+" already; supersede that one"))
	}
	return errs
}
