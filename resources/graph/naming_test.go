package graph_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Mems are found by each file that they cite, apply to or speak of, and by few others.
func TestMemsNamingAFile(t *testing.T) {
	mems := map[string]resources.MemSpec{
		"cites":     {Content: "x", Evidence: []resources.MemEvidence{{Path: "src/a.go", Section: "A"}}},
		"cites-all": {Content: "x", Evidence: []resources.MemEvidence{{Path: "src/*.go"}}},
		"applies":   {Content: "x", AppliesWhen: &resources.AppliesWhen{Paths: []string{"src/*.go"}}},
		"folder":    {Content: "x", AppliesWhen: &resources.AppliesWhen{Paths: []string{"src/**"}}},
		"speaks":    {Content: "Look at `./src/a.go:12`."},
		"title":     {Title: "src/a.go", Content: "x"},
	}
	var objects []resources.Object
	for name, spec := range mems {
		objects = append(objects, graphtest.Mem(name, spec))
	}
	for i := range 50 {
		objects = append(objects, graphtest.Mem(fmt.Sprintf("other%d", i), resources.MemSpec{Content: fmt.Sprintf("lib/%d.go", i)}))
	}
	view := graph.NewSnapshot(graph.SnapshotInput{Objects: objects})
	assert.Equal(t, []string{"applies", "cites", "cites-all", "folder", "speaks", "title"}, view.Naming(resources.Mems, "src/a.go"))
	assert.Equal(t, []string{"applies", "cites-all", "folder"}, view.Naming(resources.Mems, "src/b.go"))
	assert.Empty(t, view.Naming(resources.Mems, "b.go"))
	assert.Empty(t, view.Naming(resources.Anchors, "src/a.go"))
}
