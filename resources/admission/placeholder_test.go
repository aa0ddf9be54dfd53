package admission

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// TestPlaceholdersAreNoTask: the placeholders of our advice, copied as they are, make neither a task nor a plan.
func TestPlaceholdersAreNoTask(t *testing.T) {
	w := newWorld()
	e := &evaluation{view: w}
	advice, _ := e.create("", "next-step", ` --title "`+yourTitle+`"`)
	texts := regexp.MustCompile(`"(\([^"]+\))"`).FindAllStringSubmatch(advice, -1)
	require.Len(t, texts, 4, advice)
	for _, text := range append(texts, []string{"", "<title>"}, []string{"", "..."}, []string{"", " (what it does) "}, []string{"", "TITLE"}) {
		for _, change := range []func(*resources.TaskSpec){func(s *resources.TaskSpec) { s.Title = text[1] }, func(s *resources.TaskSpec) { s.ExpectedOutput = text[1] }} {
			next := task("mine", "", "")
			change(&next.Spec)
			require.ErrorContains(t, Transition(nil, next, nil, false, w), "is a placeholder; replace it by a description of your work, as in `idumb add \"Fix the login form\"`", text[1])
			assert.NoError(t, Transition(next, next, nil, false, w), "it says so already")
		}
		plan := made(resources.WorkPlans).(*resources.WorkPlan)
		plan.Spec = resources.WorkPlanSpec{Title: "Login", Acceptance: []string{"it works", text[1]}}
		require.Error(t, Transition(nil, plan, nil, false, w), text[1])
	}
	for _, title := range []string{"Fix the login form", "(draft) login form", "Fix f(x)", "Use <title> in the page", "(a) and (b)", ""} {
		next := task("mine", "", "")
		next.Spec.Title = title
		assert.NoError(t, Transition(nil, next, nil, false, w), title)
	}
	next := task("mine", "", "")
	next.Spec.Title = yourTitle
	call := write(".idumb/tasks/mine.json")
	call.Planned = []Planned{{Key: next.Key(), Path: call.Paths[0], Known: true, Next: next}}
	v := Decide(call, w)
	assert.Equal(t, Deny, v.Outcome, "the user is not asked")
	assert.Contains(t, v.Reason.Text(), `USE INSTEAD: Replace it by a description of your work`)
}
