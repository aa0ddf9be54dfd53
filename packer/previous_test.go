package packer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func TestHeldByReadsAPack(t *testing.T) {
	in := userAuth()
	assert.Equal(t, map[string]int{
		"mems/no-local-storage": 1, "mems/no-redirect-loop": 2, "anchors/httponly-cookies": 3, "anchors/design-review": 4,
		"mems/form-library": 5, "mems/old-form": 6, "mems/session-lifetime": 7,
	}, PreviousIn(Build(in).Bytes))
	in.Mems[0].Status.Suspect = []string{"a (mems/other) has changed"}
	assert.Equal(t, 1, PreviousIn(Build(in).Bytes)["mems/no-local-storage"], "whatever is to be checked")
	assert.Nil(t, PreviousIn(nil))
	assert.Nil(t, PreviousIn([]byte("nonsense")))
}

// TestAPackThatIsHeldComesToRest: where nothing happens nothing changes, whatever the pack
// before held.
func TestAPackThatIsHeldComesToRest(t *testing.T) {
	t.Parallel()
	for seed := range uint64(120) {
		in := entangled(rand.New(rand.NewPCG(seed, 21)))
		in.Previous = nil
		first := Build(in).Bytes
		in.Previous = PreviousIn(first)
		second := Build(in).Bytes
		in.Previous = PreviousIn(second)
		require.Equal(t, string(second), string(Build(in).Bytes), "seed %d", seed)
		require.Equal(t, string(first), string(second), "seed %d: it was at rest from the first", seed)
	}
}

// TestWhatIsHeldDoesNotFlicker lets mems come and go that are nearly as good as those that
// a pack has room for.
func TestWhatIsHeldDoesNotFlicker(t *testing.T) {
	t.Parallel()
	in := manyMems(300)
	for i := range 40 {
		in.Mems = append(in.Mems, memOf(fmt.Sprintf("near-%02d", i), 5, 70+i%5, resources.Fresh, resources.MemSpec{Content: fmt.Sprintf("The login form has a session endpoint, case %d.", i)}))
	}
	in.Limit = 5000
	changes := func(hold bool) (n int) {
		last := string(Build(in).Bytes)
		for day := range 20 {
			other := in
			if other.Mems = append([]Mem(nil), in.Mems...); hold {
				other.Previous = PreviousIn([]byte(last))
			}
			for i := range other.Mems {
				other.Mems[i].Status.Confidence = 76 + (i*7+day*3)%9 // age nudges
			}
			now := string(Build(other).Bytes)
			if now != last {
				n++
			}
			last = now
		}
		return n
	}
	assert.LessOrEqual(t, changes(true), 1)
	assert.Greater(t, changes(false), 10, "without it the pack changes with every nudge")
}
