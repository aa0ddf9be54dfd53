package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// Once the work is about another plan nobody works for a task that was active before, until it is
// started again, which names it in the read-head.
func TestAParkedTaskIsNobodysWork(t *testing.T) {
	w := newWorld()
	w.plan("ui", resources.WorkPlanSpec{Title: "UI", State: resources.PlanActive})
	w.task("page", resources.TaskSpec{WorkPlan: "ui"})
	w.state("db-schema", resources.TaskActive)
	write := Call{Host: "claude", Session: "s", Tool: "Write", Action: Write, Paths: []Path{{Repo: "src/a.go"}}}
	require.Equal(t, NoOpinion, Decide(write, w).Outcome)

	w.head = empty(resources.Trajectories).(*resources.Trajectory)
	w.head.Spec.ActivePlan = "ui"
	for _, bound := range []bool{false, true} {
		if bound {
			w.session("s", resources.SessionSpec{ActiveTask: "db-schema"})
		}
		v := Decide(write, w)
		require.Equal(t, Deny, v.Outcome, bound)
		assert.Contains(t, v.Reason.Why, `Task "db-schema" was set aside because plan "ui" is in focus now.`)
		assert.Equal(t, "Run `idumb start page`, then write.", v.Reason.UseInstead)
	}
	w.head.Spec.ActiveTasks = []string{"db-schema"}
	assert.Equal(t, "db-schema", Decide(write, w).Task, "it was started again")

	w.head.Spec.ActiveTasks = nil
	w.task("page", resources.TaskSpec{WorkPlan: "ui", State: resources.TaskCompleted, Result: &resources.TaskResult{Evidence: "up"}})
	assert.Equal(t, "db-schema", Decide(write, w).Task, "all of that plan is done")
	w.task("page", resources.TaskSpec{WorkPlan: "ui"})
	require.Equal(t, Deny, Decide(write, w).Outcome)
	w.plan("ui", resources.WorkPlanSpec{Title: "UI", State: resources.PlanCompleted})
	assert.Equal(t, "db-schema", Decide(write, w).Task, "that plan is over")
}

// The gate and `next` give one order after the focus moved: a task of the plan in focus, although the file is
// one of the task that was set aside. Only if no such task opens the file, that one does.
func TestTheFocusGivesOneOrder(t *testing.T) {
	for _, test := range []struct {
		paths []string
		want  string
	}{
		{nil, "Run `idumb start page`, then write."},
		{[]string{"web/**"}, "Run `idumb start old`, then write."},
	} {
		w := newWorld()
		w.plan("ui", resources.WorkPlanSpec{Title: "UI", State: resources.PlanActive})
		w.task("page", resources.TaskSpec{WorkPlan: "ui", Paths: test.paths})
		w.task("old", resources.TaskSpec{WorkPlan: "user-auth", Paths: []string{"src/**"}})
		w.head = empty(resources.Trajectories).(*resources.Trajectory)
		w.head.Spec.ActivePlan = "ui"
		w.session("s", resources.SessionSpec{ActiveTask: "old"})
		write := Call{Host: "claude", Session: "s", Tool: "Write", Action: Write, Paths: []Path{{Repo: "src/a.go"}}}
		v := Decide(write, w)
		require.Equal(t, Deny, v.Outcome)
		assert.Equal(t, test.want, v.Reason.UseInstead)
		w.session("s", resources.SessionSpec{ActiveTask: "page"})
		w.state("page", resources.TaskActive)
		if v = Decide(write, w); len(test.paths) > 0 {
			assert.Contains(t, v.Reason.UseInstead, "or plan the rest: `idumb create task page-rest --plan ui")
		}
	}
}

// An agent does not set aside what another session holds by writing the read-head's file.
func TestTheReadHeadIsNotTurnedUnderOthers(t *testing.T) {
	w := newWorld()
	w.state("db-schema", resources.TaskActive)
	write := Call{Host: "claude", Session: "s", Tool: "Write", Action: Write, Paths: []Path{{Repo: ".idumb/trajectory.json"}}}
	require.Equal(t, NoOpinion, Decide(write, w).Outcome, "nobody holds anything")
	w.hold("db-schema", "other")
	v := Decide(write, w)
	require.Equal(t, Deny, v.Outcome)
	assert.Equal(t, "read-head", v.Reason.Rule)
	assert.Contains(t, v.Reason.UseInstead, "Leave it to its owner")
	w.hold("db-schema", "s")
	assert.Equal(t, NoOpinion, Decide(write, w).Outcome, "its own")
}
