//go:build linux

package kube

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/reconcilers"
)

// shop is a repository called so, with a controller whose Kubernetes API is open.
type shop struct {
	t      *testing.T
	root   layout.Root
	server *Server
	config Config
	http   http.Client
}

func openShop(t *testing.T) *shop {
	t.Helper()
	root := layout.Root(filepath.Join(t.TempDir(), "shop"))
	s := &shop{t: t, root: root}
	s.write("workplans/accounts", `{"spec": {"title": "Accounts", "acceptance": ["done"], "state": "active"}}`)
	s.write("tasks/db-schema", `{"$schema": "../schemas/task.json", "metadata": {"labels": {"area": "db"}}, "spec": {"workPlan": "accounts", "title": "<b>", "expectedOutput": "x"}}`)
	s.write("tasks/login-api", `{"spec": {"workPlan": "accounts", "expectedOutput": "x", "dependsOn": ["db-schema"]}}`)
	s.start(IdleAfter)
	return s
}

// start starts a controller that opens the API.
func (s *shop) start(idle time.Duration) (end func()) {
	files, err := filestore.Open(string(s.root))
	require.NoError(s.t, err)
	repo := func() mutate.Repo { return mutate.Open(files, time.Now, false) }
	m := controller.New(files, reconcilers.All(reconcilers.NewPacks(), repo()), controller.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	objects := serve.NewQuestions(ctx, s.root, m, nil, inventory.New(s.root, 1))
	s.server = New(Options{Root: s.root, Version: "1.2.3", Log: slog.New(slog.DiscardHandler), Objects: objects, Repo: repo, IdleAfter: idle})
	s.server.SetCounter(func(next http.Handler) http.Handler { return next })
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	end = func() {
		cancel()
		require.NoError(s.t, <-ended)
		s.server.Close()
	}
	s.t.Cleanup(func() {
		if ctx.Err() == nil {
			end()
		}
	})
	require.NoError(s.t, m.WaitSettled(s.t.Context()))
	s.config, err = s.server.Open()
	require.NoError(s.t, err)
	s.trust(s.config.Clusters[0].Cluster.CA)
	return end
}

// trust has the client of the tests believe an authority.
func (s *shop) trust(ca []byte) {
	pool := x509.NewCertPool()
	require.True(s.t, pool.AppendCertsFromPEM(ca))
	s.http.CloseIdleConnections()
	s.http.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true}
	s.t.Cleanup(s.http.CloseIdleConnections)
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	file := s.root.Abs(".idumb/" + name + ".json")
	require.NoError(s.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(s.t, os.WriteFile(file+"~", []byte(text), 0o644))
	require.NoError(s.t, os.Rename(file+"~", file))
}

// file is what the file of an object holds.
func (s *shop) file(name string) string {
	data, err := os.ReadFile(s.root.Abs(".idumb/" + name + ".json"))
	require.NoError(s.t, err)
	return string(data)
}

// own is where our objects are.
const own = "/apis/idumb.dev/v1alpha1/namespaces/shop/"

// ask sends one request. Headers come in pairs.
func (s *shop) ask(method, path, body string, headers ...string) *http.Response {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.config.Clusters[0].Cluster.Server+path, bytes.NewReader([]byte(body)))
	require.NoError(s.t, err)
	request.Header.Set("Authorization", "Bearer "+s.config.Users[0].User.Token)
	request.Header.Set("Accept", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	if host := request.Header.Get("Host"); host != "" {
		request.Host = host
	}
	response, err := s.http.Do(request)
	require.NoError(s.t, err)
	return response
}

// answer is the answer to a request, decoded.
func (s *shop) answer(method, path, body string, headers ...string) (int, map[string]any) {
	s.t.Helper()
	response := s.ask(method, path, body, headers...)
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	var answer map[string]any
	require.NoError(s.t, json.Unmarshal(data, &answer), "%s", data)
	return response.StatusCode, answer
}

func (s *shop) get(path string, headers ...string) map[string]any {
	s.t.Helper()
	code, answer := s.answer(http.MethodGet, path, "", headers...)
	require.Equal(s.t, http.StatusOK, code, answer)
	return answer
}

// lines are the events of a watch, one by one.
func (s *shop) watch(path string, headers ...string) func() map[string]any {
	s.t.Helper()
	response := s.ask(http.MethodGet, path, "", headers...)
	s.t.Cleanup(func() { response.Body.Close() })
	require.Equal(s.t, http.StatusOK, response.StatusCode)
	decoder := json.NewDecoder(response.Body)
	return func() map[string]any {
		var event map[string]any
		require.NoError(s.t, decoder.Decode(&event))
		return event
	}
}

// at is what stands at a path in decoded JSON: "items.0.metadata.name".
func at(value any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}
