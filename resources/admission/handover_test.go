package admission

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/graph"
)

// handOvers is a Snapshot with roles.
type handOvers struct {
	*graph.Snapshot
	roles map[string]*resources.Role
}

func (handOvers) MayCircle(resources.Key) bool { return true }

func (h handOvers) Original() Objects { return h }

func (handOvers) OtherLease(*resources.Task, string) *resources.Lease { return nil }

func (handOvers) CameActive(*resources.Task) bool { return false }

func (h handOvers) RoleNamed(agent string) *resources.Role { return h.roles[agent] }

func role(name string, level int, delegatesTo ...string) *resources.Role {
	r := &resources.Role{}
	r.Metadata.Name, r.Spec.Level, r.Spec.DelegatesTo = name, level, delegatesTo
	return r
}

func made(plural string) resources.Object {
	kind, _ := resources.KindOf(plural)
	return kind.New()
}

func handOver(name, task, from, to, state string) *resources.Delegation {
	d := made(resources.Delegations).(*resources.Delegation)
	d.Metadata.Name = name
	d.Spec = resources.DelegationSpec{Task: task, From: from, To: to, State: state}
	return d
}

func TestJudgeHandOver(t *testing.T) {
	roles := map[string]*resources.Role{
		"coordinator": role("coordinator", 0, "executor", "investigator"), "executor": role("executor", 1), "investigator": role("investigator", 1),
		"general-purpose": role("executor", 1),
	}
	for _, tc := range []struct {
		name   string
		before []*resources.Delegation
		made   *resources.Delegation
		want   apierrors.Cause // "": it may be
	}{
		{"downwards", nil, handOver("n", "form", "coordinator", "executor", ""), ""},
		{"to an agent of a role", nil, handOver("n", "form", "coordinator", "general-purpose", ""), ""},
		{"to somebody unknown", nil, handOver("n", "form", "coordinator", "anna", ""), ""},
		{"a task that is over", nil, handOver("n", "over", "coordinator", "executor", ""), TaskEnded},
		{"a task that is blocked", nil, handOver("n", "waits", "coordinator", "executor", ""), Waiting},
		{"upwards", nil, handOver("n", "form", "executor", "coordinator", ""), Upwards},
		{"beside the role's own", nil, handOver("n", "form", "coordinator", "coordinator", ""), NotTheirs},
		{"to oneself", nil, handOver("n", "form", "executor", "executor", ""), InCircle},
		{"assigned to another role", nil, handOver("n", "assigned", "coordinator", "executor", ""), Assigned},
		{"assigned to that role", nil, handOver("n", "assigned", "coordinator", "investigator", ""), ""},
		{"somebody has it", []*resources.Delegation{handOver("d1", "form", "coordinator", "executor", "")}, handOver("n", "form", "coordinator", "investigator", ""), Delegated},
		{"somebody had it", []*resources.Delegation{handOver("d1", "form", "coordinator", "executor", "recalled")}, handOver("n", "form", "coordinator", "investigator", ""), ""},
		{"handed on", []*resources.Delegation{handOver("d1", "form", "coordinator", "executor", "accepted")}, handOver("n", "form", "executor", "investigator", ""), ""},
		{"handed back to the giver", []*resources.Delegation{handOver("d1", "form", "anna", "bert", "")}, handOver("n", "form", "bert", "anna", ""), InCircle},
		{"a circle of three", []*resources.Delegation{handOver("d1", "form", "anna", "bert", ""), handOver("d2", "form", "bert", "carl", "")}, handOver("n", "form", "carl", "anna", ""), InCircle},
		{"three deep", []*resources.Delegation{handOver("d1", "form", "a", "b", ""), handOver("d2", "form", "b", "c", "")}, handOver("n", "form", "c", "d", ""), ""},
		{"four deep", []*resources.Delegation{handOver("d1", "form", "a", "b", ""), handOver("d2", "form", "b", "c", ""), handOver("d3", "form", "c", "d", "")}, handOver("n", "form", "d", "e", ""), TooDeep},
	} {
		t.Run(tc.name, func(t *testing.T) {
			objects := []resources.Object{
				task("form", resources.TaskPlanned, ""), task("over", resources.TaskCompleted, ""), task("assigned", resources.TaskPlanned, "investigator"),
			}
			plan := made(resources.WorkPlans).(*resources.WorkPlan)
			plan.Metadata.Name, plan.Spec.State = "p", resources.PlanActive
			waits := task("waits", resources.TaskPlanned, "")
			waits.Spec.DependsOn = []string{"form"}
			objects = append(objects, plan, waits)
			for _, o := range objects {
				if t, ok := o.(*resources.Task); ok {
					t.Spec.WorkPlan = "p"
				}
			}
			for _, d := range tc.before {
				objects = append(objects, d)
			}
			err := judgeHandOver(tc.made, Author{}, handOvers{graph.NewSnapshot(graph.SnapshotInput{Objects: objects}), roles})
			if tc.want == "" {
				require.NoError(t, err)
				return
			}
			var r *apierrors.Refusal
			require.ErrorAs(t, err, &r)
			assert.Equal(t, tc.want, r.Cause, err)
			assert.NotEmpty(t, r.Step)
		})
	}
}

func task(name, state, assignedTo string) *resources.Task {
	t := made(resources.Tasks).(*resources.Task)
	t.Metadata.Name = name
	t.Spec = resources.TaskSpec{State: state, AssignedTo: assignedTo, ExpectedOutput: "x"}
	return t
}

// A plan's category says which roles take its tasks; who names none takes all.
func TestCategoriesRouteDelegations(t *testing.T) {
	for _, tc := range []struct {
		category, to string
		want         apierrors.Cause
	}{
		{"development", "executor", ""},
		{"development", "investigator", Misrouted},
		{"research", "investigator", ""},
		{"spec-kit", "investigator", ""},
		{"research", "executor", Misrouted},
		{"governance", "executor", Misrouted},
		{"governance", "helper", ""},
		{"", "executor", ""},
		{"research", "anna", ""},
	} {
		t.Run(tc.category+" to "+tc.to, func(t *testing.T) {
			plan := made(resources.WorkPlans).(*resources.WorkPlan)
			plan.Metadata.Name, plan.Spec = "p", resources.WorkPlanSpec{Title: "t", Acceptance: []string{"a"}, State: resources.PlanActive, Category: tc.category}
			task := made(resources.Tasks).(*resources.Task)
			task.Metadata.Name, task.Spec = "form", resources.TaskSpec{WorkPlan: "p", ExpectedOutput: "x"}
			roles := map[string]*resources.Role{"solo": role("solo", 0), "executor": role("executor", 2), "investigator": role("investigator", 2), "helper": role("helper", 2)}
			roles["executor"].Spec.Categories = []string{"development"}
			roles["investigator"].Spec.Categories = []string{"research", "spec-kit"}
			v := handOvers{graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{plan, task}}), roles}
			err := judgeHandOver(handOver("n", "form", "solo", tc.to, ""), Author{}, v)
			var r *apierrors.Refusal
			if tc.want == "" {
				assert.NoError(t, err)
			} else if assert.ErrorAs(t, err, &r) {
				assert.Equal(t, tc.want, r.Cause)
			}
		})
	}
}

// A delegation whose delegate is gone for long keeps nobody from taking the task over.
func TestALapsedDelegationHoldsNothing(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	plan := made(resources.WorkPlans).(*resources.WorkPlan)
	plan.Metadata.Name, plan.Spec = "p", resources.WorkPlanSpec{Title: "t", Acceptance: []string{"a"}, State: resources.PlanActive}
	task := made(resources.Tasks).(*resources.Task)
	task.Metadata.Name, task.Spec = "form", resources.TaskSpec{WorkPlan: "p", ExpectedOutput: "x"}
	for ago, want := range map[time.Duration]bool{10 * time.Minute: false, 2 * time.Hour: true} {
		s := made(resources.Sessions).(*resources.Session)
		s.Metadata.Name, s.Spec = "s", resources.SessionSpec{Delegation: "d1", EndedAt: resources.NewTime(now.Add(-ago)), LastSeenAt: resources.NewTime(now.Add(-ago))}
		v := handOvers{graph.NewSnapshot(graph.SnapshotInput{
			Objects: []resources.Object{plan, task, s, handOver("d1", "form", "coordinator", "executor", "")}, Now: now,
		}), nil}
		err := judgeHandOver(handOver("n", "form", "coordinator", "investigator", ""), Author{}, v)
		assert.Equal(t, want, err == nil, "%v: %v", ago, err)
	}
}
