package resources

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSnapshot(t *testing.T) {
	kept := newTask("kept", done())
	kept.Origin.Revision, kept.Metadata.UID = "abc", "u1"
	problem := Problem{File: ".idumb/tasks/kept.json", Line: 3, Column: 1, Reason: "bad", Remedy: "mend it"}
	s := NewSnapshot(SnapshotInput{
		Objects:  []Object{newTask("b", TaskSpec{WorkPlan: "p"}), activePlan(), newTask("a", done()), kept},
		Problems: map[Key]Problem{{Tasks, "lost"}: problem, {Tasks, "kept"}: problem},
		Archived: []Key{{Tasks, "z"}}, Now: noon,
	})
	assert.Equal(t, []Key{{Tasks, "a"}, {Tasks, "b"}, {Tasks, "kept"}, {Tasks, "lost"}}, s.List(Tasks))
	assert.Empty(t, s.List(Mems))
	_, ok := s.Get(Key{Tasks, "lost"})
	assert.False(t, ok)
	assert.True(t, s.Exists(Key{Tasks, "lost"}))
	assert.False(t, s.Exists(Key{Tasks, "z"}))
	assert.True(t, s.Archived(Key{Tasks, "z"}))
	assert.Len(t, s.Problems(), 2)
	assert.Equal(t, DefaultConfig().MemFadingBelow, s.Settings().MemFadingBelow)

	status := s.Derived(Key{Tasks, "kept"}).(*TaskStatus)
	assert.Equal(t, PhaseInvalid, status.Phase)
	assert.Equal(t, "abc", status.ObservedRevision)
	assert.Empty(t, status.UID, "it has one of its own")
	assert.Equal(t, False, FindCondition(status.Conditions, Valid).Status)
	status = s.Derived(Key{Tasks, "lost"}).(*TaskStatus)
	assert.Equal(t, PhaseInvalid, status.Phase)
	assert.Equal(t, DerivedUID(Key{Tasks, "lost"}), status.UID)

	assert.Nil(t, s.Derived(Key{Tasks, "nobody"}))
	assert.Nil(t, s.Derived(Key{"nonsense", "x"}))
	trajectory := s.Derived(Key{Trajectories, TrajectoryName}).(*TrajectoryStatus)
	assert.Equal(t, "p", trajectory.ActivePlan, "the read-head is there without a file")
	assert.Equal(t, map[string]int{TaskCompleted: 1, TaskPlanned: 1, PhaseInvalid: 1}, s.PlanCounts("p"))
	assert.Equal(t, []string{"b"}, s.PlanReady("p"))
}

// Every kind has a status.
func TestSnapshotDerivesEveryKind(t *testing.T) {
	for _, kind := range Kinds() {
		o := kind.New()
		o.Head().Metadata.Name = "x"
		if kind.Single {
			o.Head().Metadata.Name = kind.Plural
		}
		s := NewSnapshot(SnapshotInput{Objects: []Object{o}, Now: noon})
		status := s.Derived(o.Key())
		require.NotNil(t, status, kind.Name)
		assert.IsType(t, o.StatusPointer(), status)
		assert.NotNil(t, CommonOf(status))
	}
}

// What is broken in a plan keeps the plans behind it waiting, whoever counts.
func TestSnapshotCountsAgree(t *testing.T) {
	objects := []Object{activePlan(), newPlan("q", WorkPlanSpec{State: PlanActive, DependsOn: []string{"p"}}), newTask("a", done()), newTask("b", TaskSpec{WorkPlan: "q"})}
	s := NewSnapshot(SnapshotInput{Objects: objects, Now: noon})
	assert.Equal(t, TaskPlanned, s.Derived(Key{Tasks, "b"}).(*TaskStatus).Phase)
	s = NewSnapshot(SnapshotInput{Objects: objects, Now: noon, Problems: map[Key]Problem{{Tasks, "a"}: {Reason: "bad"}}})
	assert.Equal(t, TaskBlocked, s.Derived(Key{Tasks, "b"}).(*TaskStatus).Phase)
	assert.Equal(t, PlanBlocked, s.Derived(Key{WorkPlans, "q"}).(*WorkPlanStatus).Phase)
}

func TestSnapshotFromManyGoroutines(t *testing.T) {
	objects := []Object{activePlan()}
	for i := range 200 {
		objects = append(objects, newTask(fmt.Sprintf("t%03d", i), TaskSpec{WorkPlan: "p", DependsOn: []string{fmt.Sprintf("t%03d", i/2)}}))
	}
	s := snapshotOf(objects...)
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for _, kind := range []string{WorkPlans, Tasks} {
				for _, key := range s.List(kind) {
					assert.NotNil(t, s.Derived(key))
				}
			}
			NextTasks(s, 5)
		})
	}
	running.Wait()
}

// Next is the moment at which a status changes by itself: not before it, and then.
func TestNextMomentIsExact(t *testing.T) {
	sixty := 60
	objects := []Object{
		born(newMem("m", MemSpec{}), noon.Add(-36*time.Hour)), born(newMem("n", MemSpec{Type: FalsePath, Confidence: &sixty}), noon),
		born(newMem("o", MemSpec{StaleAfter: "24h"}), noon.Add(-1000*time.Hour)),
		born(newAnchor("a", AnchorSpec{}), noon.Add(-47*time.Hour)), born(newAnchor("b", AnchorSpec{Pinned: true}), noon.Add(-30*time.Minute)),
		newSession("s", SessionSpec{LastSeenAt: NewTime(noon)}),
		newTask("t", TaskSpec{WorkPlan: "p", State: TaskActive}), activePlan(),
	}
	objects[6].Source().ModTime = noon.Add(-time.Hour)
	for _, o := range objects {
		now := noon
		for range 5 {
			status, next := statusAt(t, now, o, objects)
			if next.IsZero() {
				break
			}
			require.True(t, next.After(now), "%s: %s is not after %s", o.Key(), next, now)
			before, _ := statusAt(t, next.Add(-time.Nanosecond), o, objects)
			assert.Equal(t, status, before, "%s changed before %s", o.Key(), next)
			after, _ := statusAt(t, next, o, objects)
			if o.Key().Kind != Sessions { // their last moment is the archive's, not the status's
				assert.NotEqual(t, status, after, "%s did not change at %s", o.Key(), next)
			}
			now = next
		}
	}
}

func statusAt(t *testing.T, now time.Time, o Object, objects []Object) (string, time.Time) {
	t.Helper()
	s := NewSnapshot(SnapshotInput{Objects: objects, Now: now})
	data, err := EncodeStatus(s.Derived(o.Key()))
	require.NoError(t, err)
	return string(data), s.Next(o.Key())
}

func TestDeriveHints(t *testing.T) {
	s := snapshotOf(activePlan(),
		newTask("a", TaskSpec{WorkPlan: "p", State: TaskActive, AssignedTo: "ann", FileLocks: []string{"src/**"}}),
		newTask("b", TaskSpec{WorkPlan: "p"}), newTask("c", TaskSpec{WorkPlan: "p", DependsOn: []string{"b"}}))
	assert.Equal(t, Hints{
		ActivePlans: []string{"p"}, ActiveTasks: []HintTask{{"a", "p", "ann"}}, Ready: []string{"b"},
		Locks: map[string][]string{"a": {"src/**"}},
	}, DeriveHints(s))
}
