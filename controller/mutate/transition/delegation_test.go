package transition

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

func made(plural string) resources.Object {
	kind, _ := resources.KindOf(plural)
	return kind.New()
}

func handOver(name, task, from, to, state string) *resources.Delegation {
	d := made(resources.Delegations).(*resources.Delegation)
	d.Metadata.Name = name
	d.Spec = resources.DelegationSpec{Task: task, From: from, To: to, State: state}
	return d
}

func TestDelegationSteps(t *testing.T) {
	for _, tc := range []struct {
		state string
		verb  Verb
		want  string // "": refused
	}{
		{"", Accept, "accepted"}, {"assigned", Accept, "accepted"}, {"accepted", Accept, "accepted"},
		{"recalled", Accept, ""}, {"done", Accept, ""},
		{"", Recall, "recalled"}, {"accepted", Recall, "recalled"}, {"recalled", Recall, "recalled"}, {"done", Recall, ""},
		{"accepted", Return, "done"}, {"assigned", Return, "done"}, {"done", Return, "done"}, {"recalled", Return, ""},
		{"assigned", Start, ""},
	} {
		t.Run(string(tc.verb)+" "+tc.state, func(t *testing.T) {
			d := handOver("d", "form", "a", "b", tc.state)
			next, err := Delegation(d, tc.verb)
			if tc.want == "" {
				var r *apierrors.Refusal
				require.True(t, errors.As(err, &r))
				assert.Equal(t, NotDelegated, r.Cause)
				assert.NotContains(t, r.What, "cannot done", "it is asked for as complete")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tc.want, next.Spec.State)
			assert.Equal(t, tc.state, d.Spec.State, "the original stays")
		})
	}
}
