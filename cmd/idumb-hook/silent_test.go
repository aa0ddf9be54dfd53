//go:build unix

package main

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// TestSilentConnectionsDelayNoHook compares hooks with and without 32 connections to the controller
// that send nothing.
func TestSilentConnectionsDelayNoHook(t *testing.T) {
	p := starting(t)
	p.session("s")
	p.pid()
	socket := filepath.Join(p.root, layout.HookSocket)
	require.Eventually(t, func() bool { _, err := os.Stat(socket); return err == nil }, 10*time.Second, 5*time.Millisecond)
	t.Chdir(filepath.Dir(socket)) // the path of a socket is short
	hook := func() time.Duration {
		began := time.Now()
		require.Empty(t, p.bash("go build ./...").reason)
		return time.Since(began)
	}
	median := func(of []time.Duration) time.Duration { return slices.Sorted(slices.Values(of))[len(of)/2] }
	hook()
	var alone, beside []time.Duration
	for range 3 {
		for range 7 {
			alone = append(alone, hook())
		}
		var open []net.Conn
		for range 32 {
			conn, err := net.Dial("unix", filepath.Base(socket))
			require.NoError(t, err)
			open = append(open, conn)
		}
		for range 7 {
			beside = append(beside, hook())
		}
		for _, conn := range open {
			require.NoError(t, conn.Close())
		}
	}
	t.Log("alone", median(alone), "beside silent connections", median(beside))
	assert.Less(t, median(beside), median(alone)+20*time.Millisecond)
}
