package main

import (
	"flag"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/drive"
)

func TestMain(m *testing.M) {
	drive.ServeClient()
	flag.Parse()
	os.Exit(m.Run())
}

var seeds = flag.Int("seeds", 60, "how many fixed worlds to try")

// Every statement in the fixed worlds is true and every way out leads out, but for the kinds that known.txt lists. A listed kind
// that is not seen any more fails as well.
func TestFixedWorlds(t *testing.T) {
	bin, err := drive.Build("idumb", "idumb-hook", "idumb-mcp", "idumb-controller")
	require.NoError(t, err)
	t.Cleanup(func() { _ = bin.Remove() })
	var mu sync.Mutex
	var group sync.WaitGroup
	seen, stats, next := map[string]bool{}, map[string]int{}, 0
	for range workers {
		group.Go(func() {
			for {
				mu.Lock()
				next++
				seed := next
				mu.Unlock()
				if seed > *seeds {
					return
				}
				r, err := play(bin, newWorld(uint64(seed)))
				mu.Lock()
				if assert.NoError(t, err, "seed %d", seed) {
					for _, f := range r.faults {
						if !seen[f.Kind] && slices.Contains(knownKinds(), f.Kind) {
							t.Logf("known fault, seed %d: %s\n%s\nSAID: %.700s\nTRUE: %s", seed, f.Kind, r.w, f.Text, f.True)
						}
						seen[f.Kind] = true
					}
					for _, f := range unknown(r.faults) {
						t.Errorf("%s\n%s\nSAID: %s\nTRUE: %s\nSmaller: go run ./hack/truth -from %d -for 1s", f.Kind, r.w, f.Text, f.True, seed)
					}
					for what, n := range r.stats {
						stats[what] += n
					}
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for _, kind := range knownKinds() {
		assert.True(t, seen[kind] || rare(kind), "known.txt lists %q, and no world shows it any more: remove the line", kind)
	}
	for _, what := range slices.Sorted(maps.Keys(stats)) {
		t.Logf("%5d %s", stats[what], what)
	}
	for _, c := range claims {
		assert.Positive(t, stats["claim: "+c.name], "no program states: %s", c.name)
	}
	for _, what := range []string{"ways that led out", "starts refused", "handovers refused", "starts", "writes", "completions", "offers in <next>", "offers of next", "plans counted", "phases"} {
		assert.Positive(t, stats[what], what)
	}
}
