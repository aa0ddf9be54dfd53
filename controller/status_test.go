package controller

import (
	"context"
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
	"github.com/idumb-dev/idumb/resources/status"
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
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("a")), ready("True")))
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("b")), ready("True")))
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
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("a")), ready("False")))
		require.NoError(t, m.WaitSettled(t.Context()))
		require.NoError(t, json.Unmarshal([]byte(s.status(taskKey("a"))), &a))
		assert.Equal(t, began, a.Conditions[0].LastTransitionTime, "did not flip")
		assert.Equal(t, resources.NewTime(time.Now()), a.Conditions[1].LastTransitionTime, "flipped")

		path := s.root.Abs(layout.StatusPath(taskKey("a")))
		before, err := os.Stat(path)
		require.NoError(t, err)
		changes := len(s.changes)
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("a")), ready("False")))
		require.NoError(t, m.WaitSettled(t.Context()))
		after, err := os.Stat(path)
		require.NoError(t, err)
		assert.True(t, os.SameFile(before, after))
		assert.Len(t, s.changes, changes, "nothing changed, nobody is told")

		assert.True(t, IsTerminal(c.WriteStatus(t.Context(), c.Revision(taskKey("a")), resources.TaskStatus{})), "not a pointer")
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("none")), ready("True")))
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

// A loop that is slow may end when the object is another one, or when its phase has followed from
// another one: the older status must not stand beside the newer spec, nor in place of the newer phase.
func TestAnOlderStatusDoesNotReplaceANewerOne(t *testing.T) {
	for _, test := range []struct {
		name, waiting string // the file of b at first
		change        resources.Key
		file          string
	}{
		{"its own file changed", task("planned"), taskKey("b"), task("active")},
		{"what it waits for is done", task("planned", "a"), taskKey("a"), task("completed")},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				s.plan()
				s.write(taskKey("a"), task("planned"))
				s.write(taskKey("b"), test.waiting)
				slow, derived, goOn, wrote := false, make(chan struct{}), make(chan struct{}), make(chan struct{})
				table := s.table()
				phase, statuses := table[0], table[0]
				phase.New = func(c Client) Reconciler {
					return Func(func(_ context.Context, key resources.Key) (Result, error) {
						derived, _ := status.DeriveTask(mustTask(c, key), c)
						c.SetPhase(key, derived.Phase, derived.Ready)
						return Result{}, nil
					})
				}
				statuses.Rank = 1
				statuses.New = func(c Client) Reconciler {
					return Func(func(ctx context.Context, key resources.Key) (Result, error) {
						seen := c.Revision(key)
						wanted, _ := status.DeriveTask(seen.Object.(*resources.Task), c)
						if !slow || key != taskKey("b") {
							return Result{}, c.WriteStatus(ctx, seen, &wanted)
						}
						slow = false
						derived <- struct{}{}
						<-goOn
						err := c.WriteStatus(ctx, seen, &wanted)
						wrote <- struct{}{}
						<-goOn
						return Result{}, err
					})
				}
				m := s.run([]Registration{phase, statuses})
				c := m.Client("test")
				slow = true
				s.write(taskKey("b"), test.waiting+"\n") // another revision of the same
				s.hints <- taskKey("b")
				<-derived
				s.write(test.change, test.file)
				s.hints <- test.change
				synctest.Wait()
				newer, _ := status.DeriveTask(mustTask(c, taskKey("b")), c)
				before := string(c.Status(taskKey("b")))
				goOn <- struct{}{}
				<-wrote
				assert.Equal(t, newer.Phase, c.(*client).cache.get(taskKey("b")).phase, "the phase has followed, and stays")
				assert.Equal(t, before, string(c.Status(taskKey("b"))), "what is about an older spec is not written")
				goOn <- struct{}{}
				require.NoError(t, m.WaitSettled(t.Context()))
				assert.Equal(t, newer.Phase, s.phase(taskKey("b")))
			})
		})
	}
}

func mustTask(c Client, key resources.Key) *resources.Task {
	task, _ := c.Task(key.Name)
	return task
}
