package controller

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func TestWriteStatusFillsInWhatTheMachineryKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.write(taskKey("a"), task("active"))
		s.write(taskKey("b"), `{"metadata": {"uid": "11111111-2222-3333-4444-555555555555"}, "spec": {"workPlan": "p", "expectedOutput": "x"}}`)
		m := s.run(nil)
		c := m.Client("test")
		ready := func(status string) *resources.TaskStatus {
			return &resources.TaskStatus{Common: resources.Common{Phase: "active", Conditions: []resources.Condition{
				{Type: "Ready", Status: status, Reason: "R"}, {Type: "Blocked", Status: "True", Reason: "B"},
			}}}
		}
		require.NoError(t, c.WriteStatus(t.Context(), taskKey("a"), ready("True")))
		require.NoError(t, c.WriteStatus(t.Context(), taskKey("b"), ready("True")))
		require.NoError(t, m.WaitSettled(t.Context()))
		var a, b resources.TaskStatus
		require.NoError(t, json.Unmarshal([]byte(s.status(taskKey("a"))), &a))
		require.NoError(t, json.Unmarshal([]byte(s.status(taskKey("b"))), &b))
		assert.Equal(t, resources.Revision([]byte(task("active"))), a.ObservedRevision)
		assert.Equal(t, resources.DerivedUID(taskKey("a")), a.UID)
		assert.Empty(t, b.UID, "the file has one")
		assert.Equal(t, "Blocked", a.Conditions[0].Type, "sorted")
		began := a.Conditions[0].LastTransitionTime

		time.Sleep(time.Hour)
		require.NoError(t, c.WriteStatus(t.Context(), taskKey("a"), ready("False")))
		require.NoError(t, m.WaitSettled(t.Context()))
		require.NoError(t, json.Unmarshal([]byte(s.status(taskKey("a"))), &a))
		assert.Equal(t, began, a.Conditions[0].LastTransitionTime, "did not flip")
		assert.Equal(t, resources.NewTime(time.Now()), a.Conditions[1].LastTransitionTime, "flipped")

		path := s.root.Abs(layout.StatusPath(taskKey("a")))
		before, err := os.Stat(path)
		require.NoError(t, err)
		changes := len(s.changes)
		require.NoError(t, c.WriteStatus(t.Context(), taskKey("a"), ready("False")))
		require.NoError(t, m.WaitSettled(t.Context()))
		after, err := os.Stat(path)
		require.NoError(t, err)
		assert.True(t, os.SameFile(before, after))
		assert.Len(t, s.changes, changes, "nothing changed, nobody is told")

		assert.True(t, IsTerminal(c.WriteStatus(t.Context(), taskKey("a"), resources.TaskStatus{})), "not a pointer")
		require.NoError(t, c.WriteStatus(t.Context(), taskKey("none"), ready("True")))
		require.NoError(t, m.WaitSettled(t.Context()))
		assert.Empty(t, s.status(taskKey("none")), "there is no such object")
	})
}

// What is read line by line must be what decoding would give.
func TestStatusesAreReadAsTheyAreWritten(t *testing.T) {
	now := resources.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	for _, status := range []any{
		&resources.TaskStatus{},
		&resources.TaskStatus{Ready: true},
		&resources.TaskStatus{Common: resources.Common{Phase: "blocked", Conditions: []resources.Condition{
			{Type: "Blocked", Status: "True", LastTransitionTime: now, Reason: "X", Message: "a \"quoted\"\n    }\n  ]\n  \"ready\": true message"},
			{Type: "Ready", Status: "False", LastTransitionTime: now, Reason: "Y"},
		}}, BlockedBy: []string{"\"ready\": true"}},
		&resources.WorkPlanStatus{Common: resources.Common{Phase: "active", Conditions: []resources.Condition{{Type: "Ready", Status: "True", Reason: "Z"}}}},
		&resources.SessionStatus{Common: resources.Common{Phase: "made up"}},
	} {
		data, err := resources.EncodeStatus(status)
		require.NoError(t, err)
		var want struct {
			Phase      string                `json:"phase"`
			Ready      bool                  `json:"ready"`
			Conditions []resources.Condition `json:"conditions"`
		}
		require.NoError(t, json.Unmarshal(data, &want))
		got := readStatus(data)
		assert.Equal(t, want.Phase, got.phase)
		assert.Equal(t, want.Ready, got.ready)
		for i := range want.Conditions {
			want.Conditions[i].Reason, want.Conditions[i].Message = "", ""
		}
		assert.Equal(t, want.Conditions, oldConditions(data))
	}
}

// FuzzReadStatus: a status file may hold anything.
func FuzzReadStatus(f *testing.F) {
	f.Add([]byte("{\n  \"phase\": \"active\",\n  \"conditions\": [\n    {\n      \"type\": \"Ready\"\n    }\n  ]\n}\n"))
	f.Add([]byte("\n  \"phase\": \""))
	f.Fuzz(func(t *testing.T, data []byte) {
		readStatus(data)
		for _, c := range oldConditions(data) {
			require.False(t, strings.ContainsAny(c.Type+c.Status, "\""))
		}
	})
}
