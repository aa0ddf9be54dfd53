package resources

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plainGraph is a MemGraph that has worked nothing out.
type plainGraph struct{ MemGraph }

// What a snapshot has worked out about chains is what following each of them finds.
func TestChainsThatAreWorkedOutOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	circles, chains := 0, 0
	for range 3000 {
		s := snapshotOf(randomMems(r, 9)...)
		for _, key := range s.List(Mems) {
			m := s.Mem(key.Name)
			require.Equal(t, inCircle(m, plainGraph{s}), inCircle(m, s), key)
			require.Same(t, MemHead(m, plainGraph{s}), MemHead(m, s), key)
			if inCircle(m, s) {
				circles++
			}
			if MemHead(m, s) != m {
				chains++
			}
		}
	}
	assert.Positive(t, circles)
	assert.Positive(t, chains)
}

// A long chain takes a step for each of its mems, not for each two of them.
func TestALongChainIsAssessed(t *testing.T) {
	const long = 20_000
	objects := make([]Object, long)
	for i := range objects {
		spec := MemSpec{Content: "c"}
		if i > 0 {
			spec.Supersedes = fmt.Sprintf("m-%05d", i-1)
		}
		objects[i] = daysOld(1, fmt.Sprintf("m-%05d", i), spec)
	}
	began, superseded := time.Now(), 0
	snapshotOf(objects...).MemFacts(func(_ int, f *MemFacts) {
		if f.Phase == Superseded {
			superseded++
		}
	})
	assert.Equal(t, long-1, superseded)
	assert.Less(t, time.Since(began), 10*time.Second, "it takes 50 ms, and would take minutes")
}
