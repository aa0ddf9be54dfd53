package resources

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Mems that are looked up by what they say are those that are found by looking at all,
// whether they were made before or not.
func TestMemsAreFoundByWhatTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	texts := []string{"Use  PNPM!", "use pnpm", "use npm", "ß", "", "使用"}
	topics := []string{"Auth Tokens", "auth-tokens", "build", ""}
	found := 0
	for range 300 {
		objects := randomMems(r, 9)
		for _, o := range objects {
			o.(*Mem).Spec.Content, o.(*Mem).Spec.TopicKey = texts[r.IntN(len(texts))], topics[r.IntN(len(topics))]
		}
		kept := newKeptMems(t, objects)
		for _, s := range []*Snapshot{NewSnapshot(SnapshotInput{Objects: objects}), NewSnapshot(SnapshotInput{Mems: kept})} {
			for _, text := range texts {
				text = NormalText(text)
				var want []string
				for _, m := range kept.mems {
					if NormalText(m.Spec.Content) == text {
						want = append(want, m.Metadata.Name)
					}
				}
				require.Equal(t, want, memNames(s.MemsSaying(text)), text)
				found += len(want)
			}
			for _, topic := range topics {
				if topic != "" {
					require.Equal(t, memNames(s.Topic(topic)), memNames(s.MemsOnTopic(topic)), topic)
				}
			}
		}
	}
	assert.Positive(t, found)
	assert.Empty(t, NewSnapshot(SnapshotInput{}).MemsSaying("use npm"))
}

// Whoever asks what says the same has no other mems made.
func TestLookingForWordsMakesNoOtherMems(t *testing.T) {
	_, mems := chainOfLength(100)
	objects := make([]Object, len(mems))
	for i, m := range mems {
		m.Spec.Content, m.Spec.TopicKey = "says "+m.Metadata.Name, m.Metadata.Name
		objects[i] = m
	}
	kept := newKeptMems(t, objects)
	s := NewSnapshot(SnapshotInput{Mems: kept})
	assert.Len(t, s.MemsSaying("says m 00007"), 1)
	assert.Len(t, s.MemsOnTopic("m-00009"), 1)
	assert.Len(t, kept.made, 2)
}

func memNames(mems []*Mem) []string {
	var names []string
	for _, m := range mems {
		names = append(names, m.Metadata.Name)
	}
	return names
}
