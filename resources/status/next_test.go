package status_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestNextTasksOrder(t *testing.T) {
	in := func(plan, priority string, dependsOn ...string) resources.TaskSpec {
		return resources.TaskSpec{WorkPlan: plan, Priority: priority, DependsOn: dependsOn}
	}
	s := graphtest.SnapshotOf(
		graphtest.ActivePlan(), graphtest.Plan("sketch", resources.WorkPlanSpec{}), graphtest.Plan("closed", resources.WorkPlanSpec{State: resources.PlanCompleted}), graphtest.Plan("over", resources.WorkPlanSpec{State: resources.PlanAbandoned}),
		graphtest.Task("urgent", in("p", "critical")),
		graphtest.Task("root", in("p", "")), graphtest.Task("child", in("p", "", "root")), graphtest.Task("grandchild", in("p", "", "child")),
		graphtest.Task("lone-b", in("p", "")), graphtest.Task("lone-a", in("p", "")), graphtest.CreatedAt(graphtest.Task("old", in("p", "")), graphtest.Noon.Add(-time.Hour)),
		graphtest.Task("minor", in("p", "low")),
		graphtest.Task("ahead", resources.TaskSpec{WorkPlan: "p", PlanAhead: true, Priority: "critical"}),
		graphtest.Task("left", in("closed", "")),
		graphtest.Task("drafted", in("sketch", "high")),
		graphtest.Task("given-up", in("over", "critical")),
	)
	var got []string
	for _, next := range status.NextTasks(s, 0) {
		got = append(got, next.Task.Metadata.Name+": "+next.Reason)
	}
	assert.Equal(t, []string{
		"urgent: critical", "root: unblocks 2", "lone-a: no open dependencies", "lone-b: no open dependencies", "old: no open dependencies", "minor: low",
		"left: no open dependencies", "drafted: high; its plan is a draft",
	}, got)
	assert.Len(t, status.NextTasks(s, 3), 3)
	assert.Equal(t, "root", status.NextTasks(s, 3)[1].Task.Metadata.Name)
	drafted, _ := s.Task("drafted")
	assert.Equal(t, []status.NextTask{{Task: drafted, Reason: "high; its plan is a draft"}}, status.NextInPlanOf("sketch", s, 10))
}

// The plan in focus comes before others that are worked on, wherever the focus comes from.
func TestNextTasksFocus(t *testing.T) {
	for name, test := range map[string]struct {
		focus, settings, active string
		want                    []string
	}{
		"nothing says it":    {"", "", "", []string{"urgent", "a", "b", "d"}},
		"the read-head":      {"q", "", "", []string{"b", "urgent", "a", "d"}},
		"a plan that is not": {"gone", "", "", []string{"urgent", "a", "b", "d"}},
		"a draft":            {"sketch", "", "", []string{"d", "urgent", "a", "b"}},
		"the settings":       {"", "q", "", []string{"b", "urgent", "a", "d"}},
		"an active task":     {"", "", "q", []string{"b", "urgent", "a", "d"}},
		"head over settings": {"q", "p", "", []string{"b", "urgent", "a", "d"}},
		"settings over task": {"", "p", "q", []string{"urgent", "a", "b", "d"}},
	} {
		objects := []resources.Object{
			graphtest.ActivePlan(), graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanActive}), graphtest.Plan("sketch", resources.WorkPlanSpec{}),
			graphtest.Task("a", resources.TaskSpec{WorkPlan: "p"}), graphtest.Task("urgent", resources.TaskSpec{WorkPlan: "p", Priority: "high"}), graphtest.Task("b", resources.TaskSpec{WorkPlan: "q"}),
			graphtest.Task("d", resources.TaskSpec{WorkPlan: "sketch"}),
		}
		if test.focus != "" {
			head := resources.New[*resources.Trajectory](resources.Trajectories, resources.TrajectoryName)
			head.Spec.ActivePlan = test.focus
			objects = append(objects, head)
		}
		if test.settings != "" {
			config := resources.New[*resources.Config](resources.Configs, resources.ConfigName)
			config.Spec.Plan = test.settings
			objects = append(objects, config)
		}
		if test.active != "" {
			objects = append(objects, graphtest.Task("running", resources.TaskSpec{WorkPlan: test.active, State: resources.TaskActive}))
		}
		v := graphtest.SnapshotOf(objects...)
		head, _ := status.DeriveTrajectory(v.Trajectory(), v)
		for limit := range 5 {
			var got []string
			for _, next := range status.NextTasks(v, limit) {
				got = append(got, next.Task.Metadata.Name)
			}
			if limit == 0 {
				limit = 4
			}
			assert.Equal(t, test.want[:limit], got, name)
		}
		first, _ := v.Task(test.want[0])
		assert.Equal(t, first.Spec.WorkPlan, head.ActivePlan, name)
		added, _ := status.DefaultPlan(v, v.Settings().Plan)
		assert.Equal(t, first.Spec.WorkPlan, added, name)
	}
}

// What is completed or given up needs no unblocking, and a long chain or a circle
// is not walked to its end.
func TestUnblocks(t *testing.T) {
	objects := []resources.Object{graphtest.ActivePlan(), graphtest.Task("t0000", resources.TaskSpec{WorkPlan: "p"})}
	for i := 1; i < 1000; i++ {
		objects = append(objects, graphtest.Task(fmt.Sprintf("t%04d", i), resources.TaskSpec{WorkPlan: "p", DependsOn: []string{fmt.Sprintf("t%04d", i-1)}}))
	}
	s := graphtest.SnapshotOf(objects...)
	assert.Equal(t, status.MaxUnblocks, status.CountUnblocked("t0000", s))
	assert.Equal(t, 2, status.CountUnblocked("t0997", s))
	assert.Equal(t, "unblocks 100 or more", status.NextTasks(s, 1)[0].Reason)

	s = graphtest.SnapshotOf(graphtest.Task("a", resources.TaskSpec{DependsOn: []string{"b"}}), graphtest.Task("b", resources.TaskSpec{DependsOn: []string{"a"}}), graphtest.Task("c", graphtest.Done("a")))
	assert.Equal(t, 1, status.CountUnblocked("a", s))
}

// Fitting asks for more until enough fit, and no more than there are.
func TestFitting(t *testing.T) {
	var all []status.NextTask
	for n := range 20 {
		task := &resources.Task{}
		task.Metadata.Name = fmt.Sprint(n)
		all = append(all, status.NextTask{Task: task})
	}
	for _, tt := range []struct {
		most, fit, want int
		asked           []int
	}{
		{2, 20, 2, []int{2}}, {2, 3, 2, []int{2, 8, 32}}, {2, 1, 1, []int{2, 8, 32}}, {3, 0, 0, []int{3, 12, 48}}, {0, 5, 5, []int{0}},
	} {
		var asked []int
		got := status.Fitting(tt.most, func(t *resources.Task) bool {
			n := t.Metadata.Name
			return len(n) == 2 && n >= fmt.Sprint(20-tt.fit) || tt.fit == 20
		}, func(limit int) []status.NextTask {
			asked = append(asked, limit)
			if limit == 0 || limit > len(all) {
				return all
			}
			return all[:limit]
		})
		assert.Len(t, got, tt.want)
		assert.Equal(t, tt.asked, asked)
	}
}

// The count agrees with the list that has no limit.
func TestCountReady(t *testing.T) {
	v := graphtest.SnapshotOf(
		graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive}), graphtest.Plan("draft", resources.WorkPlanSpec{State: resources.PlanDraft}),
		graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", Priority: "high"}), graphtest.Task("b", resources.TaskSpec{WorkPlan: "p"}),
		graphtest.Task("later", resources.TaskSpec{WorkPlan: "p", PlanAhead: true}), graphtest.Task("blocked", resources.TaskSpec{WorkPlan: "p", DependsOn: []string{"a"}}),
		graphtest.Task("c", resources.TaskSpec{WorkPlan: "draft"}))
	for plan, want := range map[string]int{"": 3, "p": 2, "draft": 1} {
		assert.Equal(t, want, status.CountReady(plan, v), plan)
	}
	assert.Len(t, status.NextTasks(v, 0), 3)
}
