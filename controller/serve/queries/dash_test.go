package queries

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// A dashboard is told the false paths that agents are told, the surest first and not too many, and each task's labels.
func TestDashTellsFalsePathsAndLabels(t *testing.T) {
	avoid := func(name string, confidence int, spec resources.MemSpec) resources.Object {
		spec.Type, spec.Confidence = resources.FalsePath, &confidence
		spec.Content = "AVOID " + name
		return mem(name, spec)
	}
	objects := []resources.Object{
		avoid("low", 50, resources.MemSpec{}), avoid("high", 90, resources.MemSpec{}), mem("fact", resources.MemSpec{Content: "x"}),
		avoid("over", 90, resources.MemSpec{}), mem("instead", resources.MemSpec{Content: "y", Supersedes: "over", SupersedeReason: "it was measured"}),
	}
	kind, _ := resources.KindOf(resources.Tasks)
	task := kind.New().(*resources.Task)
	task.Metadata.Name, task.Metadata.Labels = "form", map[string]string{"area": "web"}
	s := graph.NewSnapshot(graph.SnapshotInput{Objects: append(objects, task), Now: noon})
	d, err := DashOf(FromFiles(layout.Root(t.TempDir()), s), WithEnv(map[string][]string{}, nil))
	require.NoError(t, err)
	require.Len(t, d.Avoid, 2)
	assert.Equal(t, []string{"mem/high AVOID high", "mem/low AVOID low"}, []string{d.Avoid[0].Object + " " + d.Avoid[0].Text, d.Avoid[1].Object + " " + d.Avoid[1].Text})
	assert.Equal(t, "web", d.Tasks[0].Labels["area"])
	for i := range 2 * maxAvoided {
		objects = append(objects, avoid(fmt.Sprintf("more-%d", i), 70, resources.MemSpec{}))
	}
	s = graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: noon})
	assert.Len(t, falsePaths(FromFiles(layout.Root(t.TempDir()), s)), maxAvoided)
}
