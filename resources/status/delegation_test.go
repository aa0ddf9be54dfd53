package status_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestDeriveDelegation(t *testing.T) {
	hand := func(name, task, from, to string) *resources.Delegation {
		return graphtest.Delegation(name, resources.DelegationSpec{Task: task, From: from, To: to})
	}
	tasks := []resources.Object{graphtest.Task("whole", resources.TaskSpec{}), graphtest.Task("part", resources.TaskSpec{Parent: "whole"}), graphtest.Task("done", graphtest.Done()), graphtest.Task("failed", resources.TaskSpec{State: resources.TaskFailed})}
	for _, test := range []struct {
		name       string
		delegation *resources.Delegation
		others     []resources.Object
		phase      string
		depth      int
		chain      []string
		conditions []string
		sessions   []string
	}{
		{name: "first", delegation: hand("d", "whole", "ann", "bob"), phase: "assigned", depth: 1, chain: []string{"ann", "bob"}},
		{
			name: "a session works under it", delegation: hand("d", "whole", "ann", "bob"),
			others: []resources.Object{graphtest.Session("s", resources.SessionSpec{Delegation: "d"}), graphtest.Session("t", resources.SessionSpec{Delegation: "other"}), graphtest.Session("u", resources.SessionSpec{Delegation: "d", EndedAt: resources.NewTime(graphtest.Noon)})},
			phase:  "accepted", depth: 1, chain: []string{"ann", "bob"}, sessions: []string{"s"},
		},
		{
			name: "recalled from a session", delegation: graphtest.Delegation("d", resources.DelegationSpec{Task: "whole", From: "ann", To: "bob", State: "recalled"}),
			others: []resources.Object{graphtest.Session("s", resources.SessionSpec{Delegation: "d"})},
			phase:  "recalled", depth: 1, chain: []string{"ann", "bob"}, sessions: []string{"s"},
		},
		{name: "task completed", delegation: hand("d", "done", "ann", "bob"), phase: "done", depth: 1, chain: []string{"ann", "bob"}},
		{name: "task failed", delegation: hand("d", "failed", "ann", "bob"), phase: "done", depth: 1, chain: []string{"ann", "bob"}},
		{
			name: "follows from one of the task that it is a part of", delegation: hand("d", "part", "bob", "cem"), others: []resources.Object{hand("c", "whole", "ann", "bob")},
			phase: "assigned", depth: 2, chain: []string{"ann", "bob", "cem"},
		},
		{
			name: "a recalled one does not count", delegation: hand("d", "part", "bob", "cem"),
			others: []resources.Object{graphtest.Delegation("c", resources.DelegationSpec{Task: "whole", From: "ann", To: "bob", State: "recalled"})},
			phase:  "assigned", depth: 1, chain: []string{"bob", "cem"},
		},
		{
			name: "handed back", delegation: hand("d", "whole", "bob", "ann"), others: []resources.Object{hand("c", "whole", "ann", "bob")},
			phase: "assigned", depth: 2, chain: []string{"ann", "bob", "ann"}, conditions: []string{"ChainBroken=True:Circle"},
		},
		{
			name: "too deep", delegation: hand("d", "whole", "d", "e"),
			others: []resources.Object{hand("a", "whole", "a", "b"), hand("b", "whole", "b", "c"), hand("c", "whole", "c", "d")},
			phase:  "assigned", depth: 4, chain: []string{"a", "b", "c", "d", "e"}, conditions: []string{"ChainBroken=True:TooDeep"},
		},
		{name: "task missing", delegation: hand("d", "nobody", "ann", "bob"), phase: "assigned", depth: 1, chain: []string{"ann", "bob"}, conditions: []string{"Orphaned=True:ReferenceMissing"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, _ := status.DeriveDelegation(test.delegation, graphtest.SnapshotOf(append(append(tasks, test.others...), test.delegation)...))
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.depth, status.Depth)
			assert.Equal(t, test.chain, status.Chain)
			assert.Equal(t, test.sessions, status.Sessions)
			assert.Equal(t, test.conditions, graphtest.ConditionsOf(status.Conditions))
		})
	}
}
