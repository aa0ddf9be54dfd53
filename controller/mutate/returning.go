package mutate

import (
	"fmt"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
)

// checkReturning refuses to let a mem go by which another one is out of use: what was
// replaced would hold again, in every context, and nobody would have said so. And it refuses
// to let a false path go that holds: it ends only by a mem that says why.
func checkReturning(v *View, keys []resources.Key) error {
	rest := remaining{v, map[string]bool{}}
	for _, key := range keys {
		if key.Kind == resources.Mems {
			rest.going[key.Name] = true
		}
	}
	for _, key := range keys {
		m := v.mem(key)
		if m != nil && m.Spec.Type == resources.FalsePath && memory.Live(m, v, v.Now()) {
			return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf(
				"%s.%s %q cannot go: a false path ends only by a mem that replaces it and says why (idumb mem supersede %s --content TEXT --reason WHY), or nobody knows any more what not to do; --cascade=orphan lets it go all the same",
				key.Kind, resources.Group, key.Name, key.Name)}
		}
		if m == nil || m.Spec.Supersedes == "" {
			continue
		}
		old := rest.Mem(m.Spec.Supersedes)
		if old == nil || memory.Live(old, v, v.Now()) || !memory.Live(old, rest, v.Now()) {
			continue
		}
		return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf(
			"%s.%s %q cannot go: it takes the place of mem/%s, which would hold again; idumb mem purge %s takes both out of use, --cascade=orphan lets that one come back",
			key.Kind, resources.Group, key.Name, old.Metadata.Name, key.Name)}
	}
	return nil
}

func (v *View) mem(key resources.Key) *resources.Mem {
	if key.Kind != resources.Mems {
		return nil
	}
	return v.Mem(key.Name)
}

// remaining are the mems that stay.
type remaining struct {
	*View
	going map[string]bool
}

// Mem is View.Mem of what stays.
func (r remaining) Mem(name string) *resources.Mem {
	if r.going[name] {
		return nil
	}
	return r.View.Mem(name)
}

// Superseders is View.Superseders of what stays.
func (r remaining) Superseders(name string) []*resources.Mem {
	var stay []*resources.Mem
	for _, m := range r.View.Superseders(name) {
		if !r.going[m.Metadata.Name] {
			stay = append(stay, m)
		}
	}
	return stay
}
