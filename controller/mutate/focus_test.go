package mutate

import (
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
