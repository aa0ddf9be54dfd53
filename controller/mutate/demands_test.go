package mutate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// An agent always ends its task. A chain rule about completing the plan keeps the plan in review instead.
func TestPlanWaitsForChainRule(t *testing.T) {
	const rule = `kind: ChainRule
metadata: {name: val}
spec: {level: HARD_BLOCK, when: {commands: [idumb complete workplan]}, requires: [{files: [VERIFICATION.md]}], because: It was verified.}
---
`
	const plans = `kind: WorkPlan
metadata: {name: p}
spec: {title: P, state: active}
---
kind: WorkPlan
metadata: {name: later}
spec: {title: L, state: active, dependsOn: [p]}
---
`
	task := func(name, plan, more string) string {
		return "kind: TaskNode\nmetadata: {name: " + name + "}\nspec: {workPlan: " + plan + ", expectedOutput: o" + more + "}\n---\n"
	}
	tasks := task("a", "p", ", state: active") + task("b", "p", ", state: active") + task("behind", "later", "") + task("next", "later", ", dependsOn: [b]")
	end := func(t *testing.T, repo Repo, verb transition.Verb, name string) ActResult {
		t.Helper()
		moved, err := repo.Move(t.Context(), transition.Move{Verb: verb, Evidence: "e", Reason: "r"}, resources.Key{Kind: resources.Tasks, Name: name})
		require.NoError(t, err)
		return moved
	}
	phase := func(t *testing.T, repo Repo) string {
		t.Helper()
		s, err := repo.Store.Load(t.Context(), repo.Now())
		require.NoError(t, err)
		p, ok := s.Plan("p")
		require.True(t, ok)
		st, _ := status.DerivePlan(p, s)
		return st.Phase
	}
	setup := func(t *testing.T) (person, agent Repo) {
		person = newRepo(t, rule+plans+tasks)
		agent = person
		agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
		return person, agent
	}

	t.Run("completing", func(t *testing.T) {
		_, agent := setup(t)
		assert.Nil(t, end(t, agent, transition.Complete, "a").Open, "one is left")
		moved := end(t, agent, transition.Complete, "b")
		require.NotNil(t, moved.Open)
		assert.Equal(t, []string{`chain rule val: It was verified. Required: "VERIFICATION.md".`}, moved.Open.Spec.Acceptance)
		assert.Empty(t, moved.Unblocked, "the plan that depends on it still waits")
		assert.Empty(t, moved.Notes, "the plan is not completed")
		assert.Equal(t, resources.PlanReview, phase(t, agent))
		require.NoError(t, os.WriteFile(filepath.Join(string(agent.Store.Root()), "VERIFICATION.md"), nil, 0o644))
		_, err := agent.Move(t.Context(), transition.Move{Verb: transition.Complete, Criteria: []int{1}, Evidence: "VERIFICATION.md"}, resources.Key{Kind: resources.WorkPlans, Name: "p"})
		require.NoError(t, err)
		assert.Equal(t, resources.PlanCompleted, phase(t, agent))
	})
	t.Run("what the rule asks for is there", func(t *testing.T) {
		_, agent := setup(t)
		require.NoError(t, os.WriteFile(filepath.Join(string(agent.Store.Root()), "VERIFICATION.md"), nil, 0o644))
		end(t, agent, transition.Complete, "a")
		assert.Nil(t, end(t, agent, transition.Complete, "b").Open)
		assert.Equal(t, resources.PlanCompleted, phase(t, agent))
	})
	t.Run("past the rule", func(t *testing.T) {
		_, agent := setup(t)
		agent.Author.Bypass = []string{"--emergency"}
		end(t, agent, transition.Complete, "a")
		end(t, agent, transition.Complete, "b")
		assert.Equal(t, resources.PlanCompleted, phase(t, agent))
	})
	t.Run("a user completes it", func(t *testing.T) {
		person, _ := setup(t)
		end(t, person, transition.Complete, "a")
		end(t, person, transition.Complete, "b")
		assert.Equal(t, resources.PlanCompleted, phase(t, person))
	})
	t.Run("by a change of the object", func(t *testing.T) {
		_, agent := setup(t)
		end(t, agent, transition.Complete, "a")
		require.NoError(t, apply(t, agent, task("b", "p", ", state: completed, result: {evidence: seen}"))[0])
		assert.Equal(t, resources.PlanReview, phase(t, agent))
	})
	t.Run("by removing the last open task", func(t *testing.T) {
		_, agent := setup(t)
		require.NoError(t, apply(t, agent, task("extra", "p", ""))[0])
		end(t, agent, transition.Complete, "a")
		end(t, agent, transition.Complete, "b")
		_, err := agent.Delete(t.Context(), []resources.Key{{Kind: resources.Tasks, Name: "extra"}}, Guarded)
		require.NoError(t, err)
		assert.Equal(t, resources.PlanReview, phase(t, agent))
	})
}
