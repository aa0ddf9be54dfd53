package admission

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestAgentsForgeNoConfirmation(t *testing.T) {
	w := newWorld()
	w.task("t", resources.TaskSpec{})
	plan := func(met ...resources.Criterion) *resources.WorkPlan {
		p := made(resources.WorkPlans).(*resources.WorkPlan)
		p.Spec = resources.WorkPlanSpec{Title: "Login", Acceptance: []string{"one", "two"}, Met: met}
		return p
	}
	user, agent := resources.Criterion{Criterion: "one", Evidence: "seen"}, resources.Criterion{Criterion: "two", Evidence: "see task/t", By: "s1"}
	forged := resources.Criterion{Criterion: "two", Evidence: "seen", By: "person/ann"}
	assert.ErrorContains(t, Transition(plan(), plan(user), nil, false, w), "is a user's to mark as met")
	assert.ErrorContains(t, Transition(plan(), plan(forged), nil, false, w), "is a user's to mark as met")
	assert.ErrorContains(t, Transition(plan(user), plan(), nil, false, w), "is a user's to mark as met")
	assert.NoError(t, Transition(plan(user), plan(user, agent), nil, false, w))
}

// What shows that a criterion holds names something of the plan's own work.
func TestUncited(t *testing.T) {
	w := newWorld()
	w.plan("p", resources.WorkPlanSpec{Title: "P", State: resources.PlanActive})
	w.task("own", resources.TaskSpec{WorkPlan: "p", State: resources.TaskActive, Paths: []string{"src/**"}})
	w.files = []string{"docs/a.md", "src/a.go", "README.md", "RESULT.md"}
	at := noon
	w.seen["own"] = &status.Evidence{Count: 2, Files: []string{"docs/a.md"}, Commands: []status.Command{
		{Line: "go test ./...", Succeeded: true, Time: at}, {Line: "make", Succeeded: true, Time: at}, {Line: "make lint", Failed: true, Time: at}, {Line: "make race", Succeeded: true, Time: at}, {Line: "make unknown"},
	}}
	w.task("other", resources.TaskSpec{WorkPlan: "p", State: resources.TaskActive})
	w.seen["other"] = &status.Evidence{Count: 1, Commands: []status.Command{{Line: "make race", Failed: true, Time: at.Add(time.Minute)}}}
	w.plan("q", resources.WorkPlanSpec{Title: "Q", State: resources.PlanActive})
	const nothing, failed = "the evidence names no existing file, object or command of the plan", "failed"
	for text, want := range map[string]string{
		"works": nothing, "": nothing, "*": nothing, "task/none": nothing, "(task/own)": "",
		"see docs/b.md": nothing, "see `docs/a.md#Use`.": "", "./src/a.go:12 shows it": "", "src/none.go": nothing, "README.md": nothing, "RESULT.md": "", "src": nothing,
		"go  test ./... passes": "", "`go test ./...`": "", "ran go test ./..., which passed": "", "go test './...'": "",
		"go test ./... -run NoSuch": nothing, "go test ./... ./other": nothing, "go test": nothing, "cargo test ./...": nothing,
		"make": "", "make release": nothing, "make unknown passes": nothing,
		"make lint passes": failed, "make lint passes, see docs/a.md": failed, "make race passes": failed,
	} {
		if got := uncited(resources.Criterion{Criterion: "See RESULT.md.", Evidence: text}, "p", w); want == failed && !strings.HasSuffix(got, failed) || want != failed && got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	assert.Equal(t, nothing, uncited(resources.Criterion{Evidence: "go test ./..."}, "q", w), "a command of another plan")

	old, next := *w.plans["p"], *w.plans["p"]
	old.Spec.Acceptance, next.Spec.Acceptance = []string{"up"}, []string{"up"}
	next.Spec.Met = []resources.Criterion{{Criterion: "up", Evidence: "works", By: "s1"}}
	assert.ErrorContains(t, Transition(&old, &next, nil, false, w), nothing, "a change of the file is judged as the command")
}
