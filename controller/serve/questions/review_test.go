package questions

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

var noon = time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)

func mem(name string, spec resources.MemSpec) *resources.Mem {
	kind, _ := resources.KindOf(resources.Mems)
	m := kind.New().(*resources.Mem)
	m.Metadata.Name, m.Metadata.CreationTimestamp, m.Spec = name, resources.NewTime(noon.Add(-time.Hour)), spec
	return m
}

func TestReviewNamesWhatToDo(t *testing.T) {
	objects := []resources.Object{
		mem("gone", resources.MemSpec{Content: "a", Evidence: []resources.MemEvidence{{Path: "gone.md"}}}),
		mem("suspect", resources.MemSpec{Content: "b", Evidence: []resources.MemEvidence{{Path: "a.md", SHA256: "old"}}}),
		mem("one", resources.MemSpec{Content: "c", TopicKey: "t"}), mem("two", resources.MemSpec{Content: "d", TopicKey: "t"}),
		mem("twin", resources.MemSpec{Content: "C!"}), mem("lost", resources.MemSpec{Content: "e", Parent: "nothing"}),
		mem("over", resources.MemSpec{Content: "f", PurgedAt: resources.NewTime(noon.Add(-time.Minute)), Evidence: []resources.MemEvidence{{Path: "gone.md"}}}),
		mem("fine", resources.MemSpec{Content: "g"}),
		mem("long-1", resources.MemSpec{Content: strings.Repeat("many words ", 9) + "and one"}), mem("long-2", resources.MemSpec{Content: strings.Repeat("many words ", 9)}),
		mem("long-3", resources.MemSpec{Content: strings.Repeat("Many words, ", 9)}), mem("long-4", resources.MemSpec{Content: strings.Repeat("many words, ", 9) + "and one!"}),
		mem("trap", resources.MemSpec{Content: "h", Type: resources.FalsePath}), mem("claim", resources.MemSpec{Content: "i", Supersedes: "trap"}),
		mem("web", resources.MemSpec{Content: "j", Shelf: "s"}), mem("ops", resources.MemSpec{Content: "k", Supersedes: "web"}),
	}
	s := graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: noon, SourceFile: func(path string) (time.Time, string, bool) { return noon, "1", path == "a.md" }})
	var reasons []string
	for _, c := range Review(FromFiles(layout.Root(t.TempDir()), s)) {
		reasons = append(reasons, c.Key.Name+" "+c.Reason)
		assert.NotEmpty(t, c.Answers)
		assert.NotEmpty(t, c.Remedies())
	}
	assert.Equal(t, []string{"gone Gone", "claim Conflict", "one Conflict", "ops Conflict", "two Conflict", "suspect Suspect", "long-3 Duplicate", "long-4 Duplicate", "twin Duplicate", "lost Orphaned"}, reasons)
}
