package resources

import "slices"

// Hindrance is why a role does not hand work to another one.
type Hindrance int

// Hindrances. The zero Hindrance is none.
const (
	NoHindrance Hindrance = iota
	ToPrimary             // an agent of that role talks to the person
	Upwards               // that role stands above the giver's
	NotAmong              // the giver's role delegates to others only
)

// MayDelegate says what keeps a role from handing work to another one: the levels of
// the two, the taker's mode, and the giver's delegatesTo, of which none means all. The
// gate asks it of who starts a subagent, commands and tools of who makes a delegation.
func MayDelegate(giver, taker *Role) Hindrance {
	switch {
	case taker.Spec.Level < giver.Spec.Level:
		return Upwards
	case len(giver.Spec.DelegatesTo) > 0 && !slices.Contains(giver.Spec.DelegatesTo, taker.Metadata.Name):
		return NotAmong
	case taker.Spec.Mode == RolePrimary:
		return ToPrimary
	}
	return NoHindrance
}

// TakesCategory reports whether tasks of plans of a category may be delegated to a role.
// A plan without a category, and a role that names none, are open to all.
func TakesCategory(r *Role, category string) bool {
	return category == "" || len(r.Spec.Categories) == 0 || slices.Contains(r.Spec.Categories, category)
}
