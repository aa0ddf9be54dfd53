package mutate

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// A recalled delegate neither starts nor ends its task, by whichever route; its giver assigns the task again.
func TestRecalledDelegateHandsBack(t *testing.T) {
	person := newRepo(t, `kind: WorkPlan
metadata: {name: p}
spec: {title: P, state: active}
---
kind: TaskNode
metadata: {name: a}
spec: {workPlan: p, expectedOutput: o, state: active}
---
kind: Delegation
metadata: {name: d}
spec: {task: a, from: coordinator, to: executor}
---
kind: Session
metadata: {name: main}
spec: {host: claude}
---
kind: Session
metadata: {name: sub}
spec: {host: claude, parent: main, delegation: d}
---
kind: Session
metadata: {name: below}
spec: {host: claude, parent: sub}
`)
	task := resources.Key{Kind: resources.Tasks, Name: "a"}
	steps := []transition.Move{
		{Verb: transition.Complete, Evidence: "e"}, {Verb: transition.Fail, Reason: "r"}, {Verb: transition.Abandon, Reason: "r"},
		{Verb: transition.Review, Evidence: "e"}, {Verb: transition.Start},
	}
	try := func(session string, m transition.Move) error {
		agent := person
		agent.DryRun = true
		agent.Author = admission.Author{Kind: admission.Agent, Session: session}
		_, err := agent.Move(t.Context(), m, task)
		return err
	}
	for _, m := range steps[:2] {
		require.NoError(t, try("sub", m), "the delegation is open")
	}
	_, err := person.One(t.Context(), resources.Key{Kind: resources.Delegations, Name: "d"}, func(o resources.Object, _ *View) (resources.Object, error) {
		return transition.Delegation(o.(*resources.Delegation), transition.Recall)
	})
	require.NoError(t, err)
	for _, session := range []string{"sub", "below"} {
		for _, m := range steps {
			var refusal *apierrors.Refusal
			require.ErrorAs(t, try(session, m), &refusal, "%s %s", session, m.Verb)
			assert.Equal(t, admission.Back, refusal.Cause)
			assert.Contains(t, refusal.Why, `delegation "d", under which you work, is recalled`)
		}
	}
	require.NoError(t, try("main", steps[0]), "who gave it goes on")

	again := resources.New[*resources.Delegation](resources.Delegations, "d2")
	again.Spec = resources.DelegationSpec{Task: "a", From: "coordinator", To: "executor"}
	giver := person
	giver.Author = admission.Author{Kind: admission.Agent, Session: "main"}
	_, err = giver.Create(t.Context(), again)
	require.NoError(t, err)
}

// What a delegate starts is held by the session that handed it over: another one does not start it, before or after.
func TestDelegatesStartIsTheGivers(t *testing.T) {
	repo := newRepo(t, `kind: WorkPlan
metadata: {name: p}
spec: {title: P, state: active}
---
kind: TaskNode
metadata: {name: a}
spec: {workPlan: p, expectedOutput: o}
---
kind: Session
metadata: {name: giver}
spec: {host: claude}
---
kind: Session
metadata: {name: other}
spec: {host: codex}
`)
	start := func(session string) error {
		agent := repo
		agent.Author = admission.Author{Kind: admission.Agent, Session: session}
		_, err := agent.Move(t.Context(), transition.Move{Verb: transition.Start}, resources.Key{Kind: resources.Tasks, Name: "a"})
		return err
	}
	giver := repo
	giver.Author = admission.Author{Kind: admission.Agent, Session: "giver"}
	d := resources.New[*resources.Delegation](resources.Delegations, "d")
	d.Spec = resources.DelegationSpec{Task: "a", From: "coordinator", To: "executor"}
	_, err := giver.Create(t.Context(), d)
	require.NoError(t, err)
	for _, err := range apply(t, repo, "kind: Session\nmetadata: {name: sub}\nspec: {host: claude, parent: giver, delegation: d}\n") {
		require.NoError(t, err)
	}
	require.ErrorContains(t, start("other"), `"executor" has it, by delegation "d"`)
	require.NoError(t, start("sub"))
	require.ErrorContains(t, start("other"), `it is held by claude's session "giver"`)
	require.NoError(t, start("sub"))
}

// TestOwnRolesTaskCameActive: an active task of the role in which a session acts is nobody else's,
// also for a main agent, whose host gives it no name.
func TestOwnRolesTaskCameActive(t *testing.T) {
	repo := newRepo(t, `kind: WorkPlan
metadata: {name: p}
spec: {title: P, state: active}
---
kind: Role
metadata: {name: solo}
spec: {}
---
kind: Role
metadata: {name: scribe}
spec: {}
---
kind: TaskNode
metadata: {name: own}
spec: {workPlan: p, expectedOutput: o, state: active, assignedTo: solo}
---
kind: TaskNode
metadata: {name: scribes}
spec: {workPlan: p, expectedOutput: o, state: active, assignedTo: scribe}
---
kind: Session
metadata: {name: main}
spec: {host: claude}
---
kind: Session
metadata: {name: sub}
spec: {host: claude, agent: general-purpose, role: scribe, parent: main}
`)
	require.NoError(t, repo.leases.Leave()) // as in a clone to which git brought the task
	repo.Author = admission.Author{Kind: admission.Agent, Session: "main"}
	start := func(name string) error {
		_, err := repo.Move(t.Context(), transition.Move{Verb: transition.Start}, resources.Key{Kind: resources.Tasks, Name: name})
		return err
	}
	require.NoError(t, start("own"))
	require.ErrorContains(t, start("scribes"), `it is assigned to "scribe"`)
	repo.Author.Session = "sub"
	require.NoError(t, start("scribes"), "its record names the role")
}

// Who fails a task that stands as of before the start, as after a checkout, gives its lease back.
func TestFailOfAnOlderVersionReleases(t *testing.T) {
	repo := newRepo(t, planText+`---
kind: TaskNode
metadata: {name: a}
spec: {workPlan: auth, title: A, expectedOutput: x}
`)
	key := resources.Key{Kind: resources.Tasks, Name: "a"}
	record, err := repo.Record(t.Context(), key)
	require.NoError(t, err)
	_, err = repo.Move(t.Context(), transition.Move{Verb: transition.Start}, key)
	require.NoError(t, err)
	file := repo.Store.Root().Abs(repo.Store.Root().Locate(key))
	require.NoError(t, os.WriteFile(file, record.Spec, 0o600))
	require.NotNil(t, repo.leases.Get(readable(record).(*resources.Task)))
	moved, err := repo.Move(t.Context(), transition.Move{Verb: transition.Fail, Reason: "r"}, key)
	require.NoError(t, err)
	assert.True(t, moved.Released)
	assert.Nil(t, repo.leases.Get(readable(record).(*resources.Task)))
}
