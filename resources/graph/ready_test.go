package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// texts is a Reader over files without an index, as a hook without a controller has it.
type texts map[resources.Key]resources.Object

func (r texts) Get(key resources.Key) (resources.Object, graph.State) {
	if o := r[key]; o != nil {
		return o, graph.Good
	}
	return nil, graph.Missing
}

func (r texts) Names(kind string) (names []string) {
	for key := range r {
		if key.Kind == kind {
			names = append(names, key.Name)
		}
	}
	slices.Sort(names)
	return names
}

func (r texts) Mentioning(kind string, terms ...graph.Term) ([]string, bool) {
	return slices.DeleteFunc(r.Names(kind), func(name string) bool {
		text, err := resources.Encode(r[resources.Key{Kind: kind, Name: name}])
		return err != nil || !graph.MayHold(text, terms...)
	}), false
}

func (texts) Evidence(string) *status.Evidence { return &status.Evidence{} }

// The gate proposes tasks in the order of `idumb next`, with an index and without one.
func TestReadyTasksAsNext(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		objects := []resources.Object{
			graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive}), graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanActive}), graphtest.Plan("sketch", resources.WorkPlanSpec{}),
		}
		if r.IntN(2) == 0 {
			head := resources.New[*resources.Trajectory](resources.Trajectories, resources.TrajectoryName)
			head.Spec.ActivePlan = "q"
			objects = append(objects, head)
		}
		for i := range 40 {
			spec := resources.TaskSpec{WorkPlan: []string{"p", "p", "q", "sketch"}[r.IntN(4)], Priority: []string{"", "", "high"}[r.IntN(3)], PlanAhead: r.IntN(9) == 0}
			if i > 4 && r.IntN(3) == 0 {
				spec.DependsOn = []string{fmt.Sprintf("t%02d", r.IntN(i))}
			} else if i > 4 && r.IntN(4) == 0 {
				spec.TemporalGate = &resources.TemporalGate{After: fmt.Sprintf("t%02d", r.IntN(i))}
			}
			objects = append(objects, graphtest.Task(fmt.Sprintf("t%02d", i), spec))
		}
		files := texts{}
		for _, o := range objects {
			files[o.Key()] = o
		}
		snapshot := graphtest.SnapshotOf(objects...)
		var want []string
		for _, next := range status.NextTasks(snapshot, 0) {
			want = append(want, next.Task.Metadata.Name)
		}
		require.Greater(t, len(want), 8)
		require.Equal(t, want, slices.Collect(snapshot.ReadyTasks()))
		require.Equal(t, want, slices.Collect(graph.New(files, snapshot.Settings(), graphtest.Noon).ReadyTasks()))
	}
}
