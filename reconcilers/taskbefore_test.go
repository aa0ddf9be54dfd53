package reconcilers

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// seen is what reconcileTask asks of an old status.
type seen struct {
	phase              string
	started, completed time.Time
	broken, stale      bool
}

func seenIn(s resources.TaskStatus) seen {
	return seen{
		s.Phase, s.StartedAt.Time, s.CompletedAt.Time,
		resources.IsTrue(s.Conditions, resources.ChainBroken), resources.IsTrue(s.Conditions, resources.Stale),
	}
}

func decodedTask(data []byte) (status resources.TaskStatus) {
	if json.Unmarshal(data, &status) != nil {
		return resources.TaskStatus{}
	}
	return status
}

func TestTaskBeforeIsWhatDecodingSays(t *testing.T) {
	at := resources.NewTime(time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC))
	condition := func(name string) []resources.Condition {
		return []resources.Condition{{Type: name, Status: resources.True, Reason: "Because", Message: `of "phase" and "startedAt"`, LastTransitionTime: at}}
	}
	for name, status := range map[string]resources.TaskStatus{
		"nothing":         {},
		"planned":         {Common: resources.Common{Phase: resources.TaskPlanned}, Ready: true},
		"blocked":         {Common: resources.Common{Phase: resources.TaskBlocked, Conditions: condition(resources.Blocked)}, BlockedBy: []string{"phase", "startedAt", "completedAt"}},
		"named as fields": {Common: resources.Common{UID: "x"}, BlockedBy: []string{"phase"}, StartedAt: at},
		"active":          {Common: resources.Common{Phase: resources.TaskActive}, StartedAt: at},
		"completed":       {Common: resources.Common{Phase: resources.TaskCompleted}, StartedAt: at, CompletedAt: at},
		"broken":          {Common: resources.Common{Phase: resources.TaskBlocked, Conditions: condition(resources.ChainBroken)}},
		"stale":           {Common: resources.Common{Phase: resources.TaskActive, Conditions: condition(resources.Stale)}, StartedAt: at},
	} {
		data, err := resources.EncodeStatus(&status)
		require.NoError(t, err)
		assert.Equal(t, seenIn(status), seenIn(taskBefore(data)), name)
		line, err := json.Marshal(status)
		require.NoError(t, err)
		assert.Equal(t, seenIn(status), seenIn(taskBefore(line)), "%s, laid out by somebody else", name)
	}
	for _, data := range []string{"", "{", "null", `{"phase": 1}`, "{\n  \"startedAt\": \"yesterday\"\n}\n", "{\n  \"phase\": \"a\\u0062\"\n}\n"} {
		assert.Equal(t, seenIn(decodedTask([]byte(data))), seenIn(taskBefore([]byte(data))), data)
	}
}

// FuzzTaskBefore: what the hook or a person made of a status file, once laid out as commands
// do, is read as encoding/json reads it.
func FuzzTaskBefore(f *testing.F) {
	f.Add([]byte(`{"phase":"active","startedAt":"2026-02-03T04:05:06Z","conditions":[{"type":"Stale","status":"True"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var status resources.TaskStatus
		if json.Unmarshal(data, &status) != nil {
			return
		}
		written, err := resources.EncodeStatus(&status)
		if err != nil {
			return
		}
		assert.Equal(t, seenIn(decodedTask(written)), seenIn(taskBefore(written)))
	})
}
