package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDeriveDelegation(t *testing.T) {
	hand := func(name, task, from, to string) *Delegation {
		return newDelegation(name, DelegationSpec{Task: task, From: from, To: to})
	}
	tasks := []Object{newTask("whole", TaskSpec{}), newTask("part", TaskSpec{Parent: "whole"}), newTask("done", done()), newTask("failed", TaskSpec{State: TaskFailed})}
	for _, test := range []struct {
		name       string
		delegation *Delegation
		others     []Object
		phase      string
		depth      int
		chain      []string
		conditions []string
		sessions   []string
	}{
		{name: "first", delegation: hand("d", "whole", "ann", "bob"), phase: "assigned", depth: 1, chain: []string{"ann", "bob"}},
		{
			name: "a session works under it", delegation: hand("d", "whole", "ann", "bob"),
			others: []Object{newSession("s", SessionSpec{Delegation: "d"}), newSession("t", SessionSpec{Delegation: "other"}), newSession("u", SessionSpec{Delegation: "d", EndedAt: NewTime(noon)})},
			phase:  "accepted", depth: 1, chain: []string{"ann", "bob"}, sessions: []string{"s"},
		},
		{
			name: "recalled from a session", delegation: newDelegation("d", DelegationSpec{Task: "whole", From: "ann", To: "bob", State: "recalled"}),
			others: []Object{newSession("s", SessionSpec{Delegation: "d"})},
			phase:  "recalled", depth: 1, chain: []string{"ann", "bob"}, sessions: []string{"s"},
		},
		{name: "task completed", delegation: hand("d", "done", "ann", "bob"), phase: "done", depth: 1, chain: []string{"ann", "bob"}},
		{name: "task failed", delegation: hand("d", "failed", "ann", "bob"), phase: "done", depth: 1, chain: []string{"ann", "bob"}},
		{
			name: "follows from one of the task that it is a part of", delegation: hand("d", "part", "bob", "cem"), others: []Object{hand("c", "whole", "ann", "bob")},
			phase: "assigned", depth: 2, chain: []string{"ann", "bob", "cem"},
		},
		{
			name: "a recalled one does not count", delegation: hand("d", "part", "bob", "cem"),
			others: []Object{newDelegation("c", DelegationSpec{Task: "whole", From: "ann", To: "bob", State: "recalled"})},
			phase:  "assigned", depth: 1, chain: []string{"bob", "cem"},
		},
		{
			name: "handed back", delegation: hand("d", "whole", "bob", "ann"), others: []Object{hand("c", "whole", "ann", "bob")},
			phase: "assigned", depth: 2, chain: []string{"ann", "bob", "ann"}, conditions: []string{"ChainBroken=True:Circle"},
		},
		{
			name: "too deep", delegation: hand("d", "whole", "d", "e"),
			others: []Object{hand("a", "whole", "a", "b"), hand("b", "whole", "b", "c"), hand("c", "whole", "c", "d")},
			phase:  "assigned", depth: 4, chain: []string{"a", "b", "c", "d", "e"}, conditions: []string{"ChainBroken=True:TooDeep"},
		},
		{name: "task missing", delegation: hand("d", "nobody", "ann", "bob"), phase: "assigned", depth: 1, chain: []string{"ann", "bob"}, conditions: []string{"Orphaned=True:ReferenceMissing"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, _ := DeriveDelegation(test.delegation, snapshotOf(append(append(tasks, test.others...), test.delegation)...))
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.depth, status.Depth)
			assert.Equal(t, test.chain, status.Chain)
			assert.Equal(t, test.sessions, status.Sessions)
			assert.Equal(t, test.conditions, conditionsOf(status.Conditions))
		})
	}
}
