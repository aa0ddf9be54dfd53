package progengine

import (
	"bufio"
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/enginetest"
	"github.com/idumb-dev/idumb/hack/memengine"
)

// pipe is both ends of what two programs would speak through.
type pipe struct {
	io.Reader
	io.Writer
	end func()
}

func (p pipe) Close() error { p.end(); return nil }

// inProcess starts the program in this process, with an engine in memory.
func inProcess(one *memengine.Engine) func() (io.ReadWriteCloser, error) {
	return func() (io.ReadWriteCloser, error) {
		in, ask := io.Pipe()
		answer, out := io.Pipe()
		go func() {
			_ = Serve(context.Background(), in, out, func(Place) (engine.Engine, error) { return one, nil })
			out.Close()
		}()
		return pipe{answer, ask, func() { ask.Close() }}, nil
	}
}

func TestItIsAnEngine(t *testing.T) {
	enginetest.Run(t, func(t *testing.T, machines int) []engine.Engine {
		one, team := &memengine.Engine{}, make([]engine.Engine, machines)
		for i := range team {
			e := New(Place{}, inProcess(one))
			t.Cleanup(func() { e.Close() })
			team[i] = e
		}
		return team
	}, 50)
}

// A program that ends is an error to who waits, and started again by the next question.
func TestTheProgramIsGone(t *testing.T) {
	one := &memengine.Engine{}
	e := New(Place{}, inProcess(one))
	_, at, err := e.ListAt(t.Context(), "claims/")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- e.Watch(t.Context(), "claims/", at, func([]engine.Item, string) {}) }()
	require.Eventually(t, func() bool {
		e.run.mu.Lock()
		defer e.run.mu.Unlock()
		return len(e.run.waits) > 0
	}, time.Minute, time.Millisecond)
	require.NoError(t, e.run.pipe.Close())
	assert.ErrorContains(t, <-ended, "does not answer")
	require.Eventually(t, func() bool { return e.run.closed() != nil }, time.Minute, time.Millisecond)
	require.NoError(t, e.Txn(t.Context(), engine.Op{Key: "claims/a", Value: []byte("1")}))
	require.NoError(t, e.Close())
}

// A program that is not there is a person's to install; one that fails is told of in its own words.
func TestPrograms(t *testing.T) {
	_, err := New(Place{}, Program("idumb-no-such-program")).List(t.Context(), "claims/")
	var person *engine.PersonError
	require.ErrorAs(t, err, &person)

	_, err = New(Place{}, Program("false")).List(t.Context(), "claims/")
	require.ErrorContains(t, err, "exit status 1")
	_, err = New(Place{}, Program("echo")).List(t.Context(), "claims/")
	require.ErrorContains(t, err, "does not answer")
}

// A program that is gone before a question is written, and that nobody saw end, is told of as one that does not
// answer, and leaves nobody waiting.
func TestProgramsThatReadNothing(t *testing.T) {
	for read := range 2 { // where it stands, and the first question
		in, ask := io.Pipe()
		answer, out := io.Pipe()
		go func() {
			lines := bufio.NewReader(in)
			for range read {
				_, _ = lines.ReadString('\n')
			}
			in.Close()
		}()
		e := New(Place{}, func() (io.ReadWriteCloser, error) {
			return pipe{answer, ask, func() { ask.Close(); out.Close() }}, nil
		})
		_, err := e.List(t.Context(), "claims/")
		require.ErrorContains(t, err, "does not answer: it ended", read)
	}
}

// A list that is longer than one part comes whole.
func TestLongLists(t *testing.T) {
	one := &memengine.Engine{}
	const many = 2*maxReplyItems + 1
	for n := range many {
		require.NoError(t, one.Txn(t.Context(), engine.Op{Key: "claims/" + string(rune('a'+n%26)) + time.Duration(n).String(), Value: []byte{}}))
	}
	e := New(Place{}, inProcess(one))
	defer e.Close()
	items, err := e.List(t.Context(), "claims/")
	require.NoError(t, err)
	assert.Len(t, items, many)
}

func FuzzServe(f *testing.F) {
	f.Add(`{"place":{}}{"id":1,"list":""}{"id":2,"txn":[{"Key":"claims/a","Value":"AA=="}]}{"id":3,"lease":{"ttl":"1s"}}`)
	f.Add(`{"place":{}}{"id":1,"watch":{"after":"0"}}{"id":1,"cancel":true}{"id":4}`)
	f.Add(`{"id":1,"list":"x"}`)
	f.Add(`{"place":{}}{"id":1,"list":""}{"id":2,"strict":[{"Key":"state/a","Value":"AA=="}],"asOf":"0"}`)
	f.Fuzz(func(t *testing.T, asked string) {
		in, out := io.Pipe()
		go func() { io.WriteString(out, asked); out.Close() }()
		_ = Serve(t.Context(), in, io.Discard, func(Place) (engine.Engine, error) { return new(memengine.Engine), nil })
	})
}
