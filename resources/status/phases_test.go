package status

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// States of spec that are phases as well are among the phases of their kind.
func TestStatesArePhases(t *testing.T) {
	for _, plural := range []string{resources.Tasks, resources.WorkPlans, resources.Delegations} {
		kind, _ := resources.KindOf(plural)
		state, found := kind.LookupField("spec.state")
		assert.True(t, found, plural)
		for _, value := range state.Enum {
			assert.Contains(t, PhasesOf(plural), value, plural)
		}
	}
	assert.Contains(t, PhasesOf(resources.Mems), resources.PhaseInvalid)
	assert.Empty(t, PhasesOf(resources.Roles))
}
