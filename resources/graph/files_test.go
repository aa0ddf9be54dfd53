package graph_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Whichever files a glob matches, the task that names it is found by each of them.
func TestFileTasks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	join := func(names ...string) string {
		path := make([]string, 1+r.IntN(4))
		for i := range path {
			path[i] = names[r.IntN(len(names))]
		}
		return strings.Join(path, "/")
	}
	var objects []resources.Object
	globs := map[string]string{}
	for i := range 600 {
		name := "t" + strings.Repeat("i", i)
		glob := []string{"", "", "./"}[r.IntN(3)] + join("a", "b", "*", "**", "?", "[ab]", "{a,b/c}", `\a`, "b*", "") + []string{"", "", "/"}[r.IntN(3)]
		globs[name] = glob
		spec := resources.TaskSpec{Paths: []string{"x", glob}}
		switch i % 3 {
		case 1:
			spec = resources.TaskSpec{FileLocks: []string{glob}}
		case 2:
			spec = resources.TaskSpec{Evidence: []resources.EvidenceItem{{Command: "go test"}, {File: glob}}}
		}
		objects = append(objects, graphtest.Task(name, spec))
	}
	view := graph.NewSnapshot(graph.SnapshotInput{Objects: objects})
	met := 0
	for range 200 {
		file := join("a", "b", "c", "bb")
		found := view.FileTasks(file)
		assert.IsIncreasing(t, found)
		for name, glob := range globs {
			if resources.MatchGlob(glob, file) || strings.HasSuffix(glob, "/") && strings.HasPrefix(file, glob) {
				met++
				assert.Contains(t, found, name, "%s by %s", file, glob)
			}
		}
		assert.Less(t, len(found), len(objects))
	}
	assert.Greater(t, met, 1000)
	assert.Equal(t, []string{"t"}, graph.NewSnapshot(graph.SnapshotInput{Objects: objects[:1]}).FileTasks("x"))
	done := graphtest.Task("done", resources.TaskSpec{Paths: []string{"x"}, State: resources.TaskFailed})
	assert.Empty(t, graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{done}}).FileTasks("x"), "of one that is not open")
}
