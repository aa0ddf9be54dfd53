package packer

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func shuffle[T any](r *rand.Rand, s []T) {
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

// stocked is an input whose mems and anchors are at hand: that changes nothing of a pack, whose
// order is another one.
func stocked(r *rand.Rand, in Input) Input {
	mems, anchors := slices.Clone(in.Mems), slices.Clone(in.Anchors)
	shuffle(r, mems)
	shuffle(r, anchors)
	in.stock = stockOf(mems, anchors)
	return in
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
	for i := range rounds(1000) {
		shuffle(r, in.Active)
		shuffle(r, in.Tasks)
		shuffle(r, in.Delegations)
		shuffle(r, in.Anchors)
		shuffle(r, in.Mems)
		got := Build(in)
		if i%10 > 0 {
			got = Build(stocked(r, in))
		}
		require.True(t, bytes.Equal(want.Bytes, got.Bytes), "first:\n%s\nshuffled:\n%s", want.Bytes, got.Bytes)
		require.Equal(t, want, got)
	}
}
