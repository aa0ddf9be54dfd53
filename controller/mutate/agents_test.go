package mutate

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// What a person planned an agent neither loosens nor takes away, by whichever verb; what an
// agent made agents may change.
func TestAgentsDoNotLoosenAPersonsPlan(t *testing.T) {
	const plan = "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, acceptance: [it works], state: active}\n---\n"
	task := func(name, more string) string {
		return "kind: TaskNode\nmetadata: {name: " + name + "}\nspec: {workPlan: p, expectedOutput: o" + more + "}\n---\n"
	}
	const (
		before, bounds = ", dependsOn: [first]", ", paths: [src/**], allowedTools: [write]"
		proof, done    = ", evidence: [{command: go test, succeeds: true}]", ", state: completed, result: {evidence: I say so"
	)
	person := newRepo(t, plan+task("first", "")+task("mine", before+bounds+proof)+task("free", proof))
	agent := person
	agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
	require.NoError(t, apply(t, agent, task("own", before))[0])
	for name, text := range map[string]string{
		"a dependency":       task("mine", bounds+proof),
		"paths":              task("mine", before+", allowedTools: [write]"+proof),
		"wider paths":        task("mine", before+", paths: [src/**, docs/**], allowedTools: [write]"+proof),
		"tools":              task("mine", before+", paths: [src/**]"+proof),
		"evidence":           task("mine", before+bounds),
		"abandoned":          task("mine", before+bounds+proof+", state: abandoned, reason: r"),
		"blocked, completed": task("mine", before+bounds+proof+done+"}"),
		"completed":          task("free", proof+done+"}"),
		"verified by itself": task("free", proof+done+", verified: [{command: go test, succeeds: true}]}"),
		"the plan set aside": "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, acceptance: [it works], state: draft}\n",
		"a criterion":        "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, acceptance: [it is fast], state: active}\n",
		"the plan completed": "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, acceptance: [it works], state: completed}\n",
	} {
		var refusal *apierrors.Refusal
		require.ErrorAs(t, apply(t, agent, text)[0], &refusal, name)
		assert.Equal(t, admission.Persons, refusal.Cause, name)
		assert.NotEmpty(t, refusal.Step, name)
	}
	require.NoError(t, apply(t, person, task("given", ", state: abandoned, reason: r"))[0])
	assert.ErrorContains(t, apply(t, agent, task("given", ", state: planned"))[0], "only a user can reopen task/given")
	_, restored := agent.Restore(t.Context(), resources.Key{Kind: resources.Tasks, Name: "given"})
	assert.ErrorContains(t, restored, "only a user can restore task/given")
	require.NoError(t, apply(t, agent, task("given", ", state: abandoned, reason: r, title: T"))[0], "it stays given up")
	dropped := "kind: WorkPlan\nmetadata: {name: q}\nspec: {title: Q, acceptance: [a], state: "
	require.NoError(t, apply(t, person, dropped+"abandoned}\n")[0])
	assert.ErrorContains(t, apply(t, agent, dropped+"active}\n")[0], "only a user can reopen workplan/q")
	require.NoError(t, apply(t, person, task("given", ", state: planned"))[0], "a user may")
	require.NoError(t, apply(t, agent, task("mine", before+bounds+proof+", priority: high"))[0], "more is said")
	require.NoError(t, apply(t, agent, task("own", ", title: T"))[0], "its own")

	key := func(name string) []resources.Key { return []resources.Key{{Kind: resources.Tasks, Name: name}} }
	_, err := agent.Delete(t.Context(), key("mine"), Guarded)
	assert.ErrorContains(t, err, "only a user can remove task/mine")
	_, err = agent.Archive(t.Context(), key("mine"), Guarded)
	assert.ErrorContains(t, err, "only a user can remove task/mine")
	_, err = agent.Delete(t.Context(), key("own"), Guarded)
	assert.NoError(t, err, "whose it is stayed, whatever its manifest said")
	require.NoError(t, apply(t, person, task("mine", ""))[0], "a user may")
}

// An agent completes no plan over criteria that nobody showed to hold, by whichever way, and with
// them all it does; a person may.
func TestAgentsShowWhatAPlanAsksFor(t *testing.T) {
	const task = "kind: TaskNode\nmetadata: {name: t}\nspec: {workPlan: p, expectedOutput: o, state: completed, result: {evidence: seen}}\n---\n"
	plan := func(more string) string {
		return "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, acceptance: [it works, it is fast], state: " + more + "}\n"
	}
	person := newRepo(t, task+plan("active"))
	agent := person
	agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
	key := resources.Key{Kind: resources.WorkPlans, Name: "p"}
	complete := func(repo Repo, met ...int) (ActResult, error) {
		m := transition.Move{Verb: transition.Complete, Criteria: met}
		if len(met) > 0 {
			m.Evidence = "ran it, see task/t"
		}
		return repo.Move(t.Context(), m, key)
	}
	_, err := complete(agent)
	require.ErrorContains(t, err, `1 "it works", 2 "it is fast"`)
	require.ErrorContains(t, err, "idumb complete workplan/p --met 1 --evidence")
	require.ErrorContains(t, apply(t, agent, plan("completed"))[0], "there is no evidence")
	_, err = agent.Move(t.Context(), transition.Move{Verb: transition.Complete, Criteria: []int{1}, Evidence: "works, as b.go and task/b show"}, key)
	require.ErrorContains(t, err, "the evidence names no existing file, object or command of the plan; name a file that the criterion names")
	require.NoError(t, os.WriteFile(agent.Store.Root().Abs("b.go"), nil, 0o600))
	_, err = agent.Move(t.Context(), transition.Move{Verb: transition.Complete, Criteria: []int{1}, Evidence: "works, as b.go shows"}, key)
	require.ErrorContains(t, err, "or command of the plan", "a file that no task wrote or names")
	require.NoError(t, apply(t, person, "kind: TaskNode\nmetadata: {name: t}\nspec: {workPlan: p, expectedOutput: o, paths: [b.go], state: completed, result: {evidence: seen}}\n")[0])
	shown, err := agent.Move(t.Context(), transition.Move{Verb: transition.Complete, Criteria: []int{1}, Evidence: "works, as `b.go#main` shows"}, key)
	require.NoError(t, err)
	require.Len(t, shown.New.(*resources.WorkPlan).Spec.Met, 1)
	require.NoError(t, apply(t, person, plan("active, met: []"))[0])
	moved, err := complete(agent, 2)
	require.NoError(t, err)
	assert.Equal(t, []int{1}, status.OpenCriteria(moved.Open))
	assert.Equal(t, resources.PlanActive, moved.New.(*resources.WorkPlan).Spec.State)
	moved, err = complete(agent, 1)
	require.NoError(t, err)
	spec := moved.New.(*resources.WorkPlan).Spec
	assert.Equal(t, resources.PlanCompleted, spec.State)
	assert.Equal(t, "s", spec.Met[1].By)
	require.NoError(t, apply(t, person, plan("active, met: []"))[0])
	moved, err = complete(person)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2}, status.OpenCriteria(moved.Open), "which stand open is told")
}

// What looks like a token is not written for an agent, whatever object and field it is in; a person is warned.
func TestSecretsAreNotWritten(t *testing.T) {
	const token = "ghp_abcdefghijklmnop1234"
	for kind, spec := range map[string]string{
		"Mem": "{content: 'use " + token + "'}", "Anchor": "{content: 'use " + token + "'}", "WorkPlan": "{title: '" + token + "', acceptance: [up]}",
		"TaskNode": "{workPlan: p, expectedOutput: o, notes: \"one\\n" + token + "\\ntwo\"}", "Decision": "{title: 'key sk-0123456789abcdefghij'}",
	} {
		var warned []string
		repo := newRepo(t, "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, acceptance: [up], state: active}\n")
		repo.Warn = func(text string) { warned = append(warned, text) }
		text := "kind: " + kind + "\nmetadata:\n  name: x\nspec: " + spec + "\n"
		repo.Author = admission.Author{Kind: admission.Agent, Session: "s"}
		errs := apply(t, repo, text)
		if len(errs) != 1 || errs[0] == nil || !strings.Contains(errs[0].Error(), "agents do not write a token (") {
			t.Errorf("%s: %v", kind, errs)
		}
		repo.Author = admission.Author{}
		if errs := apply(t, repo, text); len(errs) != 1 || errs[0] != nil || len(warned) != 1 || !strings.Contains(warned[0], "/x holds a token (") {
			t.Errorf("%s: %v, warned %v", kind, errs, warned)
		}
		if strings.Contains(strings.Join(warned, ""), token) {
			t.Errorf("%s: the warning shows the token", kind)
		}
		repo.Author = admission.Author{Kind: admission.Agent, Session: "s"}
		if errs := apply(t, repo, strings.Replace(text, "spec:", "  labels: {a: b}\nspec:", 1)); strings.Contains(fmt.Sprint(errs), "agents do not write") {
			t.Errorf("%s: what was there already is no new secret: %v", kind, errs)
		}
	}
}

// Evidence of an agent's that is the name of a file is that of one that exists; free text stays free.
func TestAgentsNameFilesThatExist(t *testing.T) {
	person := newRepo(t, "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, acceptance: [a], state: active}\n---\nkind: TaskNode\nmetadata: {name: t}\nspec: {workPlan: p, expectedOutput: o, state: active}\n")
	require.NoError(t, os.WriteFile(person.Store.Root().Abs("here.ts"), []byte("x"), 0o600))
	person.DryRun = true
	agent := person
	agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
	key := resources.Key{Kind: resources.Tasks, Name: "t"}
	for evidence, refused := range map[string]bool{
		"src/nothere.ts": true, "`src/nothere.ts:12`": true, "./nothere.md#Limits": true, "nothere.ts.": true,
		"here.ts": false, "here.ts:1": false, "see src/nothere.ts": false, "https://a.example/b.html": false, "v1.2.3": false, "mem/limits.old": false, "done": false, "src/*.ts": false,
	} {
		for _, verb := range []transition.Verb{transition.Complete, transition.Review} {
			m := transition.Move{Verb: verb, Evidence: evidence}
			_, err := agent.Move(t.Context(), m, key)
			if refused {
				var refusal *apierrors.Refusal
				require.ErrorAs(t, err, &refusal, evidence)
				assert.Equal(t, admission.NotThere, refusal.Cause)
				assert.Contains(t, refusal.Step, fmt.Sprintf("idumb %s t --evidence", verb))
			} else {
				assert.NoError(t, err, evidence)
			}
			_, err = person.Move(t.Context(), m, key)
			assert.NoError(t, err, "a user's word is taken: %s", evidence)
		}
	}
}

// An agent's delegation names the session that made it, since the agents of that session take part in the task.
// A user's names nobody.
func TestADelegationNamesItsMaker(t *testing.T) {
	for maker, who := range map[string]admission.Author{"s": {Kind: admission.Agent, Session: "s"}, "": {Kind: admission.Person}} {
		repo := newRepo(t, planText)
		repo.Author = who
		d := resources.New[*resources.Delegation](resources.Delegations, "d")
		d.Spec = resources.DelegationSpec{Task: "shared", From: "solo", To: "executor", Session: "one", State: "accepted", ExpectedOutput: "o"}
		made, err := repo.Create(t.Context(), d)
		require.NoError(t, err)
		assert.Equal(t, maker, made[0].New.Head().Metadata.Annotations[resources.AnnotationMadeBy])
		moved, err := repo.Redirect(t.Context(), d.Key(), "investigator")
		require.NoError(t, err)
		assert.Equal(t, "recalled", moved.New.(*resources.Delegation).Spec.State)
		again := moved.Related[0].New.(*resources.Delegation)
		assert.Equal(t, resources.DelegationSpec{Task: "shared", From: "solo", To: "investigator", ExpectedOutput: "o"}, again.Spec, "nobody works under it yet")
		record, err := repo.Store.Get(t.Context(), again.Key())
		require.NoError(t, err)
		assert.Equal(t, maker != "", strings.Contains(string(record.Spec), `made-by": "s"`), string(record.Spec))
	}
}

// An agent brings nothing back from the archive, neither by restoring it nor by making it anew. A person brings back
// everything.
func TestAgentsDoNotRestore(t *testing.T) {
	const task = "kind: TaskNode\nmetadata: {name: %s}\nspec: {workPlan: p, expectedOutput: o, state: %s, reason: r}\n---\n"
	const plan = "kind: WorkPlan\nmetadata: {name: %s}\nspec: {title: P, acceptance: [a], state: %s}\n---\n"
	text := func(form string, values ...any) string { return fmt.Sprintf(form, values...) }
	person := newRepo(t, text(plan, "p", "active")+text(plan, "gone", "abandoned")+text(plan, "old", "completed")+text(task, "gone", "abandoned")+text(task, "failed", "failed")+
		"kind: Role\nmetadata: {name: free}\nspec: {level: 3}\n---\nkind: Anchor\nmetadata: {name: note}\nspec: {content: c, type: context}\n")
	agent := person
	agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
	require.NoError(t, apply(t, agent, text(task, "own", "failed"))[0])
	for ref, why := range map[string]string{
		"workplans/gone": "only a user can restore workplan/gone: it was abandoned", "workplans/old": "only a user can restore workplan/old: it is in the archive", "tasks/gone": "it was abandoned",
		"tasks/failed": "it is in the archive", "roles/free": "only a user can change role/free", "anchors/note": "only a user can restore anchor/note: it is in the archive", "tasks/own": "it is in the archive",
	} {
		kind, name, _ := strings.Cut(ref, "/")
		key := resources.Key{Kind: kind, Name: name}
		_, err := person.Archive(t.Context(), []resources.Key{key}, Guarded)
		require.NoError(t, err, ref)
		_, err = agent.Restore(t.Context(), key)
		require.ErrorContains(t, err, why)
		archived, err := person.Store.ReadArchived(t.Context(), key)
		require.NoError(t, err, ref)
		require.ErrorContains(t, apply(t, agent, string(archived))[0], why, ref)
		_, err = person.Restore(t.Context(), key)
		require.NoError(t, err, ref)
	}
}

// An agent takes up what an agent deferred, and leaves to the person what a person deferred, whoever made the task.
func TestAgentsDoNotUndoADeferral(t *testing.T) {
	const task = "kind: TaskNode\nmetadata: {name: %s}\nspec: {workPlan: auth, expectedOutput: o%s}\n---\n"
	person := newRepo(t, planText)
	agent := person
	agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
	require.NoError(t, apply(t, agent, fmt.Sprintf(task, "one", ""))[0])
	require.NoError(t, apply(t, agent, fmt.Sprintf(task, "ahead", ", planAhead: true"))[0])
	move := func(repo Repo, name string, verb transition.Verb, back bool) error {
		_, err := repo.Move(t.Context(), transition.Move{Verb: verb, Undo: back}, resources.Key{Kind: resources.Tasks, Name: name})
		return err
	}
	require.NoError(t, move(person, "one", transition.Defer, false))
	for _, verb := range []transition.Verb{transition.Start, transition.Defer} {
		require.ErrorContains(t, move(agent, "one", verb, true), "only a user can take up task/one: a user deferred it", verb)
	}
	claimed := "kind: TaskNode\nmetadata: {name: one, annotations: {idumb.dev/deferred-by: s}}\nspec: {workPlan: auth, expectedOutput: o, planAhead: true}\n"
	require.NoError(t, apply(t, agent, claimed)[0])
	require.ErrorContains(t, move(agent, "one", transition.Start, false), "a user deferred it", "the annotation did not come from the agent's file")
	d := resources.New[*resources.Delegation](resources.Delegations, "d")
	d.Spec = resources.DelegationSpec{Task: "one", From: "solo", To: "executor", ExpectedOutput: "o"}
	_, err := agent.Create(t.Context(), d)
	require.ErrorContains(t, err, `cannot assign task "one": a user deferred it`)
	require.NoError(t, move(person, "one", transition.Defer, true))
	require.NoError(t, move(agent, "one", transition.Defer, false))
	require.NoError(t, move(agent, "one", transition.Defer, true))
	require.NoError(t, move(agent, "one", transition.Start, false))
	require.NoError(t, move(agent, "ahead", transition.Start, false))
}

// An agent does not reuse the name of a removed task that left checkpoints, or on which a user's task depends.
func TestAgentsDoNotReuseNames(t *testing.T) {
	const plan = "kind: WorkPlan\nmetadata: {name: p}\nspec: {title: P, acceptance: [a], state: active}\n---\n"
	task := func(name, more string) string {
		return "kind: TaskNode\nmetadata: {name: " + name + "}\nspec: {workPlan: p, expectedOutput: o" + more + "}\n---\n"
	}
	person := newRepo(t, plan+task("worked", "")+task("first", "")+task("later", ", dependsOn: [first]")+task("unused", ""))
	agent := person
	agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
	require.NoError(t, person.Store.Root().AppendCheckpoint("worked", resources.Checkpoint{Tool: "run", Command: "go test ./..."}))
	for _, name := range []string{"worked", "first", "unused"} {
		_, err := person.Delete(t.Context(), []resources.Key{{Kind: resources.Tasks, Name: name}}, Orphan)
		require.NoError(t, err)
	}
	require.ErrorContains(t, apply(t, agent, task("worked", ""))[0], "cannot create task/worked: checkpoints of a removed task")
	require.ErrorContains(t, apply(t, agent, task("first", ""))[0], "task/later, which a user planned, depends on a task with that name")
	require.NoError(t, apply(t, agent, task("unused", ""))[0])
	require.NoError(t, apply(t, person, task("worked", "")+task("first", ""))[0], "a user may")
}
