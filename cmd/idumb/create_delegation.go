package main

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/cmd/internal/lifecycle"
	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// delegationFlags are the flags of create delegation.
func delegationFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.DelegationSpec)
	f.StringVar(&spec.Task, "task", "", "the task that is handed over (required)")
	f.StringVar(&spec.From, "from", "", "the role or agent that hands it over (required)")
	f.StringVar(&spec.To, "to", "", "the role or agent that takes it (required); its prompt says delegation/NAME")
	f.StringVar(&spec.Session, "session", "", "the one session that may work under it (default: any of that role or agent)")
	f.StringSliceVar(&spec.AllowedTools, "tools", nil, "tools that the delegate may use: a,b (default: those of its task and role)")
	f.StringVar(&spec.ExpectedOutput, "expect", "", "what is expected back (default: what the task says)")
	f.StringVar(&spec.State, "state", "", "assigned (default), accepted, recalled or done")
	return func() error { return nil }
}

// mayCreate returns what judges a new object by what is there when it is written: a
// hand-over must not come back to its giver, go upwards or go too far.
func (a *app) mayCreate(ctx context.Context, o resources.Object) func(*mutate.View) error {
	return func(v *mutate.View) error {
		d, ok := o.(*resources.Delegation)
		if !ok || len(resources.Validate(o)) > 0 || !v.Exists(resources.Key{Kind: resources.Tasks, Name: d.Spec.Task}) {
			return nil // what is wrong with its fields is said in another place
		}
		w, err := a.load(ctx, resources.Roles)
		if err != nil {
			return err
		}
		return lifecycle.CheckHandOver(d, handOvers{v, rolesIn(w.snap)})
	}
}

// handOvers is what a hand-over is judged by.
type handOvers struct {
	*mutate.View
	roles []*resources.Role
}

func (h handOvers) RoleNamed(agent string) *resources.Role {
	return resources.RoleNamed(agent, h.roles)
}

func rolesIn(s *resources.Snapshot) []*resources.Role {
	var roles []*resources.Role
	for _, key := range s.List(resources.Roles) {
		o, _ := s.Get(key)
		if role, ok := o.(*resources.Role); ok {
			roles = append(roles, role)
		}
	}
	return roles
}
