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
	var all []*resources.Delegation
	for d := range ofKind[*resources.Delegation](v, resources.Delegations) {
		if d.Spec.Task == task {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b *resources.Delegation) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return all
}

// Delegates returns the sessions that work under that delegation, sorted by name.
func (v *View) Delegates(delegation string) []*resources.Session {
	var all []*resources.Session
	for s := range ofKind[*resources.Session](v, resources.Sessions) {
		if s.Spec.Delegation == delegation {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *resources.Session) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return all
}

// RoleNamed returns the role that an agent of that name acts in; nil if no role names it.
func (v *View) RoleNamed(agent string) *resources.Role {
	return resources.RoleNamed(agent, slices.SortedFunc(ofKind[*resources.Role](v, resources.Roles), func(a, b *resources.Role) int {
		return strings.Compare(a.Metadata.Name, b.Metadata.Name)
	}))
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
