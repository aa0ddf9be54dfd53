package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Loose ends may come from elsewhere, and stay where they were; values that make no sense may not.
func TestJudgeByWho(t *testing.T) {
	loose := task("a", "", "")
	loose.Spec.WorkPlan, loose.Spec.DependsOn = "p", []string{"nowhere"}
	bad := task("b", "sleeping", "")
	bad.Spec.WorkPlan = "p"
	plan := made(resources.WorkPlans).(*resources.WorkPlan)
	plan.Metadata.Name, plan.Spec = "p", resources.WorkPlanSpec{Title: "t", Acceptance: []string{"a"}}
	v := handOvers{graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{plan}}), nil}
	for _, as := range []Asker{Person, Agent, Controller} {
		assert.ErrorContains(t, Judge(nil, loose, Author{Kind: as}, v), `spec.dependsOn[0]: Not found: "nowhere"`)
		assert.NoError(t, Judge(loose, loose, Author{Kind: as}, v))
	}
	assert.NoError(t, Judge(nil, loose, Author{Kind: Importer}, v))
	assert.ErrorContains(t, Judge(nil, bad, Author{Kind: Importer}, v), "spec.state")
}
