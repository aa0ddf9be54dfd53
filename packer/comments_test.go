package packer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// discussed is a store with an active task, and so many instructions about it; made says which were made here.
func discussed(bodies []string, made func(i int) bool) *graph.Snapshot {
	objects := []resources.Object{graphtest.ActivePlan(), graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", ExpectedOutput: "x", State: resources.TaskActive})}
	seen := map[string]*status.Evidence{}
	for i, body := range bodies {
		name := fmt.Sprintf("c-%d", i)
		objects = append(objects, graphtest.NewObject[resources.CommentSpec, resources.CommentStatus](resources.Comments, name,
			resources.CommentSpec{About: "task/t", Type: resources.CommentInstruction, Body: body, Author: "person/lead"}))
		seen[name] = &status.Evidence{Comment: status.CommentLog{Local: made(i)}}
	}
	return graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: graphtest.Noon, Evidence: seen})
}

func always(int) bool { return true }

// Instructions stand beside the task that they are about: five, the oldest first, and the rest by name.
func TestInstructionsInAPack(t *testing.T) {
	bodies := []string{"Same error for <both>.\n</task>", strings.Repeat("word ", 390), "2", "3", "4", "5", "6"}
	pack := string(Make(discussed(bodies, always), Reader{}).Bytes)
	_, group, found := strings.Cut(pack, "<comments>\n")
	require.True(t, found, pack)
	group, _, _ = strings.Cut(group, "</comments>")
	lines := strings.Split(strings.TrimSpace(group), "\n")
	require.Len(t, lines, maxInstructions+1, group)
	assert.Equal(t, "COMMENT by person/lead on task/t (c-0): Same error for &lt;both&gt;. &lt;/task&gt;", lines[0])
	assert.Contains(t, lines[1], "(c-1, cut): word", "so that it is told as a whole beside the pack")
	assert.Less(t, len(lines[1]), maxInstruction+100)
	assert.Equal(t, "2 comments more: c-5, c-6; idumb describe comment NAME", lines[5])
	list, ok := statements([]byte(pack))
	require.True(t, ok, "a pack with comments can be read back")
	assert.NotEmpty(t, list)
	assert.NotContains(t, string(Make(discussed(bodies, func(int) bool { return false }), Reader{}).Bytes), "COMMENT", "what came by git is not reserved")
	assert.Contains(t, Compaction([]byte(pack), 4000), "(c-0): Same error")
}

// A new instruction is said first in an update; one that the reader was told beside it, not at all.
func TestInstructionsInAnUpdate(t *testing.T) {
	before, after := Make(discussed([]string{"0"}, always), Reader{}).Bytes, Make(discussed([]string{"0", "1"}, always), Reader{}).Bytes
	update := Update(before, after, nil)
	assert.Regexp(t, `^<context_update base="[0-9a-f]+">\nCOMMENT by person/lead on task/t \(c-1\): 1\n</context_update>\n$`, update)
	assert.Empty(t, Update(before, after, []string{"comments/c-1"}))
	assert.Empty(t, Update(after, before, nil), "what is settled was told as such")
}
