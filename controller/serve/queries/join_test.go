package queries

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

func TestJoinTakesOverTheTimesOfWhatHasNotChanged(t *testing.T) {
	at := resources.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	computed := &resources.TaskStatus{Common: resources.Common{Phase: "active", Conditions: []resources.Condition{
		{Type: "Ready", Status: "False"}, {Type: "Blocked", Status: "True"},
	}}}
	file := []byte(`{"phase": "active", "startedAt": "2026-01-02T03:04:05Z", "conditions": [
		{"type": "Blocked", "status": "True", "lastTransitionTime": "2026-01-02T03:04:05Z"},
		{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-02T03:04:05Z"}]}`)

	joined := Join(computed, file).(*resources.TaskStatus)
	assert.Equal(t, at, joined.StartedAt)
	assert.Equal(t, []resources.Condition{
		{Type: "Blocked", Status: "True", LastTransitionTime: at},
		{Type: "Ready", Status: "False"}, // it flipped since: nobody has seen when
	}, joined.Conditions)
	assert.Zero(t, computed.Conditions[1].LastTransitionTime, "what was computed is shared and stays as it is")

	computed.Phase = "review"
	assert.Zero(t, Join(computed, file).(*resources.TaskStatus).StartedAt, "another phase: the file is about something else")
	for _, bad := range []string{"", "{", "[]", `{"conditions": 7}`} {
		assert.Equal(t, "review", Join(computed, []byte(bad)).(*resources.TaskStatus).Phase, "a status file that cannot be read counts as none")
	}
	assert.Nil(t, Join(nil, nil))
}
