package controller

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

var logKey = resources.Key{Kind: resources.CheckpointsKind, Name: "a"}

func checkpointLines(from, to int) string {
	var log strings.Builder
	for n := from; n < to; n++ {
		fmt.Fprintf(&log, `{"time":"2026-05-20T10:00:00Z","tool":"write","filesModified":["src/f%d.go"]}`+"\n", n%50)
	}
	return log.String()
}

// logStage is an informer over a directory with one checkpoint log.
type logStage struct {
	*stage
	informer *informer
	file     string
}

func newLogStage(t testing.TB, log string) logStage {
	s := newStage(t)
	file := s.root.Abs(layout.CheckpointPath(logKey.Name))
	require.NoError(t, os.MkdirAll(s.root.Abs(layout.CheckpointsDir), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(log), 0o644))
	return logStage{s, New(s, nil, Options{}).informer, file}
}

// append adds lines at the end of the log's file.
func (s logStage) append(lines string) {
	f, err := os.OpenFile(s.file, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(s.t, err)
	_, err = f.WriteString(lines)
	require.NoError(s.t, err)
	require.NoError(s.t, f.Close())
}

// read reads the log into the cache, and reports whether the cache changed.
func (s logStage) read() bool {
	before := s.informer.cache.evidence(logKey.Name)
	require.NoError(s.t, s.informer.readLog(s.t.Context(), logKey))
	return before != s.informer.cache.evidence(logKey.Name)
}

// However a log came to be what it is, it amounts to what it amounts to when it is read whole.
func TestALogIsReadAsItGrows(t *testing.T) {
	long := checkpointLines(0, 200)
	texts := []string{
		long[:300], long[:301], long, long + "{\"tool\":\"wri", long + "{\"tool\":\"write\"}\n", // torn, and finished
		long + checkpointLines(20, 22), long + checkpointLines(30, 33), // another one of that beginning
		checkpointLines(1, 20) + long, "", "\n", long, long[:len(long)/2], long + "\n" + long, strings.Replace(long+"\n"+long, "f1.go", "g1.go", 1),
	}
	writers := map[string]func(s logStage, text string){
		"in place": func(s logStage, text string) {
			before, err := os.ReadFile(s.file)
			require.NoError(s.t, err)
			if rest, grew := strings.CutPrefix(text, string(before)); grew {
				s.append(rest)
				return
			}
			require.NoError(s.t, os.WriteFile(s.file, []byte(text), 0o644))
		},
		"replaced": func(s logStage, text string) {
			require.NoError(s.t, os.WriteFile(s.file+".new", []byte(text), 0o644))
			require.NoError(s.t, os.Rename(s.file+".new", s.file))
		},
	}
	for name, write := range writers {
		t.Run(name, func(t *testing.T) {
			s := newLogStage(t, "")
			for _, text := range texts {
				write(s, text)
				assert.True(t, s.read())
				assert.False(t, s.read(), "it is there already")
				want, _ := status.ReadEvidence([]byte(text))
				assert.Equal(t, want, s.informer.cache.evidence("a"), "%q", text)
			}
			require.NoError(t, os.Remove(s.file))
			assert.True(t, s.read(), "it is gone")
			assert.Zero(t, *s.informer.cache.evidence("a"))
		})
	}
}

// A checkpoint more costs the same, however many there are, also right after a listing.
func TestOneMoreCheckpointDoesNotReadAllOfThem(t *testing.T) {
	s := newLogStage(t, checkpointLines(0, 50_000))
	for record, err := range s.List(t.Context(), resources.CheckpointsKind) {
		_, err = s.informer.acceptListed(t.Context(), s.informer.decode(record, err), nil)
		require.NoError(t, err)
	}
	for range 3 {
		s.append(checkpointLines(0, 1))
		rev := s.informer.cache.logRevision("a")
		record, continued, err := s.ReadLog(t.Context(), "a", rev)
		require.NoError(t, err)
		assert.True(t, continued)
		assert.Equal(t, checkpointLines(0, 1), string(record.Spec))
		before := bytesRead(t)
		assert.True(t, s.read())
		assert.Less(t, bytesRead(t)-before, 64<<10)
	}
	assert.Equal(t, 50_003, s.informer.cache.evidence("a").Count)
}

// bytesRead returns the bytes that this process has read so far, 0 where the system does not count
// them.
func bytesRead(t *testing.T) (n int) {
	data, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0
	}
	_, err = fmt.Sscanf(string(data), "rchar: %d", &n)
	require.NoError(t, err)
	return n
}

// BenchmarkOneMoreCheckpoint is a line more in a log of 50,000.
func BenchmarkOneMoreCheckpoint(b *testing.B) {
	s := newLogStage(b, checkpointLines(0, 50_000))
	s.read()
	line := checkpointLines(0, 1)
	for b.Loop() {
		s.append(line)
		require.True(b, s.read())
	}
}
