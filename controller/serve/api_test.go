//go:build linux

package serve

import (
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/serve/frame"
)

// request sends a request as it stands and returns the head and the body of the answer.
func (k *served) request(line string) (head, body string) {
	k.t.Helper()
	conn := k.dial(".idumb/run/api.sock")
	_, err := io.WriteString(conn, line+" HTTP/1.0\r\n\r\n")
	require.NoError(k.t, err)
	answer, err := io.ReadAll(conn)
	require.NoError(k.t, err)
	head, body, _ = strings.Cut(string(answer), "\r\n\r\n")
	return head, body
}

func TestWhoServes(t *testing.T) {
	k := open(t)
	client, err := Dial(t.Context(), k.root)
	require.NoError(t, err)
	defer client.Close()
	assert.Equal(t, Peer{UID: os.Geteuid(), PID: os.Getpid()}, client.Peer())
	var v Version
	require.NoError(t, client.Ask(t.Context(), http.MethodGet, "/version", &v))
	assert.NotZero(t, v.PIDNamespace)
	assert.False(t, v.Started.IsZero())
	assert.Equal(t, Version{
		Version: "v1", Protocol: frame.Protocol, PID: os.Getpid(), PIDNamespace: v.PIDNamespace, Started: v.Started,
		Root: string(k.root), UID: os.Geteuid(),
	}, v)
	var h controller.Heartbeat
	require.NoError(t, client.Ask(t.Context(), http.MethodGet, "/status", &h))
	assert.Equal(t, controller.Heartbeat{PID: 7, Reconciles: 3, Since: h.Since, Updated: h.Updated}, h)
	_, body := k.request("GET /healthz")
	assert.Equal(t, "ok", body)
}

func TestStopIsAnsweredAndDone(t *testing.T) {
	k := open(t)
	_, body := k.request("GET /stop")
	assert.Contains(t, body, "MethodNotAllowed")
	assert.Empty(t, k.stopped)
	client, err := Dial(t.Context(), k.root)
	require.NoError(t, err)
	defer client.Close()
	var s Status
	require.NoError(t, client.Ask(t.Context(), http.MethodPost, "/stop", &s))
	assert.Equal(t, "Success", s.Status)
	<-k.stopped
}

func TestErrorsAreKubernetes(t *testing.T) {
	k := open(t)
	head, body := k.request("GET /apis/nothing")
	assert.Contains(t, head, "404 Not Found")
	assert.Contains(t, head, "Content-Type: application/json")
	assert.JSONEq(t, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server could not find the requested resource","reason":"NotFound","code":404}`, body)
	head, body = k.request("DELETE /healthz")
	assert.Contains(t, head, "405 Method Not Allowed")
	assert.Contains(t, body, `"reason":"MethodNotAllowed"`)
	client, err := Dial(t.Context(), k.root)
	require.NoError(t, err)
	defer client.Close()
	assert.EqualError(t, client.Ask(t.Context(), http.MethodGet, "/nothing", nil), "the controller answered /nothing: the server could not find the requested resource")
}

func TestMoreIsAnsweredElsewhere(t *testing.T) {
	root := repository(t, t.TempDir())
	server := New(root, Options{
		Log: slog.New(slog.DiscardHandler),
		API: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/break" {
				panic("oh dear")
			}
			Answer(w, http.StatusOK, r.URL.Path)
		}),
	})
	require.NoError(t, server.Open())
	defer server.Close()
	k := &served{t: t, root: root}
	_, body := k.request("GET /apis/ours")
	assert.Equal(t, "\"/apis/ours\"\n", body)
	head, body := k.request("GET /break")
	assert.Contains(t, head, "500 Internal Server Error")
	assert.Contains(t, body, `"reason":"InternalError"`)
}
