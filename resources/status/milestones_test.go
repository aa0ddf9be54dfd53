package status_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestTurningPoints(t *testing.T) {
	at := func(minute int) resources.Time {
		return resources.NewTime(time.Date(2026, 1, 1, 10, minute, 0, 0, time.UTC))
	}
	plan := &resources.WorkPlan{Header: resources.Header{Metadata: resources.Meta{Name: "p", CreationTimestamp: at(0)}}, Spec: resources.WorkPlanSpec{Title: "P", Met: []resources.Criterion{{Criterion: "c", At: at(9)}}}}
	given := func(minute int, to, state string) *resources.Delegation {
		return &resources.Delegation{Header: resources.Header{Metadata: resources.Meta{CreationTimestamp: at(minute)}}, Spec: resources.DelegationSpec{Task: "a", To: to, State: state}}
	}
	turns := status.TurningPoints(status.History{
		Plan: plan, Tasks: []string{"a"},
		Delegations: map[string][]*resources.Delegation{"a": {given(4, "builder", "assigned"), given(2, "executor", "recalled")}},
		Checkpoints: map[string][]resources.Checkpoint{"a": {{Time: at(3), Tool: "write"}, {Time: at(5), Tool: resources.ToolHalt, Summary: "loop"}, {Time: at(6), Tool: "write"}}},
		Events: []resources.Event{
			{Time: at(1), Reason: "ContextSwitched", Object: "trajectory/trajectory", Message: status.FocusMessage("p")},
			{Time: at(1), Reason: "ContextSwitched", Object: "trajectory/trajectory", Message: status.FocusMessage("q")},
			{Time: at(7), Reason: resources.ChainBroken, Object: "task/a"}, {Time: at(7), Reason: "Started", Object: "task/a"}, {Time: at(7), Reason: "Failed", Object: "task/other"},
			{Time: at(10), Reason: "Completed", Object: "workplan/p"},
		},
	})
	var whats []string
	for _, turn := range turns {
		whats = append(whats, turn.Kind)
	}
	assert.Equal(t, []string{"planned", "in focus", "started", "redirected", "halted", "chain broken", "criterion met", "completed"}, whats)
	assert.Equal(t, "from executor to builder", turns[3].Text)
}
