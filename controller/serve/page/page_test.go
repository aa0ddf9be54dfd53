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
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/once"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
)

// shop is a repository with a controller that serves pages.
type shop struct {
	t    *testing.T
	root layout.Root
	host string // of the page
	link string // the last one, with its code
}

// hostile is what a stranger writes into a field.
const hostile = `<img src=x onerror=alert(1)>`

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
	s := &shop{t: t, root: layout.Root(dir)}
	log := slog.New(slog.DiscardHandler)
	pages := New(ctx, Options{Root: s.root, Repo: repo, By: "lead", Log: log, API: serve.NewQuestions(ctx, s.root, m, packs.Stock(), inventory.New(s.root, 1))})
	server := serve.New(s.root, serve.Options{Log: log, API: pages.API, Page: pages})
	pages.Counted = server.Counted
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

// ask asks for a page, as the command does.
func (s *shop) ask() Opened {
	s.t.Helper()
	client, err := serve.Dial(s.t.Context(), s.root)
	require.NoError(s.t, err)
	defer client.Close()
	var opened Opened
	require.NoError(s.t, client.Ask(s.t.Context(), http.MethodPost, "/page", &opened))
	link, err := url.Parse(opened.URL)
	require.NoError(s.t, err)
	s.host, s.link = link.Host, opened.URL
	return opened
}

// send sends a request to the page's host as the page would, changed by change.
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

// trade trades the code of the last link.
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

// token opens a page of a person's.
func (s *shop) token() string {
	s.ask()
	status, token := s.trade()
	require.Equal(s.t, http.StatusOK, status, token)
	return token
}

func TestOnlyThePageItselfIsAnswered(t *testing.T) {
	s := openShop(t)
	token := s.token()
	own := "http://" + s.host
	for name, c := range map[string]struct {
		path, token string
		change      func(*http.Request)
		want        int
	}{
		"as the page":               {"/me", token, nil, 200},
		"its file, typed":           {"/", "", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 200},
		"by its other name":         {"/me", token, func(r *http.Request) { r.Host = "localhost:" + r.URL.Port() }, 200},
		"foreign host":              {"/me", token, func(r *http.Request) { r.Host = "evil.example:" + r.URL.Port() }, 421},
		"foreign host, file":        {"/", "", func(r *http.Request) { r.Host = "evil.example" }, 421},
		"no port":                   {"/", "", func(r *http.Request) { r.Host = "127.0.0.1" }, 421},
		"foreign origin":            {"/me", token, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"no origin to speak of":     {"/me", token, func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"foreign origin, file":      {"/app.css", "", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"origin of another port":    {"/me", token, func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, 403},
		"two origins":               {"/me", token, func(r *http.Request) { r.Header["Origin"] = []string{own, "https://evil.example"} }, 403},
		"from another site":         {"/me", token, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"from another port":         {"/me", token, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 403},
		"typed":                     {"/me", token, func(r *http.Request) { r.Header.Del("Sec-Fetch-Site") }, 403},
		"no token":                  {"/me", "", nil, 401},
		"wrong token":               {"/me", token[1:] + "A", nil, 401},
		"token as a cookie":         {"/me", "", func(r *http.Request) { r.Header.Set("Cookie", "token="+token) }, 401},
		"token in the address":      {"/me?token=" + token, "", nil, 401},
		"objects without a token":   {"/apis/idumb.dev/v1alpha1/tasks", "", nil, 401},
		"watch without a token":     {"/watch?kind=tasks", "", nil, 401},
		"question without a token":  {"/q/overview", "", nil, 401},
		"a question of others":      {"/q/can-i", token, nil, 403},
		"the controller's own door": {"/stop", token, nil, 404},
		"out of the folder":         {"/..%2fpage.go", "", nil, 404},
		"objects":                   {"/apis/idumb.dev/v1alpha1/tasks", token, nil, 200},
		"a kind that there is not":  {"/watch?kind=nothing", token, nil, 400},
	} {
		status, text, header := s.send(http.MethodGet, c.path, c.token, nil, c.change)
		assert.Equal(t, c.want, status, "%s: %s", name, text)
		assert.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'", name)
		assert.Contains(t, header.Get("Content-Security-Policy"), "; trusted-types stream", name)
		assert.Equal(t, "no-store", header.Get("Cache-Control"), name)
		assert.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), name)
		assert.Empty(t, header.Values("Set-Cookie"), name)
		assert.Empty(t, header.Values("Access-Control-Allow-Origin"), name)
	}
	status, _, _ := s.send(http.MethodPatch, "/apis/idumb.dev/v1alpha1/tasks/form", token, nil, nil)
	assert.Equal(t, http.StatusMethodNotAllowed, status, "writes go through the list of actions")
}

func TestALinkWorksOnce(t *testing.T) {
	s := openShop(t)
	token := s.token()
	status, _, _ := s.send(http.MethodGet, "/me", token, nil, nil)
	require.Equal(t, http.StatusOK, status)
	status, told := s.trade()
	assert.Equal(t, http.StatusForbidden, status)
	assert.Contains(t, told, "was used before", "the second is told")
	status, text, _ := s.send(http.MethodGet, "/me", token, nil, nil)
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.Contains(t, text, "was used before", "and so is the first")
	next := s.token()
	status, _, _ = s.send(http.MethodGet, "/me", next, nil, nil)
	assert.Equal(t, http.StatusOK, status, "another page is none the worse")
}

func TestTheFirstIsToldWhileItLooks(t *testing.T) {
	s := openShop(t)
	lines := s.watch(s.token(), "tasks")
	s.trade()
	for line := range lines {
		if strings.Contains(line, "REVOKED") {
			return
		}
	}
	t.Fatal("the stream ended without a word")
}

func TestCodesAreForgotten(t *testing.T) {
	now := time.Now()
	var g grants
	code := g.issue("", now)
	_, err := g.trade("", now)
	require.ErrorIs(t, err, errNoCode)
	_, err = g.trade(code, now.Add(codeLife+time.Second))
	require.ErrorIs(t, err, errNoCode)
	one, err := g.trade(code, now)
	require.NoError(t, err)
	assert.Len(t, one.token, 43, "256 bits")
	assert.NotEqual(t, code, one.token)
	assert.Nil(t, g.of(code), "a code is no token")
	assert.Nil(t, g.of(""))
	for range maxGrants {
		g.issue("", now)
	}
	assert.Nil(t, g.of(one.token))
	assert.True(t, one.over())
}

// watch looks at kinds, and returns the lines that come.
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

func TestOneStreamOfSeveralKinds(t *testing.T) {
	s := openShop(t)
	lines := s.watch(s.token(), "tasks,workplans,mems,tasks")
	marks, objects := 0, map[string]bool{}
	for line := range lines {
		var e struct {
			Type   string
			Object struct {
				Kind     string
				Metadata struct{ Name string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &e), line)
		if e.Type == "BOOKMARK" {
			if marks++; marks == 3 {
				break
			}
			continue
		}
		objects[e.Object.Kind+"/"+e.Object.Metadata.Name] = true
	}
	assert.True(t, objects["TaskNode/form"] && objects["WorkPlan/accounts"] && objects["Mem/tokens"], objects)
	require.NoError(t, os.WriteFile(s.root.Abs(".idumb/tasks/late.json"), []byte(`{"spec": {"workPlan": "accounts", "expectedOutput": "x"}}`), 0o644))
	for line := range lines {
		if strings.Contains(line, `"late"`) {
			return
		}
	}
	t.Fatal("a change never came")
}

// act does an action and returns its answer.
func (s *shop) act(token, name string, in wish) (int, string) {
	status, text, _ := s.send(http.MethodPost, "/actions/"+name, token, in, nil)
	return status, text
}

// spec is a field of a file.
func (s *shop) spec(key resources.Key, field string) any {
	s.t.Helper()
	data, err := os.ReadFile(s.root.Abs(layout.Path(key)))
	require.NoError(s.t, err)
	var o struct{ Spec map[string]any }
	require.NoError(s.t, json.Unmarshal(data, &o))
	return o.Spec[field]
}

func TestActionsAreTheCommandsSteps(t *testing.T) {
	s := openShop(t)
	token := s.token()
	schema := resources.Key{Kind: resources.Tasks, Name: "schema"}
	status, text := s.act(token, "start", wish{Object: "task/schema"})
	require.Equal(t, http.StatusOK, status, text)
	assert.Equal(t, "active", s.spec(schema, "state"))
	status, text = s.act(token, "complete", wish{Object: "task/schema"})
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.Contains(t, text, `cannot complete task \"schema\"`, "in the words of the command")
	status, text = s.act(token, "priority", wish{Object: "task/schema", Priority: "urgent"})
	assert.Equal(t, http.StatusUnprocessableEntity, status, text)
	status, text = s.act(token, "priority", wish{Object: "task/schema", Priority: "high"})
	require.Equal(t, http.StatusOK, status, text)
	assert.Equal(t, "high", s.spec(schema, "priority"))
	status, text = s.act(token, "undo", wish{})
	require.Equal(t, http.StatusOK, status, text)
	assert.Nil(t, s.spec(schema, "priority"))
	status, text = s.act(token, "undo", wish{})
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.Contains(t, text, "nothing to undo")
	status, text = s.act(token, "confirm", wish{Object: "mem/tokens"})
	require.Equal(t, http.StatusOK, status, text)
	status, text = s.act(token, "supersede", wish{Object: "mem/tokens", Content: "Tokens live 7 days"})
	require.Equal(t, http.StatusOK, status, text)
	status, text = s.act(token, "intent", wish{Object: "workplan/accounts", Intent: "Sign-in first"})
	require.Equal(t, http.StatusOK, status, text)
	assert.Equal(t, "Sign-in first", s.spec(resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}, "intent"))
}

func TestWhoSawAnOlderVersionIsTold(t *testing.T) {
	s := openShop(t)
	token := s.token()
	status, text := s.act(token, "abandon", wish{Object: "task/form", Reason: "no", ResourceVersion: "0123"})
	assert.Equal(t, http.StatusConflict, status, text)
	status, text = s.act(token, "priority", wish{Object: "task/form", Priority: "high"})
	require.Equal(t, http.StatusOK, status, text)
	require.NoError(t, os.WriteFile(s.root.Abs(".idumb/tasks/form.json"), []byte(`{"spec": {"workPlan": "accounts", "expectedOutput": "y"}}`), 0o644))
	status, text = s.act(token, "undo", wish{})
	assert.Equal(t, http.StatusConflict, status, "what somebody wrote since stays: %s", text)
	assert.Equal(t, "y", s.spec(resources.Key{Kind: resources.Tasks, Name: "form"}, "expectedOutput"))
}

func TestWhatIsNotInTheListIsNotDone(t *testing.T) {
	s := openShop(t)
	token := s.token()
	for _, name := range []string{"run", "research", "trust", "untrust", "hook", "init", "import", "migrate", "controller", "edit", "config", "delete", "apply", "patch", ""} {
		for _, object := range []string{"task/form", "role/executor", "config/config", "mem/tokens"} {
			status, text := s.act(token, name, wish{Object: object})
			assert.GreaterOrEqual(t, status, 400, "%s %s: %s", name, object, text)
		}
	}
	for _, a := range allActions() {
		for _, object := range []string{"role/executor", "config/config", "trigger/x", "task/../../x", "nothing/x", ""} {
			status, text := s.act(token, a.Name, wish{Object: object, Reason: "x", To: "x", Evidence: "x", Content: "x", Priority: "low"})
			assert.GreaterOrEqual(t, status, 400, "%s %s: %s", a.Name, object, text)
		}
	}
	status, text, _ := s.send(http.MethodPost, "/actions/start", token, map[string]any{"object": "task/form", "who": "somebody"}, nil)
	assert.Equal(t, http.StatusBadRequest, status, text)
}

func TestAnAgentsPageOnlyLooks(t *testing.T) {
	s := openShop(t)
	me := process.Above(os.Getpid())
	require.NotEmpty(t, me)
	require.NoError(t, callers.Settle(s.root, callers.Agent{Process: me[0], Session: "s-1"}))
	opened := s.ask()
	assert.Contains(t, opened.ReadOnly, "an agent asked")
	_, token := s.trade()
	status, text, _ := s.send(http.MethodGet, "/me", token, nil, nil)
	require.Equal(t, http.StatusOK, status)
	assert.Contains(t, text, `"actions":[]`)
	for _, a := range allActions() {
		status, text := s.act(token, a.Name, wish{Object: "task/schema"})
		assert.Equal(t, http.StatusForbidden, status, a.Name)
		assert.Contains(t, text, "an agent asked")
	}
	assert.Nil(t, s.spec(resources.Key{Kind: resources.Tasks, Name: "schema"}, "state"))
}

func TestASiteEndsAfterItsLastPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &site{http: &http.Server{}, idle: nil}
		s.idle = time.AfterFunc(linger, s.end)
		time.Sleep(linger - time.Second)
		s.move(1)
		time.Sleep(time.Hour)
		assert.True(t, s.stay(), "somebody looks")
		s.move(-1)
		time.Sleep(linger - time.Second)
		assert.True(t, s.stay(), "they may come back")
		time.Sleep(linger + time.Second)
		synctest.Wait()
		assert.False(t, s.stay())
	})
}

func TestTheRedirectIsTheOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	t.Setenv("XDG_RUNTIME_DIR", dir)
	victim := filepath.Join(t.TempDir(), "victim")
	require.NoError(t, os.WriteFile(victim, []byte("mine"), 0o644))
	file, err := WriteRedirect("http://127.0.0.1:7/#once=a\"><script>")
	require.NoError(t, err)
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Symlink(victim, file))
	again, err := WriteRedirect("http://127.0.0.1:7/#once=b")
	require.NoError(t, err)
	assert.Equal(t, file, again)
	info, err := os.Lstat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
	data, err := os.ReadFile(victim)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(data))
	data, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(data), `content="0;url=http://127.0.0.1:7/#once=b"`)
	assert.NotContains(t, string(data), "<script")
}

// The page is small, and there is nothing in it that its own rules forbid.
func TestThePageIsSmallAndPlain(t *testing.T) {
	size := map[string]int{}
	files, err := static.ReadDir("static")
	require.NoError(t, err)
	for _, f := range files {
		data, err := static.ReadFile("static/" + f.Name())
		require.NoError(t, err)
		size[filepath.Ext(f.Name())] += len(data)
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", " style=", "onclick=\"", "http://", "https://", "document.cookie", "localStorage.setItem('token"} {
			text := strings.ReplaceAll(string(data), "http://www.w3.org/2000/svg", "")
			assert.NotContains(t, text, bad, f.Name())
		}
	}
	assert.LessOrEqual(t, size[".js"], 60_000)
	assert.LessOrEqual(t, size[".css"], 20_000)
}

func FuzzWish(f *testing.F) {
	for _, text := range []string{`{"object":"task/form","reason":"x"}`, `{"object":1}`, `{}{}`, `{"object":"task/\u202e"}`, "", "[]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var in wish
		if read(bytes.NewReader(data), &in) == nil {
			assert.True(t, json.Valid(data))
		}
	})
}

// A remark, an answer to a question, and what holds a task until it is released.
func TestWhatIsSaidOnThePage(t *testing.T) {
	s := openShop(t)
	token := s.token()
	did := func(name string, in wish) string {
		t.Helper()
		status, text := s.act(token, name, in)
		require.Equal(t, http.StatusOK, status, text)
		var said struct{ Object string }
		require.NoError(t, json.Unmarshal([]byte(text), &said))
		return strings.TrimPrefix(said.Object, "comments/")
	}
	c := resources.Key{Kind: resources.Comments, Name: did("comment", wish{Object: "task/form", Content: "Same error for both.", ResourceVersion: "seen long ago"})}
	assert.Equal(t, "instruction", s.spec(c, "type"))
	assert.Equal(t, "task/form", s.spec(c, "about"))
	status, text := s.act(token, "hold", wish{Object: "task/form"})
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.Contains(t, text, "is not held")
	held := did("hold", wish{Object: "task/form", Content: "Which way?"})
	assert.Equal(t, true, s.spec(resources.Key{Kind: resources.Comments, Name: held}, "hold"))
	released := resources.Key{Kind: resources.Comments, Name: did("hold", wish{Object: "task/form"})}
	assert.Equal(t, []any{held}, s.spec(released, "resolves"))
	asked := did("hold", wish{Object: "task/form", Content: "And that way?"})
	assert.Equal(t, asked, s.spec(resources.Key{Kind: resources.Comments, Name: did("answer", wish{Object: "comment/" + asked, Content: "That one."})}, "inReplyTo"))
	status, text = s.act(token, "hold", wish{Object: "task/form"})
	assert.Equal(t, http.StatusUnprocessableEntity, status, "it was answered: %s", text)
	status, text = s.act(token, "comment", wish{Object: "task/form", Content: strings.Repeat("x", 3000)})
	assert.Equal(t, http.StatusUnprocessableEntity, status, text)
}

// denied has the gate deny a call of a session, and returns what it is called.
func (s *shop) denied(command string) string {
	s.t.Helper()
	event, _ := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": "s-9", "cwd": string(s.root), "tool_name": "Bash", "tool_use_id": "t", "tool_input": map[string]any{"command": command}})
	a, _ := hooks.NewServer(s.root, hooks.Backend{}).Answer(hooks.Asked{Host: "claude", Cwd: string(s.root), Event: event, Now: time.Now()})
	require.Contains(s.t, string(a.Stdout), `"deny"`)
	all, err := records.Denials(s.root, time.Time{})
	require.NoError(s.t, err)
	return all[len(all)-1].Violation.ID()
}

func TestADenialIsDecidedAboutOnThePage(t *testing.T) {
	s := openShop(t)
	token := s.token()
	id := s.denied("git push --force")
	session := "session/s-9"
	status, text := s.act(token, "allow", wish{Object: session})
	assert.Equal(t, http.StatusUnprocessableEntity, status, "it is not said which: %s", text)
	status, text = s.act(token, "allow", wish{Object: session, Args: []string{"000000000000"}})
	assert.Equal(t, http.StatusUnprocessableEntity, status, text)
	status, text = s.act(token, "allow", wish{Object: session, Args: []string{id}, Reason: "mine"})
	require.Equal(t, http.StatusOK, status, text)
	require.Len(t, once.List(s.root, time.Now()), 1)
	assert.Equal(t, "mine", once.List(s.root, time.Now())[0].Reason)
	open, err := records.OpenDenials(s.root, time.Time{})
	require.NoError(t, err)
	assert.Empty(t, open)
	for _, long := range []string{"git push --force " + strings.Repeat("a", 300), "git push --force\nrm -rf src"} {
		status, text = s.act(token, "allow", wish{Object: session, Args: []string{s.denied(long)}})
		assert.Equal(t, http.StatusUnprocessableEntity, status, long)
		assert.Contains(t, text, "does not show all of it")
	}
	status, text = s.act(token, "fine", wish{Object: session, Args: []string{"--fine", s.denied("git push --force --all")}})
	require.Equal(t, http.StatusOK, status, text)
	require.Len(t, once.List(s.root, time.Now()), 1)
	open, err = records.OpenDenials(s.root, time.Time{})
	require.NoError(t, err)
	assert.Len(t, open, 2)
	status, text = s.act(token, "allow", wish{Object: "task/form", Args: []string{id}})
	assert.Equal(t, http.StatusUnprocessableEntity, status, text)
}
