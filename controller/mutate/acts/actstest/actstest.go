// Package actstest has an act for tests that add one to the table and look for it wherever acts are shown.
package actstest

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/resources"
)

// Toy is an act that writes into a task's notes how it was polished.
func Toy() acts.Act {
	return acts.Act{
		Name: "polish", Key: "P", Label: "Polish", Kinds: []string{resources.Tasks}, Phases: []string{resources.TaskPlanned},
		Args: []acts.Arg{{Field: "reason", Label: "How?", Required: true}}, Verb: "polish", Word: "polished", Often: true, Queued: true,
		Tool: "govern_task polish", Agents: "polish {reason} makes it shine.", Text: "polish TASK...\nPolish tasks\n\nPolish tasks until they shine.",
		Do: func(ctx context.Context, by acts.Actor, key resources.Key, said acts.Said) (mutate.ActResult, error) {
			result, err := by.Repo.One(ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
				o.(*resources.Task).Spec.Notes = said.Reason
				return o, nil
			})
			return mutate.ActResult{Result: result}, err
		},
	}
}
