package mutate

import (
	"context"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
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

// CreateIf is Create, if allowed finds nothing against it in what is there then:
// no other writer comes between.
func (r Repo) CreateIf(ctx context.Context, o resources.Object, allowed func(v *View) error) (Result, error) {
	return r.create(ctx, o, allowed)
}
