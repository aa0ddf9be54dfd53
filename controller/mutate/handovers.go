package mutate

import (
	"context"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Delegations returns the delegations that will hand over that task, sorted by name.
func (v *View) Delegations(task string) []*resources.Delegation {
	return sorted(v, resources.Delegations, func(d *resources.Delegation) bool { return d.Spec.Task == task })
}

// Delegates returns the sessions that work under that delegation, sorted by name.
func (v *View) Delegates(delegation string) []*resources.Session {
	return sorted(v, resources.Sessions, func(s *resources.Session) bool { return s.Spec.Delegation == delegation })
}

// RoleNamed returns the role that an agent of that name acts in; nil if no role names it.
func (v *View) RoleNamed(agent string) *resources.Role {
	return resources.RoleNamed(agent, sorted(v, resources.Roles, func(*resources.Role) bool { return true }))
}

// sorted are the objects of a kind that will be there and that fit, by name.
func sorted[T resources.Object](v *View, kind string, fits func(T) bool) []T {
	var all []T
	for o := range ofKind[T](v, kind) {
		if fits(o) {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, byName)
	return all
}

func byName[T resources.Object](a, b T) int {
	return strings.Compare(a.Head().Metadata.Name, b.Head().Metadata.Name)
}

// TakeOver recalls the delegations of a task that have lapsed, and returns their names,
// sorted: who starts the task takes it over from whoever they handed it to, and a delegate
// that comes back after all must not work on it as well.
func (r Repo) TakeOver(ctx context.Context, task string, there status.HandedOver) ([]string, error) {
	var taken []string
	for _, d := range there.Delegations(task) {
		if !status.Lapsed(d, there) {
			continue
		}
		if _, err := r.One(ctx, d.Key(), recalled); err != nil {
			return taken, err
		}
		taken = append(taken, d.Metadata.Name)
	}
	return taken, nil
}

// recalled is a delegation that holds no more.
func recalled(o resources.Object, _ *View) (resources.Object, error) {
	d := *o.(*resources.Delegation)
	if status.LiveDelegation(&d) {
		d.Spec.State = "recalled"
	}
	return &d, nil
}

// CreateIf is Create, if allowed finds nothing against it in what is there then:
// no other writer comes between.
func (r Repo) CreateIf(ctx context.Context, o resources.Object, allowed func(v *View) error) (Result, error) {
	return r.create(ctx, o, allowed)
}
