package attention_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// orphans are n tasks of a plan, each of which names a stage that the plan does not have.
func orphans(plan string, n int) (all []attention.Concern, objects []resources.Object) {
	for i := range n {
		name := fmt.Sprintf("%s-t%05d", plan, i)
		c := concern(resources.Tasks, name, resources.Orphaned, 5, "idumb edit task "+name)
		c.Text = fmt.Sprintf(`spec.phase names "stage%d" of workplans/%s, which does not exist`, i%7, plan)
		all = append(all, c)
		objects = append(objects, graphtest.Task(name, resources.TaskSpec{WorkPlan: plan, Phase: fmt.Sprintf("stage%d", i%7)}))
	}
	return all, objects
}

// Ten thousand tasks with one fault are one row, which says how many they are and lists them.
func TestFloodIsOneRow(t *testing.T) {
	all, objects := orphans("p", 10_000)
	all = append(all, concern(resources.Tasks, "form", "Review", 60, "idumb complete form"), concern(resources.Mems, "token-life", "Suspect", 21, "idumb confirm mem token-life"))
	got := of(attention.Input{Concerns: all}, objects...)
	assert.Equal(t, []string{
		"◐ 3 review.task.form: what ()",
		`✕ 6 orphaned.spec-phase-names.tasks.p: task/p-t00000 and 9999 more: spec.phase names "stage0" of workplans/p, which does not exist ()`,
		"≠ 7 suspect.mem.token-life: what ()",
	}, rows(got))
	assert.Equal(t, []string{"workplan/p", "workplan/p"}, []string{got[1].Subject, got[1].Object})
	assert.Equal(t, []attention.Action{{Verb: "get", Args: []string{"tasks", "--field-selector", "status.conditions[*].type=Orphaned,spec.workPlan=p"}, Command: `idumb get tasks --field-selector "status.conditions[*].type=Orphaned,spec.workPlan=p"`}}, got[1].Do)
	text, err := json.Marshal(got)
	require.NoError(t, err)
	assert.Less(t, len(text), 2_000)
}

// A few stay a row each; what differs in plan, cause or kind is no part of the flood; its place is that of its
// most urgent one.
func TestWhatIsNoFlood(t *testing.T) {
	few, objects := orphans("few", 3)
	many, others := orphans("many", 4)
	many[3].Since = many[3].Since.Add(-24 * 60 * 60 * 1e9)
	other := concern(resources.Tasks, "many-t00009", resources.Orphaned, 60)
	other.Text = "spec.dependsOn[0] names tasks/x, which does not exist"
	others = append(others, graphtest.Task("many-t00009", resources.TaskSpec{WorkPlan: "many"}))
	plan := concern(resources.WorkPlans, "many", resources.Orphaned, 2)
	got := of(attention.Input{Concerns: append(append(few, many...), other, plan)}, append(objects, others...)...)
	var names []string
	for _, n := range got {
		names = append(names, n.Name)
	}
	assert.Equal(t, []string{
		"orphaned.spec-phase-names.tasks.many", "orphaned.task.many-t00009",
		"orphaned.task.few-t00000", "orphaned.task.few-t00001", "orphaned.task.few-t00002", "orphaned.workplan.many",
	}, names)
	assert.Equal(t, many[3].Since, got[0].Since.Time)
}

// What wants a decision of its own each is folded later than a fault.
func TestDecisionsAreFoldedLater(t *testing.T) {
	var all []attention.Concern
	for i := range 21 {
		all = append(all, concern(resources.Tasks, fmt.Sprintf("t%02d", i), "Review", 1))
	}
	assert.Len(t, of(attention.Input{Concerns: all[:20]}), 20)
	got := of(attention.Input{Concerns: all})
	require.Len(t, got, 1)
	assert.Equal(t, `idumb get tasks --field-selector "status.phase=review"`, got[0].Do[0].Command)
}

// The command lists what the flood is about: anchors without their source are stale.
func TestFloodsOfWhatIsGone(t *testing.T) {
	for kind, field := range map[string]string{resources.Mems: "status.phase=gone", resources.Anchors: "status.phase=stale"} {
		var all []attention.Concern
		for i := range 30 {
			all = append(all, concern(kind, fmt.Sprintf("o%02d", i), "Gone", 1))
		}
		got := of(attention.Input{Concerns: all})
		require.Len(t, got, 1, kind)
		assert.Contains(t, got[0].Do[0].Command, "get "+kind+` --field-selector "`+field+`"`)
	}
}

// Whatever a flood is about, its name is one that a resource may have, and no name of a plan gets into a command
// line that is more than a name.
func TestFloodsAreNamed(t *testing.T) {
	for _, reason := range []string{"Invalid", "Gone", "Stale", "Suspect", "Conflict", "Failed", "Undecided", resources.ChainBroken} {
		var all []attention.Concern
		var objects []resources.Object
		for i := range 30 {
			name := fmt.Sprintf("t%02d", i)
			c := concern(resources.Tasks, name, reason, 1)
			c.Text = `"ä; rm" ÄÖ "` + strings.Repeat("long-word ", 40)
			all = append(all, c)
			objects = append(objects, graphtest.Task(name, resources.TaskSpec{WorkPlan: "p; rm -rf x"}))
		}
		got := of(attention.Input{Concerns: all}, objects...)
		require.Len(t, got, 1, reason)
		require.NoError(t, resources.CheckName(got[0].Name))
		require.Len(t, got[0].Do, 1)
		assert.NotContains(t, got[0].Do[0].Command, "rm")
		assert.Equal(t, "tasks", got[0].Subject)
	}
}
