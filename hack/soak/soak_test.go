// Package soak lets sessions make random calls in a repository that changes all the time, and holds every answer of
// the hook against a model of the gate that was written apart from it (model_test.go):
//
//	go test ./hack/soak -calls 500             8 sessions, each with 500 calls
//	go test ./hack/soak -seed 7 -runs 10 -v    ten runs, from that seed on
//
// Every call goes through the built program, as a client's does. A difference can be had again by its seed.
package soak

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/drive"
)

// fixedSeed is the seed of the run that go test makes unasked.
const fixedSeed = 2

var (
	seed  = flag.Uint64("seed", fixedSeed, "of the first run")
	runs  = flag.Int("runs", 1, "runs, each with the next seed")
	calls = flag.Int("calls", 40, "calls of each session")
)

func TestSoak(t *testing.T) {
	const sessions, maxShown = 8, 5
	bin, err := drive.Build("idumb-hook")
	require.NoError(t, err)
	t.Cleanup(func() { _ = bin.Remove() })
	answers, against := map[string]int{}, map[string]int{}
	for n := range *runs {
		got, err := play(t.TempDir(), *seed+uint64(n), size{sessions: sessions, calls: *calls, program: bin.Path("idumb-hook")})
		require.NoError(t, err, "seed %d", *seed+uint64(n))
		assert.Equal(t, sessions**calls, got.calls)
		assert.Empty(t, got.differences[:min(len(got.differences), maxShown)], "seed %d", *seed+uint64(n))
		for answer, times := range got.answers {
			answers[answer] += times
		}
		for reason, times := range got.against {
			against[reason] += times
		}
	}
	t.Logf("answers %v; what spoke against calls: %v", answers, against)
	assert.Greater(t, answers["deny"], 50, "and not because nothing was ever denied")
	assert.Greater(t, answers[""], 50)
	if *seed != fixedSeed {
		return // a short run may miss a reason
	}
	for _, alone := range []string{"governed", "role", "task", "file", "decision"} {
		assert.Positive(t, against[alone], "%s alone stopped a call", alone)
	}
}

// Whoever writes is on the task that the write was judged under: a task that is the
// session's by name is its own only from the next call on, when there is a record of it.
func TestTheModelPutsASessionOnTheTaskThatLetItWrite(t *testing.T) {
	w := &world{
		mode: "enforce", trusted: true, defaultRole: "solo", plans: map[string]string{"p": "active"}, roles: map[string]*role{"solo": {}},
		tasks: map[string]*task{"free": {plan: "p", state: "active"}, "waits": {plan: "p", state: "active", assigned: "s6", gate: "gone"}},
		on:    map[string]string{}, known: map[string]bool{}, owners: map[string]string{}, against: map[string]int{},
	}
	write := call{does: "write", targets: []target{{file: "src/a.go", sort: "code"}}}
	assert.Empty(t, w.answer("s6", "", write))
	assert.Equal(t, map[string]string{"s6": "free"}, w.on)
	assert.Empty(t, w.answer("s6", "", write))
}
