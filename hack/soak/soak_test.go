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
	got, err := play(t.TempDir(), 3, size{sessions: 8, calls: 40, program: bin.Path("idumb-hook")})
	require.NoError(t, err)
	assert.Equal(t, 320, got.calls)
	assert.Empty(t, got.differences)
	assert.Greater(t, got.answers["deny"], 50, "and not because nothing was ever denied")
	assert.Greater(t, got.answers[""], 50)
	for _, alone := range []string{"governed", "role", "task", "lock"} {
		assert.Positive(t, got.against[alone], "%s alone stopped a call", alone)
	}
}
