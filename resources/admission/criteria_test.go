package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

func TestAgentsForgeNoConfirmation(t *testing.T) {
	w := newWorld()
	plan := func(met ...resources.Criterion) *resources.WorkPlan {
		p := made(resources.WorkPlans).(*resources.WorkPlan)
		p.Spec = resources.WorkPlanSpec{Title: "Login", Acceptance: []string{"one", "two"}, Met: met}
		return p
	}
	user, agent := resources.Criterion{Criterion: "one", Evidence: "seen"}, resources.Criterion{Criterion: "two", Evidence: "seen", By: "s1"}
	forged := resources.Criterion{Criterion: "two", Evidence: "seen", By: "person/ann"}
	assert.ErrorContains(t, Transition(plan(), plan(user), nil, false, w), "is a user's to mark as met")
	assert.ErrorContains(t, Transition(plan(), plan(forged), nil, false, w), "is a user's to mark as met")
	assert.ErrorContains(t, Transition(plan(user), plan(), nil, false, w), "is a user's to mark as met")
	assert.NoError(t, Transition(plan(user), plan(user, agent), nil, false, w))
}
