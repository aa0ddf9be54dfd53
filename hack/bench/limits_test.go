package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLimits: a result over its limit, and a limit without a result, are told; the cheaper of two measurements counts.
func TestLimits(t *testing.T) {
	limits, err := parseLimits("# comment\nhook\ta write\t2.00\nhook\ta read\t2.00\nedit\tother\t1.00\n")
	require.NoError(t, err)
	slow := []Result{{What: "a write", Floor: 1, Ours: 3}, {What: "a read", Floor: 1, Ours: 1}}
	require.Equal(t, []string{"hook: a write costs 3.00x, at most 2.00x is right"}, findExceeded(limits, "hook", slow))
	require.Empty(t, findExceeded(limits, "hook", best(slow, []Result{{What: "a write", Floor: 1, Ours: 2}, {What: "a read", Floor: 1, Ours: 9}})))
	require.Equal(t, []string{"hook: a read was not measured, although it has a limit"}, findExceeded(limits, "hook", []Result{{What: "a write", Floor: 1, Ours: 1}}))
	_, err = parseLimits("hook\ta write")
	require.ErrorContains(t, err, "line 1")
	real, err := parseLimits(quickLimits)
	require.NoError(t, err)
	require.NotEmpty(t, real)
}
