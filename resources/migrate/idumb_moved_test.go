package migrate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// made are the objects of an outcome by kind/name.
func made(out migrate.Outcome) map[string]resources.Object {
	all := map[string]resources.Object{}
	for _, o := range out.Objects {
		all[o.Key().String()] = o
	}
	return all
}

// iDumb renamed its files and copied epics into the graph, and left the older files where they were.
func TestWhatWasRenamedAndCopiedIsMadeOnce(t *testing.T) {
	files := smallFiles(t, "idumb-renamed")
	out := migrate.Idumb(migrate.Input{Files: files})
	migratetest.RequireKept(t, files, out)
	all := made(out)
	assert.Len(t, all, 9, "%v", out.Report.Created)
	plan := all["workplans/wp-1770000000001-1"].(*resources.WorkPlan)
	assert.Equal(t, "Log in", plan.Spec.Title, "the file of today's name counts")
	form := all["tasks/tn-1770000000003-2"].(*resources.Task)
	assert.Equal(t, resources.TaskReview, form.Spec.State)
	errors := all["tasks/sub-1770000000005-4"].(*resources.Task)
	assert.Equal(t, form.Metadata.Name, errors.Spec.Parent, "what the copy dropped")
	assert.Equal(t, resources.TaskAbandoned, all["tasks/sub-1770000000006-5"].(*resources.Task).Spec.State)
	assert.NotContains(t, all, "tasks/sub-1770000000004-3", "it is a checkpoint")
	require.Len(t, out.Logs, 1)
	assert.Contains(t, all, "tasks/tn-1770000000007-6", "only the older file says it")
	assert.Contains(t, all, "workplans/epic-1770000000009-9")
	for _, o := range out.Objects {
		switch o := o.(type) {
		case *resources.Session:
			assert.Equal(t, form.Metadata.Name, o.Spec.ActiveTask, "by the id that it had")
		case *resources.Trajectory:
			assert.Equal(t, plan.Metadata.Name, o.Spec.ActivePlan)
		}
	}
}

func TestWordsForStates(t *testing.T) {
	for state, words := range map[string][]string{
		resources.TaskPlanned:   {"", "to-do", "Reopened"},
		resources.TaskActive:    {"in-progress", "In Progress", "🔄 In Progress", "doing", "in development"},
		resources.TaskReview:    {"Code Review", "ready for review", "QA"},
		resources.TaskCompleted: {"DONE", "✔ Done", "✅", "[x]", "Closed", "Released"},
		resources.TaskAbandoned: {"Won't do", "won’t fix", "cancelled", "tombstone", "skipped", "duplicate"},
	} {
		for _, word := range words {
			s := migrate.TaskState(word)
			assert.Equal(t, migrate.State{State: state, IsKnown: true}, s, word)
		}
	}
	for _, word := range []string{"blocked", "Deferred", "on hold", "icebox"} {
		assert.Equal(t, migrate.State{State: resources.TaskPlanned, PlanAhead: true, IsKnown: true}, migrate.TaskState(word), word)
	}
	assert.Equal(t, migrate.State{State: resources.TaskPlanned, PlanAhead: true}, migrate.TaskState("cooking"))
}

func TestWordsForPriorities(t *testing.T) {
	for word, want := range map[string]string{
		"P0": "critical", "0": "critical", "very high": "critical", "2 - High": "high", "High priority": "high", "1.0": "high", "Medium": "medium",
		"none": "normal", "P4": "low", "lowest": "low", "": "", "fuchsia": "", "!!!": "",
	} {
		assert.Equal(t, want, migrate.Priority(word), word)
	}
}

// Each name and form that says what a task waits for.
func TestFormsOfDependencies(t *testing.T) {
	for _, field := range []string{
		`"dependsOn":["a"]`, `"depends_on":"a"`, `"deps":["a"]`, `"blockedBy":["a"]`, `"blocked_by":[{"id":"a"}]`, `"blockers":["[[a]]"]`,
		`"requires":["a"]`, `"prerequisites":["A"]`, `"dependencyIds":["a"]`, `"dependencies":[],"waitsFor":"a"`, `"dependencies":{"a":true,"c":false}`,
		`"dependencies":[{"taskId":"a","type":"hard"}]`, `"dependencies":["a",{"to":"a"}],"deps":["a"]`, `"dependencies":"a, a"`,
	} {
		for _, text := range []string{
			fmt.Sprintf(`{"tasks":[{"id":"a","title":"A"},{"id":"b","title":"B",%s}]}`, field),
			`{"tasks":[{"id":"a","title":"A","blocks":["b"]},{"id":"b","title":"B"}]}`,
		} {
			files := []migrate.File{{Path: "graph/tasks.json", Data: []byte(text)}}
			out := migrate.Hivemind(migrate.Input{Files: files})
			migratetest.RequireKept(t, files, out)
			assert.Equal(t, []string{"a"}, made(out)["tasks/b"].(*resources.Task).Spec.DependsOn, text)
		}
	}
}
