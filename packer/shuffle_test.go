package packer

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/packer/search"
)

func shuffle[T any](r *rand.Rand, s []T) {
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

// keptIndex is the index of a repository that is packed many times, as a reader keeps it: it
// changes nothing of a pack.
func keptIndex(in Input) *search.Analysed {
	_, x := BuildIndexed(in)
	return x.Analysed()
}

func TestOrderOfTheInputDoesNotMatter(t *testing.T) {
	t.Parallel()
	in := manyMems(60)
	second := in.Tasks[4]
	second.Object.Spec.Priority = "low"
	in.Active = append(in.Active, "write-docs")
	in.Limit = 5000
	want := Build(in)
	r := rand.New(rand.NewPCG(1, 2))
	kept := keptIndex(in)
	for i := range rounds(1000) {
		if in.Index = nil; i%10 > 0 {
			in.Index = kept // whose order is another one
		}
		shuffle(r, in.Active)
		shuffle(r, in.Tasks)
		shuffle(r, in.Delegations)
		shuffle(r, in.Anchors)
		shuffle(r, in.Mems)
		got := Build(in)
		require.True(t, bytes.Equal(want.Bytes, got.Bytes), "first:\n%s\nshuffled:\n%s", want.Bytes, got.Bytes)
		require.Equal(t, want, got)
	}
}
