package status_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestPlanTurnsStale(t *testing.T) {
	ago := func(hours int) time.Time { return graphtest.Noon.Add(-time.Duration(hours) * time.Hour) }
	for name, test := range map[string]struct {
		plan, task, seen, validated int // hours ago; 0: not at all
		state, after                string
		stale                       bool
		next                        time.Time
	}{
		"lately":                        {plan: 47, state: resources.PlanActive, next: ago(47).Add(48 * time.Hour)},
		"left alone":                    {plan: 48, state: resources.PlanActive, stale: true},
		"a draft may wait":              {plan: 200, state: resources.PlanDraft},
		"its own limit":                 {plan: 48, state: resources.PlanActive, after: "72h", next: ago(48).Add(72 * time.Hour)},
		"somebody says that it holds":   {plan: 200, validated: 3, state: resources.PlanActive, next: ago(3).Add(48 * time.Hour)},
		"a task was changed":            {plan: 200, task: 2, state: resources.PlanActive, next: ago(2).Add(48 * time.Hour)},
		"something was done for a task": {plan: 200, task: 100, seen: 1, state: resources.PlanActive, next: ago(1).Add(48 * time.Hour)},
		"its tasks were left alone":     {plan: 200, task: 100, seen: 90, state: resources.PlanActive, stale: true},
	} {
		t.Run(name, func(t *testing.T) {
			plan := graphtest.Plan("p", resources.WorkPlanSpec{State: test.state, StaleAfter: test.after})
			plan.Metadata.CreationTimestamp = resources.NewTime(ago(test.plan))
			if test.validated > 0 {
				plan.Metadata.Annotations = map[string]string{resources.AnnotationValidatedAt: ago(test.validated).Format(time.RFC3339)}
			}
			in := graph.SnapshotInput{Objects: []resources.Object{plan}, Now: graphtest.Noon}
			if test.task > 0 {
				task := graphtest.Task("a", resources.TaskSpec{WorkPlan: "p"})
				task.Metadata.CreationTimestamp = resources.NewTime(ago(test.task))
				in.Objects = append(in.Objects, task)
			}
			if test.seen > 0 {
				in.Evidence = map[string]*status.Evidence{"a": {Count: 1, Newest: ago(test.seen)}}
			}
			st, next := status.DerivePlan(plan, graph.NewSnapshot(in))
			assert.Equal(t, test.stale, resources.IsTrue(st.Conditions, resources.Stale))
			assert.True(t, test.next.Equal(next), "%s, want %s", next, test.next)
		})
	}
}
