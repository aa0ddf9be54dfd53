package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/drive"
)

// TestSoak is a small run; go run ./hack/soak is the whole one.
func TestSoak(t *testing.T) {
	bin, err := drive.Build("idumb-hook")
	require.NoError(t, err)
	t.Cleanup(func() { _ = bin.Remove() })
	got, err := play(t.TempDir(), 2, size{sessions: 8, calls: 40, program: bin.Path("idumb-hook")})
	require.NoError(t, err)
	assert.Equal(t, 320, got.calls)
	assert.Empty(t, got.differences)
	assert.Greater(t, got.answers["deny"], 50, "and not because nothing was ever denied")
	assert.Greater(t, got.answers[""], 50)
	for _, alone := range []string{"governed", "role", "task", "file", "decision"} {
		assert.Positive(t, got.against[alone], "%s alone stopped a call", alone)
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
