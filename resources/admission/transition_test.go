package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
)

// Agents do not fail or defer a user's task that nobody started; they hand back what they work on.
func TestAgentsKeepUnstartedTasks(t *testing.T) {
	task := func(state, assigned string, ahead bool) *resources.Task {
		o := graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", State: state, AssignedTo: assigned, PlanAhead: ahead, ExpectedOutput: "x"})
		return o
	}
	v := graphtest.SnapshotOf(graphtest.ActivePlan())
	for _, c := range []struct {
		old, next *resources.Task
		want      string
	}{
		{task(resources.TaskPlanned, "", false), task(resources.TaskFailed, "", false), "only a user can fail task/t"},
		{task("", "", false), task(resources.TaskFailed, "", false), "only a user can fail task/t"},
		{task("", "", false), task("", "", true), "only a user can defer task/t"},
		{task(resources.TaskPlanned, "executor", false), task(resources.TaskFailed, "executor", false), ""},
		{task(resources.TaskActive, "", false), task(resources.TaskFailed, "", false), ""},
	} {
		err := Transition(c.old, c.next, nil, false, v)
		if c.want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, c.want)
		}
	}
	v = graphtest.SnapshotOf(graphtest.ActivePlan(), graphtest.Delegation("d", resources.DelegationSpec{Task: "t", To: "executor"}))
	assert.NoError(t, Transition(task("", "", false), task(resources.TaskFailed, "", false), nil, false, v), "a delegate hands it back")
	assert.Error(t, Transition(task("", "", false), task("", "", true), nil, false, v))
}

// Work is completed with evidence only.
func TestMissingEvidence(t *testing.T) {
	task := func(state string, evidence string) *resources.Task {
		spec := resources.TaskSpec{WorkPlan: "p", State: state, ExpectedOutput: "x"}
		if evidence != "" {
			spec.Result = &resources.TaskResult{Evidence: evidence}
		}
		return graphtest.Task("t", spec)
	}
	v := graphtest.SnapshotOf(graphtest.ActivePlan())
	for name, c := range map[string]struct {
		old, next *resources.Task
		why       string
	}{
		"without evidence":     {task(resources.TaskActive, ""), task(resources.TaskCompleted, ""), "completed is claimed without anything that shows it"},
		"with evidence":        {task(resources.TaskActive, ""), task(resources.TaskCompleted, "go test passes"), ""},
		"not started":          {task(resources.TaskPlanned, ""), task(resources.TaskCompleted, "go test passes"), "it was not started"},
		"completed before":     {task(resources.TaskCompleted, ""), task(resources.TaskCompleted, ""), ""},
		"another change of it": {task(resources.TaskActive, ""), task(resources.TaskReview, ""), ""},
	} {
		what, why, step := missingEvidence(c.old, c.next, v)
		assert.Contains(t, why, c.why, name)
		assert.Equal(t, c.why == "", why == "", name+": "+why)
		assert.Equal(t, c.why == "", what == "" && step == "", name)
	}
}
