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

// A file is passed over for a term only if its object is not found under it, however it is written.
func TestMayHold(t *testing.T) {
	task := graphtest.Task("t", resources.TaskSpec{
		WorkPlan: "p", Parent: "whole", DependsOn: []string{"first"}, ExpectedOutput: "a text with paths: \"[\", ] and \\",
		Paths: []string{"src/a/**", `odd"name/x`, "a b/*"}, FileLocks: []string{"go.mod", `\*/x`}, Evidence: []resources.EvidenceItem{{Command: "go test"}, {File: "*.md"}},
	})
	text, err := resources.Encode(task)
	assert.NoError(t, err)
	for _, term := range graph.Terms(nil, task) {
		assert.True(t, graph.MayHold(text, term), term)
	}
	for _, written := range []string{
		`{"spec": {"pa\u0074hs": ["lib/x"]}}`, `{"spec": {"paths": ["lib\/x"]}}`, `{"spec":{"title":"paths","paths":["y","lib/x"]}}`,
		`{"spec": {"evidence": [{"command": "a [b] c"}, {"file": "lib/x"}]}}`, `{"spec": {"evidence": [{"succeeds": true, "command": "c"}, {"file": "lib/x"}]}}`,
	} {
		assert.True(t, graph.MayHold([]byte(written), graph.Term{Index: graph.IndexFiles, Value: "lib/x"}), written)
	}
	for _, written := range []string{`{"spec": {"title": "lib/x", "paths": ["lib/y", "lib"]}}`, `{"spec": {"paths": [], "tags": ["lib/x"]}}`, `{`} {
		assert.False(t, graph.MayHold([]byte(written), graph.Term{Index: graph.IndexFiles, Value: "lib/x"}), written)
	}
	assert.False(t, graph.MayHold([]byte(`{"spec": {"workPlan": "other"}}`), graph.Term{Index: graph.IndexPlan, Value: "bench"}, graph.Term{Index: graph.IndexParent, Value: "tasks/whole"}))
}
