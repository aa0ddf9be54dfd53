package mems

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

func (s *shelf) snapshot() *graph.Snapshot {
	var objects []resources.Object
	for _, name := range slices.Sorted(maps.Keys(s.mems)) {
		objects = append(objects, s.mems[name])
	}
	return graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: s.now, SourceFile: s.SourceFile, SourceSection: s.SourceSection})
}

// Whatever is done to the memory, and in whatever order, nothing that was replaced or
// purged, and nothing whose evidence is gone, is recalled; with its history, all of it is.
func TestRecallNeverAnswersWithWhatIsOver(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		w := newShelf()
		for i := range 12 {
			w.now = noon.Add(time.Duration(i) * time.Hour)
			edit(r, w, i)
		}
		s := w.snapshot()
		question := packer.Question{Text: "token", Most: 0}
		found := packer.Recall(s, nil, question)
		for _, m := range found {
			require.False(t, memory.IsHidden(m.Status.Phase), m.Object.Metadata.Name)
			require.True(t, memory.Live(m.Object, s, w.now))
			require.Contains(t, m.Why(), "token")
			full, _ := memory.Derive(m.Object, s)
			full.Conditions = nil
			require.Equal(t, full, m.Status, "what is assessed is what is derived")
		}
		question.History = true
		all := packer.Recall(s, nil, question)
		require.Len(t, all, len(w.mems))
	}
}

// edit does one thing to the memory that a command would do.
func edit(r *rand.Rand, w *shelf, i int) {
	some := func() *resources.Mem {
		names := slices.Sorted(maps.Keys(w.mems))
		if len(names) == 0 {
			return nil
		}
		return w.mems[names[r.IntN(len(names))]]
	}
	old := some()
	switch n := r.IntN(10); {
	case old == nil || n < 5:
		m := mem(fmt.Sprintf("m%d", i), resources.MemSpec{Content: fmt.Sprintf("token %d", r.IntN(6)), TopicKey: []string{"", "t", "u"}[r.IntN(3)]})
		m.Metadata.CreationTimestamp = resources.NewTime(w.now)
		if r.IntN(4) == 0 {
			m.Spec.Type, m.Spec.SupersedeReason = resources.FalsePath, "because"
		}
		if r.IntN(4) == 0 {
			m.Spec.Evidence = []resources.MemEvidence{{Path: []string{"a.md", "gone.md"}[r.IntN(2)]}}
		}
		if saved, err := Save(m, w); err == nil {
			w.put(saved.Mem)
		}
	case n < 7:
		if next, err := Purge(old, "", w); err == nil {
			w.put(next)
		}
	case n < 9:
		other := some()
		if next, err := Supersede(other, old, "because", w); err == nil && memory.Check(next, w) == nil && len(status.CheckCycle(next, lookup{w})) == 0 {
			w.put(next)
		}
	default:
		if next, err := Confirm(old, Confirmation{Author: "x"}, w); err == nil {
			w.put(next)
		}
	}
}

// lookup is the shelf as CheckCycle asks it.
type lookup struct{ *shelf }

func (l lookup) PlanTasks(string) []string { return nil }

func (l lookup) Get(key resources.Key) (resources.Object, bool) {
	m := l.mems[key.Name]
	return m, m != nil
}
