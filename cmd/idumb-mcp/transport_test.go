package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/internal/tools"
)

// A line that is no message is answered with one line that states its id, the code and the cause.
func TestDecode(t *testing.T) {
	for line, want := range map[string]string{
		`{`:                          `{"error":{"code":-32700,"message":"this line is not JSON"},"id":null,"jsonrpc":"2.0"}`,
		` [1]`:                       `{"error":{"code":-32600,"message":"MCP no longer supports batches: send one message per line"},"id":null,"jsonrpc":"2.0"}`,
		`{"id":12}`:                  `{"error":{"code":-32600,"message":"this is no JSON-RPC message: invalid message version tag \"\"; expected \"2.0\""},"id":12,"jsonrpc":"2.0"}`,
		`{"id":"a","jsonrpc":"1.0"}`: `{"error":{"code":-32600,"message":"this is no JSON-RPC message: invalid message version tag \"1.0\"; expected \"2.0\""},"id":"a","jsonrpc":"2.0"}`,
		`{"id":{}}`:                  `{"error":{"code":-32600,"message":"this is no JSON-RPC message: invalid message version tag \"\"; expected \"2.0\""},"id":null,"jsonrpc":"2.0"}`,
		`{"id":[]}`:                  `{"error":{"code":-32600,"message":"this is no JSON-RPC message: invalid message version tag \"\"; expected \"2.0\""},"id":null,"jsonrpc":"2.0"}`,
	} {
		message, refusal := decode([]byte(line), false)
		assert.Nil(t, message, line)
		assert.Equal(t, want, string(refusal), line)
	}
	_, refusal := decode(nil, true)
	assert.Equal(t, `{"error":{"code":-32600,"message":"the message is too long"},"id":null,"jsonrpc":"2.0"}`, string(refusal))
	message, refusal := decode([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), false)
	assert.NotNil(t, message)
	assert.Nil(t, refusal)
}

const (
	hello  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	called = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// ping is a request of a given length.
func ping(id string, length int) string {
	line := `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`
	return line + strings.Repeat(" ", max(0, length-len(line)))
}

// Each message is one line. The longest one allowed is answered, a longer one is refused as a whole, the last
// one needs no newline, and the server ends without an error when its input ends.
func TestFraming(t *testing.T) {
	lines := []string{hello, called, "  ", ping("2", maxMessage-1), ping("3", maxMessage), ping("4", 0), "{"}
	var errs bytes.Buffer
	client := &dialogue{Reader: strings.NewReader(strings.Join(lines, "\n")), answers: 4, done: make(chan struct{})}
	require.Equal(t, 0, run(nil, client, client, &errs))
	assert.Empty(t, errs.String())
	out := client.output.String()
	answers := map[string]int{} // code of the error by id
	require.True(t, strings.HasSuffix(out, "\n"))
	for line := range strings.Lines(out) {
		var m message
		require.NoError(t, json.Unmarshal([]byte(line), &m), line)
		code := 0
		if m.Error != nil {
			code = m.Error.Code
			if m.Error.Message == "the message is too long" {
				m.ID = json.RawMessage("long")
			}
		}
		answers[string(m.ID)] = code
	}
	assert.Equal(t, map[string]int{"1": 0, "2": 0, "long": -32600, "null": -32700, "4": 0}, answers)
	assert.True(t, client.closed.Load(), "the input is closed")
}

// A dialogue is a client that sends lines and ends its input after a number of answers.
type dialogue struct {
	io.Reader
	answers int
	output  bytes.Buffer
	done    chan struct{}
	closed  atomic.Bool
}

func (d *dialogue) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if n == 0 && err != nil {
		select {
		case <-d.done:
		case <-time.After(20 * time.Second):
		}
	}
	return n, err
}

// Write is called by one goroutine at a time.
func (d *dialogue) Write(p []byte) (int, error) {
	d.output.Write(p)
	if bytes.Count(d.output.Bytes(), []byte("\n")) == d.answers {
		close(d.done)
	}
	return len(p), nil
}

func (d *dialogue) Close() error { d.closed.Store(true); return nil }

// An error of the connection goes to stderr. The answers' stream stays empty.
func TestErrorsGoToStderr(t *testing.T) {
	var errs bytes.Buffer
	serve(t.Context(), &tools.Service{Now: time.Now}, brokenTransport{}, &errs)
	assert.Equal(t, "idumb-mcp: the pipe broke\n", errs.String())

	var out bytes.Buffer
	errs.Reset()
	assert.Equal(t, 1, run([]string{"--nonsense"}, nil, &out, &errs))
	assert.Equal(t, "error: flag provided but not defined: -nonsense; see --help\n", errs.String())
	assert.Empty(t, out.String())

	errs.Reset()
	assert.Equal(t, 0, run([]string{"--help"}, nil, &out, &errs))
	assert.Empty(t, errs.String())
	assert.True(t, strings.HasPrefix(out.String(), usage))
	assert.Contains(t, out.String(), "-version")
}

type brokenTransport struct{}

func (brokenTransport) Connect(context.Context) (mcp.Connection, error) {
	return nil, errors.New("the pipe broke")
}

// A cancelled context ends the server without an error, also while it waits for a line.
func TestCancelEndsServer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, end := io.Pipe()
	defer end.Close()
	var errs bytes.Buffer
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		serve(ctx, &tools.Service{Now: time.Now}, newTransport(in, io.Discard), &errs)
	}()
	cancel()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the server waits for a line")
	}
	assert.Empty(t, errs.String())
	_, err := end.Write([]byte("x"))
	assert.ErrorIs(t, err, io.ErrClosedPipe, "the input is closed")
}

// A message that cannot be written is an error.
func TestWriteErrors(t *testing.T) {
	l := newTransport(io.NopCloser(strings.NewReader("")), brokenWriter{})
	request, refusal := decode([]byte(ping("1", 0)), false)
	require.Nil(t, refusal)
	assert.ErrorIs(t, l.Write(t.Context(), request), io.ErrShortWrite)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	l.output = &out
	assert.ErrorIs(t, l.Write(ctx, request), context.Canceled)
	assert.Empty(t, out.String())
	require.NoError(t, l.Write(t.Context(), request))
	assert.Equal(t, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n", out.String())
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Codex asks its user before each call of a tool that may destroy something: only a command line may.
func TestAnnotations(t *testing.T) {
	for _, d := range tools.Definitions() {
		a := protocolTool(d).Annotations
		if d.Name == "govern_shell" {
			assert.Nil(t, a)
		} else if assert.NotNil(t, a, d.Name) {
			assert.False(t, *a.DestructiveHint, d.Name)
			assert.False(t, *a.OpenWorldHint, d.Name)
		}
	}
}
