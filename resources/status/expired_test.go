package status_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// ended returns the record of a session that worked under delegation d.
func ended(ago time.Duration) resources.SessionSpec {
	at := resources.NewTime(graphtest.Noon.Add(-ago))
	return resources.SessionSpec{Delegation: "d", LastSeenAt: at, EndedAt: at}
}

// TestDelegateGone: sessions that are over leave a delegation behind; after the grace it
// has lapsed. Its task says so as long as nobody else has it.
func TestDelegateGone(t *testing.T) {
	seen := func(ago time.Duration) resources.SessionSpec {
		return resources.SessionSpec{Delegation: "d", LastSeenAt: resources.NewTime(graphtest.Noon.Add(-ago))}
	}
	for _, test := range []struct {
		name     string
		state    string
		task     string
		sessions []resources.SessionSpec
		more     []resources.Object
		phase    string
		reason   string // of the condition; "" if it does not hold
		onTask   bool
		returned bool          // the task, if it is active, is planned again
		next     time.Duration // from now
	}{
		{name: "nobody ever worked under it", phase: "assigned"},
		{name: "somebody does", sessions: []resources.SessionSpec{seen(time.Minute)}, phase: "accepted", next: 48*time.Hour - time.Minute},
		{name: "somebody else does", sessions: []resources.SessionSpec{ended(3 * time.Hour), seen(time.Minute)}, phase: "accepted", next: 48*time.Hour - time.Minute},
		{name: "it ended", sessions: []resources.SessionSpec{ended(10 * time.Minute)}, phase: "accepted", reason: "SessionEnded", onTask: true, next: 50 * time.Minute},
		{name: "it ended long ago", sessions: []resources.SessionSpec{ended(3 * time.Hour)}, phase: status.DelegationLapsed, reason: "Lapsed", onTask: true, returned: true},
		{name: "the last of them ended", sessions: []resources.SessionSpec{ended(3 * time.Hour), ended(time.Minute)}, phase: "accepted", reason: "SessionEnded", onTask: true, next: 59 * time.Minute},
		{name: "nothing was heard of it for days", sessions: []resources.SessionSpec{seen(60 * time.Hour)}, phase: status.DelegationLapsed, reason: "Lapsed", onTask: true, returned: true},
		{name: "it was recalled", state: "recalled", sessions: []resources.SessionSpec{ended(3 * time.Hour)}, phase: "recalled"},
		{name: "its task is over", task: resources.TaskFailed, sessions: []resources.SessionSpec{ended(3 * time.Hour)}, phase: "done"},
		{name: "somebody else has the task", sessions: []resources.SessionSpec{ended(3 * time.Hour)}, phase: status.DelegationLapsed, reason: "Lapsed",
			more: []resources.Object{graphtest.Delegation("e", resources.DelegationSpec{Task: "t", From: "ann", To: "cora"})}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := graphtest.Delegation("d", resources.DelegationSpec{Task: "t", From: "ann", To: "bob", State: test.state})
			task := graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", ExpectedOutput: "x", State: test.task})
			objects := append([]resources.Object{d, task, graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive})}, test.more...)
			for i, s := range test.sessions {
				objects = append(objects, graphtest.Session("s"+string(rune('0'+i)), s))
			}
			v := graphtest.SnapshotOf(objects...)
			st, next := status.DeriveDelegation(d, v)
			assert.Equal(t, test.phase, st.Phase)
			reason := ""
			if c := resources.FindCondition(st.Conditions, resources.DelegateGone); c != nil {
				reason = c.Reason
			}
			assert.Equal(t, test.reason, reason)
			assert.Equal(t, test.phase == status.DelegationLapsed, status.IsExpired(d, v) && status.LiveTask(task))
			if test.next == 0 {
				assert.Zero(t, next)
			} else {
				assert.Equal(t, graphtest.Noon.Add(test.next), next)
			}
			derived, _ := status.DeriveTask(task, v)
			assert.Equal(t, test.onTask, resources.IsTrue(derived.Conditions, resources.DelegateGone))
			if test.task != "" {
				return
			}
			task.Spec.State = resources.TaskActive
			derived, _ = status.DeriveTask(task, v)
			assert.Equal(t, test.returned, derived.Phase == resources.TaskPlanned)
			assert.Equal(t, test.returned, derived.Ready)
			assert.Equal(t, test.returned, status.WasReturned("t", v))
		})
	}
}

// TestGiverGone: a delegation that no session took on lapses when the lease of its giver does. Sessions above the
// giver count, for they go on with what it gave.
func TestGiverGone(t *testing.T) {
	seen := func(ago time.Duration, parent string) resources.SessionSpec {
		return resources.SessionSpec{Parent: parent, LastSeenAt: resources.NewTime(graphtest.Noon.Add(-ago))}
	}
	for _, test := range []struct {
		name   string
		maker  string
		ended  time.Duration // since the end of its delegate; 0 means that it has none
		giver  resources.SessionSpec
		phase  string
		reason string
		next   time.Duration
	}{
		{name: "a user gave it", giver: seen(time.Hour, ""), phase: "assigned"},
		{name: "a session of another machine", maker: "elsewhere", phase: "assigned"},
		{name: "works on", maker: "giver", giver: seen(10*time.Minute, ""), phase: "assigned", next: 20 * time.Minute},
		{name: "crashed", maker: "giver", giver: seen(30*time.Minute, ""), phase: status.DelegationLapsed, reason: "GiverGone"},
		{name: "works on after its delegate ended", maker: "giver", giver: seen(10*time.Minute, ""), ended: time.Minute, phase: "accepted", next: 20 * time.Minute},
		{name: "works on, and its delegate ended long ago", maker: "giver", giver: seen(10*time.Minute, ""), ended: 2 * time.Hour, phase: status.DelegationLapsed, reason: "Lapsed"},
		{name: "crashed after its delegate ended", maker: "giver", giver: seen(40*time.Minute, ""), ended: 50 * time.Minute, phase: "accepted", reason: "SessionEnded", next: 10 * time.Minute},
		{name: "crashed, and what started it works on", maker: "giver", giver: seen(time.Hour, "above"), phase: "assigned", next: 25 * time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := graphtest.Delegation("d", resources.DelegationSpec{Task: "t", From: "ann", To: "bob"})
			if test.maker != "" {
				d.Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: test.maker}
			}
			task := graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", ExpectedOutput: "x", State: resources.TaskActive})
			objects := []resources.Object{d, task, graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive}),
				graphtest.Session("giver", test.giver), graphtest.Session("above", seen(5*time.Minute, "giver"))}
			if test.ended > 0 {
				objects = append(objects, graphtest.Session("delegate", ended(test.ended)))
			}
			v := graphtest.SnapshotOf(objects...)
			st, next := status.DeriveDelegation(d, v)
			assert.Equal(t, test.phase, st.Phase)
			if test.next > 0 {
				assert.Equal(t, graphtest.Noon.Add(test.next), next)
			} else {
				assert.Zero(t, next)
			}
			if c := resources.FindCondition(st.Conditions, resources.DelegateGone); test.reason != "" {
				assert.Equal(t, test.reason, c.Reason)
			}
			derived, _ := status.DeriveTask(task, v)
			want := resources.TaskActive // who started the task goes on
			if test.reason == "Lapsed" {
				want = resources.TaskPlanned
			}
			assert.Equal(t, want, derived.Phase)
		})
	}
}
