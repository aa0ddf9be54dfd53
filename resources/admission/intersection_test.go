package admission

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// TestDelegatesToolsAreTheIntersection: what a delegate may use is what its role, its
// task, its delegation and that of whoever handed on to it all allow, for any of them.
func TestDelegatesToolsAreTheIntersection(t *testing.T) {
	tools := []string{"alpha", "beta", "gamma", "delta"}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		some := func() []string {
			var list []string
			for _, name := range tools {
				if r.IntN(2) == 0 {
					list = append(list, name)
				}
			}
			return list
		}
		w := newWorld()
		role := resources.RuleSet{Allow: some(), Deny: some()}
		if r.IntN(2) == 0 {
			role.Deny = nil
		}
		w.role("executor", resources.RoleSpec{Tools: role})
		w.state("write-docs", resources.TaskActive)
		task, first, second := some(), some(), some()
		w.tasks["write-docs"].Spec.AllowedTools = task
		w.session("main", resources.SessionSpec{})
		w.session("s0", resources.SessionSpec{Parent: "main", Delegation: "d0"})
		w.session("s1", resources.SessionSpec{Parent: "s0", Delegation: "d1"})
		w.hand("d0", "write-docs", "executor", first...)
		w.hand("d1", "write-docs", "executor", second...).Spec.From = "executor"
		for _, name := range tools {
			open := func(list []string) bool { return len(list) == 0 || slices.Contains(list, name) }
			want := open(role.Allow) && !slices.Contains(role.Deny, name) && open(task) && open(first) && open(second)
			got := Decide(tool(name, Other), w)
			require.Equal(t, want, got.Outcome != Deny, fmt.Sprint(seed, name, role, task, first, second, got.Reason))
		}
	}
}
