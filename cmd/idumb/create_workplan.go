package main

import (
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/resources"
)

// workPlanFlags are the flags of create workplan.
func workPlanFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.WorkPlanSpec)
	var phases []string
	f.StringVar(&spec.Title, "title", "", "what the plan is called (required)")
	f.StringArrayVar(&spec.Acceptance, "accept", nil, "what must hold when the plan is done; give it once for each criterion (required)")
	f.StringVar(&spec.Category, "category", "", "development, research, governance, maintenance, spec-kit or ad-hoc")
	f.StringVar(&spec.GovernanceLevel, "governance", "", "strict, balanced or minimal")
	f.StringVar(&spec.State, "state", "", "draft (default) or active")
	f.StringSliceVar(&spec.DependsOn, "depends-on", nil, "plans that must be completed first: A,B")
	f.StringVar(&spec.OwnedBy, "owner", "", "the role or agent that answers for the plan")
	f.StringSliceVar(&phases, "phases", nil, "names of the plan's stages, in their order: A,B")
	return func() error {
		for i, name := range phases {
			spec.Phases = append(spec.Phases, resources.PlanPhase{Name: name, Order: i + 1})
		}
		return nil
	}
}
