package mutate

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// An agent does not turn the work away from what another session holds, by whichever route; a person
// does, and what is set aside is planned again and free.
func TestWhoTurnsTheWork(t *testing.T) {
	const plans = "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, state: active}\n---\nkind: WorkPlan\nmetadata: {name: q}\nspec: {title: Q, state: active}\n---\n" +
		"kind: TaskNode\nmetadata: {name: here}\nspec: {workPlan: p, expectedOutput: o}\n---\nkind: TaskNode\nmetadata: {name: page}\nspec: {workPlan: q, expectedOutput: o}\n"
	person := newRepo(t, plans)
	as := func(session string) Repo {
		r := person
		r.Author = admission.Author{Kind: admission.Agent, Session: session}
		return r
	}
	here, q := resources.Key{Kind: resources.Tasks, Name: "here"}, resources.Key{Kind: resources.WorkPlans, Name: "q"}
	task := func() *resources.Task {
		record, err := person.Store.Get(t.Context(), here)
		require.NoError(t, err)
		return readable(record).(*resources.Task)
	}
	_, err := as("one").Move(t.Context(), transition.Move{Verb: transition.Start}, here)
	require.NoError(t, err)

	var refusal *apierrors.Refusal
	_, err = as("two").Focus(t.Context(), "", q)
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, admission.HeldByOther, refusal.Cause)
	err = apply(t, as("two"), "kind: Trajectory\nmetadata: {name: trajectory}\nspec: {activePlan: q}\n")[0]
	require.ErrorAs(t, err, &refusal, "by a manifest")
	_, err = person.Store.Get(t.Context(), trajectoryKey)
	assert.Error(t, err, "nothing was written")
	assert.Equal(t, resources.TaskActive, resources.TaskState(task()))

	_, err = as("two").Move(t.Context(), transition.Move{Verb: transition.Start}, resources.Key{Kind: resources.Tasks, Name: "page"})
	require.NoError(t, err, "the way out")
	focused, err := person.Focus(t.Context(), "the page first", q)
	require.NoError(t, err)
	assert.Equal(t, []string{"here"}, focused.Parked)
	assert.Equal(t, resources.TaskPlanned, resources.TaskState(task()))
	assert.Nil(t, person.leases.Get(task()), "nobody holds it")
	assert.False(t, focused.New.(*resources.Trajectory).Spec.IntentShiftedAt.Before(time.Now().Add(-time.Minute)))

	_, err = as("one").Move(t.Context(), transition.Move{Verb: transition.Start}, here)
	require.NoError(t, err)
	record, err := person.Store.Get(t.Context(), trajectoryKey)
	require.NoError(t, err)
	assert.Equal(t, []string{"here"}, readable(record).(*resources.Trajectory).Spec.ActiveTasks, "it is worked on all the same")
}

// An agent neither moves nor removes the focus that a user set while its plan is not over. It moves its own.
func TestAgentsKeepTheFocusOfAUser(t *testing.T) {
	const plans = "kind: WorkPlan\nmetadata: {name: %s}\nspec: {title: P, acceptance: [a], state: active}\n---\n"
	const tasks = "kind: TaskNode\nmetadata: {name: %s}\nspec: {workPlan: %s, expectedOutput: o}\n---\n"
	person := newRepo(t, fmt.Sprintf(plans, "p")+fmt.Sprintf(plans, "q")+fmt.Sprintf(tasks, "one", "p")+fmt.Sprintf(tasks, "two", "p")+fmt.Sprintf(tasks, "three", "q"))
	agent := person
	agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
	plan := func(name string) resources.Key { return resources.Key{Kind: resources.WorkPlans, Name: name} }
	task := func(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }
	focus := func(by Repo, key resources.Key) error {
		_, err := by.Focus(t.Context(), "", key)
		return err
	}
	require.NoError(t, focus(agent, plan("p")))
	require.NoError(t, focus(agent, plan("q")), "it set the focus itself")
	require.NoError(t, focus(person, task("one")))
	const kept = "cannot move the focus of a user"
	require.ErrorContains(t, focus(agent, plan("q")), kept)
	require.ErrorContains(t, focus(agent, task("two")), kept)
	require.ErrorContains(t, apply(t, agent, "kind: Trajectory\nmetadata: {name: trajectory}\nspec: {activePlan: q}\n")[0], kept)
	_, err := agent.Delete(t.Context(), []resources.Key{trajectoryKey}, Guarded)
	require.ErrorContains(t, err, kept)
	_, err = agent.Focus(t.Context(), "the login first")
	require.NoError(t, err, "the intent is not the focus")
	_, err = agent.Move(t.Context(), transition.Move{Verb: transition.Start}, task("three"))
	require.NoError(t, err, "starting a task keeps the focus")
	require.NoError(t, apply(t, person, "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, acceptance: [a], state: abandoned}\n")[0])
	require.NoError(t, focus(agent, plan("q")), "the plan in focus is over")
}
