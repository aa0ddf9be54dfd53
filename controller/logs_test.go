package controller

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// logOf is a task's log as a store returns it.
func logOf(text string) store.Record {
	return store.Record{Key: resources.Key{Kind: resources.CheckpointsKind, Name: "a"}, Spec: []byte(text), Rev: resources.Revision([]byte(text))}
}

func checkpointLines(from, to int) string {
	var log strings.Builder
	for n := from; n < to; n++ {
		fmt.Fprintf(&log, `{"time":"2026-05-20T10:00:00Z","tool":"write","filesModified":["src/f%d.go"]}`+"\n", n%50)
	}
	return log.String()
}

// However a log came to be what it is, it amounts to what it amounts to when it is read whole.
func TestALogIsReadAsItGrows(t *testing.T) {
	long := checkpointLines(0, 20)
	c := newCache()
	for _, text := range []string{
		long[:300], long[:301], long, long + "{\"tool\":\"wri", long + "{\"tool\":\"write\"}\n", // torn, and finished
		long + checkpointLines(20, 22), long + checkpointLines(30, 33), // another one of that beginning
		checkpointLines(1, 20) + long, "", "\n", long, long[:len(long)/2],
	} {
		assert.True(t, c.setLog(logOf(text)))
		assert.False(t, c.setLog(logOf(text)), "it is there already")
		want, _ := status.ReadEvidence([]byte(text))
		assert.Equal(t, want, c.evidence("a"), "%q", text)
	}
	assert.True(t, c.setLog(store.Record{Key: logOf("").Key}), "it is gone")
	assert.Zero(t, *c.evidence("a"))
}

// A checkpoint more costs the same, however many there are.
func TestOneMoreCheckpointDoesNotReadAllOfThem(t *testing.T) {
	cost := func(before int) float64 {
		long, c := checkpointLines(0, before), newCache()
		require.True(t, c.setLog(logOf(long)))
		return testing.AllocsPerRun(20, func() {
			long += checkpointLines(0, 1)
			require.True(t, c.setLog(logOf(long)))
		})
	}
	assert.InDelta(t, cost(100), cost(10_000), 10)
}
