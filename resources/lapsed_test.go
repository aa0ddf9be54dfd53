package resources

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestDelegateGone: sessions that are over leave a delegation behind; after the grace it
// has lapsed. Its task says so as long as nobody else has it.
func TestDelegateGone(t *testing.T) {
	ended := func(ago time.Duration) SessionSpec {
		return SessionSpec{Delegation: "d", LastSeenAt: NewTime(noon.Add(-ago)), EndedAt: NewTime(noon.Add(-ago))}
	}
	seen := func(ago time.Duration) SessionSpec {
		return SessionSpec{Delegation: "d", LastSeenAt: NewTime(noon.Add(-ago))}
	}
	for _, test := range []struct {
		name     string
		state    string
		task     string
		sessions []SessionSpec
		more     []Object
		phase    string
		reason   string // of the condition; "" if it does not hold
		onTask   bool
		returned bool          // the task, if it is active, is planned again
		next     time.Duration // from now
	}{
		{name: "nobody ever worked under it", phase: "assigned"},
		{name: "somebody does", sessions: []SessionSpec{seen(time.Minute)}, phase: "accepted", next: 48*time.Hour - time.Minute},
		{name: "somebody else does", sessions: []SessionSpec{ended(3 * time.Hour), seen(time.Minute)}, phase: "accepted", next: 48*time.Hour - time.Minute},
		{name: "it ended", sessions: []SessionSpec{ended(10 * time.Minute)}, phase: "assigned", reason: "SessionEnded", onTask: true, next: 50 * time.Minute},
		{name: "it ended long ago", sessions: []SessionSpec{ended(3 * time.Hour)}, phase: DelegationLapsed, reason: "Lapsed", onTask: true, returned: true},
		{name: "the last of them ended", sessions: []SessionSpec{ended(3 * time.Hour), ended(time.Minute)}, phase: "assigned", reason: "SessionEnded", onTask: true, next: 59 * time.Minute},
		{name: "nothing was heard of it for days", sessions: []SessionSpec{seen(60 * time.Hour)}, phase: DelegationLapsed, reason: "Lapsed", onTask: true, returned: true},
		{name: "it was recalled", state: "recalled", sessions: []SessionSpec{ended(3 * time.Hour)}, phase: "recalled"},
		{name: "its task is over", task: TaskFailed, sessions: []SessionSpec{ended(3 * time.Hour)}, phase: "done"},
		{name: "somebody else has the task", sessions: []SessionSpec{ended(3 * time.Hour)}, phase: DelegationLapsed, reason: "Lapsed",
			more: []Object{newDelegation("e", DelegationSpec{Task: "t", From: "ann", To: "cora"})}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDelegation("d", DelegationSpec{Task: "t", From: "ann", To: "bob", State: test.state})
			task := newTask("t", TaskSpec{WorkPlan: "p", ExpectedOutput: "x", State: test.task})
			objects := append([]Object{d, task, newPlan("p", WorkPlanSpec{State: PlanActive})}, test.more...)
			for i, s := range test.sessions {
				objects = append(objects, newSession("s"+string(rune('0'+i)), s))
			}
			v := snapshotOf(objects...)
			status, next := DeriveDelegation(d, v)
			assert.Equal(t, test.phase, status.Phase)
			reason := ""
			if c := FindCondition(status.Conditions, DelegateGone); c != nil {
				reason = c.Reason
			}
			assert.Equal(t, test.reason, reason)
			assert.Equal(t, test.phase == DelegationLapsed, Lapsed(d, v) && LiveTask(task))
			if test.next == 0 {
				assert.Zero(t, next)
			} else {
				assert.Equal(t, noon.Add(test.next), next)
			}
			derived, _ := DeriveTask(task, v)
			assert.Equal(t, test.onTask, IsTrue(derived.Conditions, DelegateGone))
			if test.task != "" {
				return
			}
			task.Spec.State = TaskActive
			derived, _ = DeriveTask(task, v)
			assert.Equal(t, test.returned, derived.Phase == TaskPlanned)
			assert.Equal(t, test.returned, derived.Ready)
			assert.Equal(t, test.returned, Returned("t", v))
		})
	}
}
