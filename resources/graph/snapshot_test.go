package graph_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestSnapshot(t *testing.T) {
	kept := graphtest.Task("kept", graphtest.Done())
	kept.Origin.Revision, kept.Metadata.UID = "abc", "u1"
	problem := resources.Problem{File: ".idumb/tasks/kept.json", Line: 3, Column: 1, Reason: "bad", Remedy: "mend it"}
	s := graph.NewSnapshot(graph.SnapshotInput{
		Objects:  []resources.Object{graphtest.Task("b", resources.TaskSpec{WorkPlan: "p"}), graphtest.ActivePlan(), graphtest.Task("a", graphtest.Done()), kept},
		Problems: map[resources.Key]resources.Problem{{Kind: resources.Tasks, Name: "lost"}: problem, {Kind: resources.Tasks, Name: "kept"}: problem},
		Archived: []resources.Key{{Kind: resources.Tasks, Name: "z"}}, Now: graphtest.Noon,
	})
	assert.Equal(t, []resources.Key{{Kind: resources.Tasks, Name: "a"}, {Kind: resources.Tasks, Name: "b"}, {Kind: resources.Tasks, Name: "kept"}, {Kind: resources.Tasks, Name: "lost"}}, s.List(resources.Tasks))
	assert.Empty(t, s.List(resources.Mems))
	_, ok := s.Get(resources.Key{Kind: resources.Tasks, Name: "lost"})
	assert.False(t, ok)
	assert.True(t, s.Exists(resources.Key{Kind: resources.Tasks, Name: "lost"}))
	assert.False(t, s.Exists(resources.Key{Kind: resources.Tasks, Name: "z"}))
	assert.True(t, s.Archived(resources.Key{Kind: resources.Tasks, Name: "z"}))
	assert.Len(t, s.Problems(), 2)
	assert.Equal(t, resources.DefaultConfig().MemFadingBelow, s.Settings().MemFadingBelow)

	status := s.Derived(resources.Key{Kind: resources.Tasks, Name: "kept"}).(*resources.TaskStatus)
	assert.Equal(t, resources.PhaseInvalid, status.Phase)
	assert.Equal(t, "abc", status.ObservedRevision)
	assert.Empty(t, status.UID, "it has one of its own")
	assert.Equal(t, resources.False, resources.FindCondition(status.Conditions, resources.Valid).Status)
	status = s.Derived(resources.Key{Kind: resources.Tasks, Name: "lost"}).(*resources.TaskStatus)
	assert.Equal(t, resources.PhaseInvalid, status.Phase)
	assert.Equal(t, resources.DerivedUID(resources.Key{Kind: resources.Tasks, Name: "lost"}), status.UID)

	assert.Nil(t, s.Derived(resources.Key{Kind: resources.Tasks, Name: "nobody"}))
	assert.Nil(t, s.Derived(resources.Key{Kind: "nonsense", Name: "x"}))
	trajectory := s.Derived(resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}).(*resources.TrajectoryStatus)
	assert.Equal(t, "p", trajectory.ActivePlan, "the read-head is there without a file")
	assert.Equal(t, map[string]int{resources.TaskCompleted: 1, resources.TaskPlanned: 1, resources.PhaseInvalid: 1}, s.PlanCounts("p"))
	ready := s.PlanReady("p", resources.PriorityRank(""))
	require.Len(t, ready, 1)
	assert.Equal(t, "b", ready[0].Task.Metadata.Name)
	assert.Empty(t, s.PlanReady("p", resources.PriorityRank("low")))
}

// Every kind has a status.
func TestSnapshotDerivesEveryKind(t *testing.T) {
	for _, kind := range resources.Kinds() {
		o := kind.New()
		o.Head().Metadata.Name = "x"
		if kind.Single {
			o.Head().Metadata.Name = kind.Plural
		}
		s := graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{o}, Now: graphtest.Noon})
		status := s.Derived(o.Key())
		require.NotNil(t, status, kind.Name)
		assert.IsType(t, o.StatusPointer(), status)
		assert.NotNil(t, resources.CommonOf(status))
	}
}

// What is broken in a plan keeps the plans behind it waiting, whoever counts.
func TestSnapshotCountsAgree(t *testing.T) {
	objects := []resources.Object{graphtest.ActivePlan(), graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"p"}}), graphtest.Task("a", graphtest.Done()), graphtest.Task("b", resources.TaskSpec{WorkPlan: "q"})}
	s := graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: graphtest.Noon})
	assert.Equal(t, resources.TaskPlanned, s.Derived(resources.Key{Kind: resources.Tasks, Name: "b"}).(*resources.TaskStatus).Phase)
	s = graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: graphtest.Noon, Problems: map[resources.Key]resources.Problem{{Kind: resources.Tasks, Name: "a"}: {Reason: "bad"}}})
	assert.Equal(t, resources.TaskBlocked, s.Derived(resources.Key{Kind: resources.Tasks, Name: "b"}).(*resources.TaskStatus).Phase)
	assert.Equal(t, resources.PlanBlocked, s.Derived(resources.Key{Kind: resources.WorkPlans, Name: "q"}).(*resources.WorkPlanStatus).Phase)
}

func TestSnapshotFromManyGoroutines(t *testing.T) {
	objects := []resources.Object{graphtest.ActivePlan()}
	for i := range 200 {
		objects = append(objects, graphtest.Task(fmt.Sprintf("t%03d", i), resources.TaskSpec{WorkPlan: "p", DependsOn: []string{fmt.Sprintf("t%03d", i/2)}}))
	}
	s := graphtest.SnapshotOf(objects...)
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for _, kind := range []string{resources.WorkPlans, resources.Tasks} {
				for _, key := range s.List(kind) {
					assert.NotNil(t, s.Derived(key))
				}
			}
			status.NextTasks(s, 5)
		})
	}
	running.Wait()
}

// Next is the moment at which a status changes by itself: not before it, and then.
func TestNextMomentIsExact(t *testing.T) {
	sixty := 60
	objects := []resources.Object{
		graphtest.CreatedAt(graphtest.Mem("m", resources.MemSpec{}), graphtest.Noon.Add(-36*time.Hour)), graphtest.CreatedAt(graphtest.Mem("n", resources.MemSpec{Type: resources.FalsePath, Confidence: &sixty}), graphtest.Noon),
		graphtest.CreatedAt(graphtest.Mem("o", resources.MemSpec{StaleAfter: "24h"}), graphtest.Noon.Add(-1000*time.Hour)),
		graphtest.CreatedAt(graphtest.Anchor("a", resources.AnchorSpec{}), graphtest.Noon.Add(-47*time.Hour)), graphtest.CreatedAt(graphtest.Anchor("b", resources.AnchorSpec{Pinned: true}), graphtest.Noon.Add(-30*time.Minute)),
		graphtest.Session("s", resources.SessionSpec{LastSeenAt: resources.NewTime(graphtest.Noon)}),
		graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", State: resources.TaskActive}), graphtest.ActivePlan(),
	}
	objects[6].Source().ModTime = graphtest.Noon.Add(-time.Hour)
	for _, o := range objects {
		now := graphtest.Noon
		for range 5 {
			status, next := statusAt(t, now, o, objects)
			if next.IsZero() {
				break
			}
			require.True(t, next.After(now), "%s: %s is not after %s", o.Key(), next, now)
			before, _ := statusAt(t, next.Add(-time.Nanosecond), o, objects)
			assert.Equal(t, status, before, "%s changed before %s", o.Key(), next)
			after, _ := statusAt(t, next, o, objects)
			if o.Key().Kind != resources.Sessions { // their last moment is the archive's, not the status's
				assert.NotEqual(t, status, after, "%s did not change at %s", o.Key(), next)
			}
			now = next
		}
	}
}

func statusAt(t *testing.T, now time.Time, o resources.Object, objects []resources.Object) (string, time.Time) {
	t.Helper()
	s := graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: now})
	data, err := resources.EncodeStatus(s.Derived(o.Key()))
	require.NoError(t, err)
	_, next := graph.Derive(o, s)
	return string(data), next
}
