package queries

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
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

// A task in review whose evidence was not seen is not offered for completion, and a hold that no session was told
// before the task ended is listed.
func TestReviewOffersWhatWorks(t *testing.T) {
	task := func(name, state string, evidence ...resources.EvidenceItem) *resources.Task {
		return graphtest.Task(name, resources.TaskSpec{WorkPlan: "p", ExpectedOutput: "o", State: state, Result: &resources.TaskResult{Evidence: "seen"}, Evidence: evidence})
	}
	hold := func(name, about string) *resources.Comment {
		kind, _ := resources.KindOf(resources.Comments)
		c := kind.New().(*resources.Comment)
		c.Metadata.Name, c.Spec = name, resources.CommentSpec{About: about, Type: resources.CommentInstruction, Body: "Stop.", Hold: true}
		return c
	}
	test := resources.EvidenceItem{Command: "npm test", Succeeds: true}
	objects := []resources.Object{
		task("plain", resources.TaskReview), task("tested", resources.TaskReview, test), task("both", resources.TaskReview, resources.EvidenceItem{File: "a"}, test),
		task("file", resources.TaskReview, resources.EvidenceItem{File: "a"}), task("over", resources.TaskFailed), task("known", resources.TaskFailed),
		hold("c-1", "task/over"), hold("c-2", "task/known"), hold("c-3", "task/plain"),
	}
	here := status.CommentLog{Local: true}
	told := status.CommentLog{Local: true, Deliveries: []resources.Telling{{Session: "s"}}}
	s := graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: noon, Evidence: map[string]*status.Evidence{"c-1": {Comment: here}, "c-2": {Comment: told}, "c-3": {Comment: here}}})
	r := newReviewer(FromFiles(layout.Root(t.TempDir()), s))
	r.tasks()
	got := map[string]string{}
	for _, c := range r.concerns {
		if c.Reason == "Review" || c.Reason == "Untold" {
			got[c.Key.Name] = c.What + "; " + c.Answers[0].Do
		}
	}
	assert.Equal(t, map[string]string{
		"plain":  "handed in for review; idumb complete plain",
		"tested": `handed in for review, not seen yet: command "npm test" with exit code 0; idumb run --complete tested -- npm test`,
		"both":   `handed in for review, not seen yet: a written file "a", command "npm test" with exit code 0; idumb run --task both -- npm test`,
		"file":   `handed in for review, not seen yet: a written file "a"; idumb start file`,
		"c-1":    "task/over is failed, and no session received this: Stop.; idumb comment --resolve c-1",
	}, got)
}
