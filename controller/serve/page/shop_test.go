//go:build linux

package page

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
)

type shop struct {
	t     *testing.T
	root  layout.Root
	pages *Pages
	host  string // of the page
	link  string // the last one, with its code
}

func openShop(t *testing.T) *shop {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	for file, text := range map[string]string{
		"workplans/accounts": `{"spec": {"title": "` + hostile + `", "acceptance": ["done"], "state": "active"}}`,
		"tasks/schema":       `{"spec": {"workPlan": "accounts", "expectedOutput": "x"}}`,
		"tasks/form":         `{"spec": {"workPlan": "accounts", "expectedOutput": "x", "dependsOn": ["schema"]}}`,
		"mems/tokens":        `{"spec": {"content": "Tokens live 30 days"}}`,
		"roles/executor":     `{"spec": {"paths": {"write": ["src/**"]}}}`,
	} {
		path := filepath.Join(dir, layout.Dir, file+".json")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	store, err := filestore.Open(dir)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	repo := mutate.Open(store, time.Now, false)
	packs := reconcilers.NewPacks()
	m := controller.New(store, reconcilers.All(packs, repo), controller.Options{})
	log := slog.New(slog.DiscardHandler)
	root := layout.Root(dir)
	pages := New(ctx, Options{Root: root, Repo: repo, User: "lead", Log: log, API: serve.NewQuestions(ctx, root, m, packs.Stock(), inventory.New(root, 1))})
	s := &shop{t: t, root: root, pages: pages}
	server := serve.New(s.root, serve.Options{Log: log, API: pages.API, Page: pages})
	pages.Counted = server.CountActive
	require.NoError(t, server.Open())
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		assert.NoError(t, <-done)
		assert.NoError(t, server.Close())
	})
	require.NoError(t, m.WaitListed(ctx))
	return s
}

func (s *shop) ask() OpenResponse {
	s.t.Helper()
	client, err := serve.Dial(s.t.Context(), s.root)
	require.NoError(s.t, err)
	defer client.Close()
	var opened OpenResponse
	require.NoError(s.t, client.Ask(s.t.Context(), http.MethodPost, "/page", &opened))
	link, err := url.Parse(opened.URL)
	require.NoError(s.t, err)
	s.host, s.link = link.Host, opened.URL
	return opened
}

func (s *shop) send(method, path, token string, body any, change func(*http.Request)) (int, string, http.Header) {
	s.t.Helper()
	data, err := json.Marshal(body)
	require.NoError(s.t, err)
	r, err := http.NewRequestWithContext(s.t.Context(), method, "http://"+s.host+path, bytes.NewReader(data))
	require.NoError(s.t, err)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if method == http.MethodPost {
		r.Header.Set("Origin", "http://"+s.host)
	}
	if change != nil {
		change(r)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(s.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(s.t, err)
	return answer.StatusCode, string(text), answer.Header
}

func (s *shop) trade() (int, string) {
	_, code, _ := strings.Cut(s.link, "#once=")
	status, text, _ := s.send(http.MethodPost, "/once", "", map[string]string{"once": code}, nil)
	var out struct{ Token, Message string }
	require.NoError(s.t, json.Unmarshal([]byte(text), &out), text)
	if out.Token != "" {
		return status, out.Token
	}
	return status, out.Message
}

func (s *shop) token() string {
	s.ask()
	status, token := s.trade()
	require.Equal(s.t, http.StatusOK, status, token)
	return token
}

func (s *shop) watch(token, kinds string) <-chan string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://"+s.host+"/watch?kind="+strings.ReplaceAll(kinds, ",", "&kind="), nil)
	require.NoError(s.t, err)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(s.t, err)
	require.Equal(s.t, http.StatusOK, answer.StatusCode)
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		defer answer.Body.Close()
		in := bufio.NewScanner(answer.Body)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			lines <- in.Text()
		}
	}()
	return lines
}

func (s *shop) act(token, name string, in actRequest) (int, string) {
	status, text, _ := s.send(http.MethodPost, "/actions/"+name, token, in, nil)
	return status, text
}

func (s *shop) spec(key resources.Key, field string) any {
	s.t.Helper()
	data, err := os.ReadFile(s.root.Abs(layout.Path(key)))
	require.NoError(s.t, err)
	var o struct{ Spec map[string]any }
	require.NoError(s.t, json.Unmarshal(data, &o))
	return o.Spec[field]
}

func (s *shop) denied(command string) string {
	s.t.Helper()
	event, _ := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": "s-9", "cwd": string(s.root), "tool_name": "Bash", "tool_use_id": "t", "tool_input": map[string]any{"command": command}})
	a, _ := hooks.NewServer(s.root, hooks.Backend{}).Answer(hooks.Request{Host: "claude", Cwd: string(s.root), Event: event, Now: time.Now()})
	require.Contains(s.t, string(a.Stdout), `"deny"`)
	all, err := records.Denials(s.root, time.Time{})
	require.NoError(s.t, err)
	return all[len(all)-1].Violation.ID()
}
