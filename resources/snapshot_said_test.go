package resources

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Mems that are looked up by what they say are those that are found by looking at all.
func TestMemsAreFoundByWhatTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	texts := []string{"Use  PNPM!", "use pnpm", "use npm", "ß", "", "使用"}
	found := 0
	for range 300 {
		objects := randomMems(r, 9)
		for _, o := range objects {
			o.(*Mem).Spec.Content = texts[r.IntN(len(texts))]
		}
		s := NewSnapshot(SnapshotInput{Objects: objects})
		for _, text := range texts {
			text = NormalText(text)
			var want []string
			for _, key := range s.List(Mems) {
				if NormalText(s.Mem(key.Name).Spec.Content) == text {
					want = append(want, key.Name)
				}
			}
			require.Equal(t, want, memNames(s.MemsSaying(text)), text)
			found += len(want)
		}
	}
	assert.Positive(t, found)
	assert.Empty(t, NewSnapshot(SnapshotInput{}).MemsSaying("use npm"))
}

func memNames(mems []*Mem) []string {
	var names []string
	for _, m := range mems {
		names = append(names, m.Metadata.Name)
	}
	return names
}
