package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// otherVersion serves in the project as a controller that speaks another protocol, until it is asked
// to end. It returns how often it was.
func (p *project) otherVersion(protocol string) (stops func() int) {
	t := p.t
	root := layout.Root(p.root)
	require.NoError(t, os.MkdirAll(root.Abs(layout.RunDir), 0o700))
	hook, err := net.Listen("unix", root.Abs(layout.HookSocket))
	require.NoError(t, err)
	api, err := net.Listen("unix", root.Abs(layout.APISocket))
	require.NoError(t, err)
	t.Cleanup(func() { hook.Close(); api.Close() })
	go func() {
		for {
			conn, err := hook.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadAll(conn)
			_, _ = conn.Write(frame.AppendNo(nil, "frame: the question is not asked in protocol IDUMB/"+protocol))
			conn.Close()
		}
	}()
	asked := make(chan string, 100)
	go func() {
		_ = http.Serve(api, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- r.Method + " " + r.URL.Path
			w.WriteHeader(http.StatusAccepted)
			w.(http.Flusher).Flush()
			hook.Close()
			api.Close()
		}))
	}()
	return func() int {
		for range len(asked) {
			assert.Equal(t, "POST /stop", <-asked)
			asked <- "POST /stop"
		}
		return len(asked)
	}
}

func TestAnOlderControllerMakesRoom(t *testing.T) {
	p := starting(t)
	stops := p.otherVersion("0")
	notice, a := p.session("one")
	assert.Equal(t, 1, stops())
	assert.Contains(t, notice, "controller was started")
	assert.Contains(t, a.context, "<idumb_context>")
	p.pid()
	p.session("two")
	assert.Equal(t, 1, stops(), "once")
}

func TestANewerControllerStays(t *testing.T) {
	p := starting(t)
	stops := p.otherVersion("2")
	p.env = []string{"IDUMB_AUTOSTART=off"}
	notice, _ := p.session("one")
	assert.Contains(t, notice, "later version")
	denied := p.ask("PreToolUse", map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": "src/a.go", "content": "x"}})
	assert.True(t, strings.Contains(denied.stdout, "GOVERNANCE BLOCK"), "the gate holds: %s", denied.stdout)
	assert.NotContains(t, denied.stdout, "later version")
	assert.Zero(t, stops())
}
