//go:build linux

package page

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/acts/actstest"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// shop is a repository with a controller that serves pages.

// hostile is what a stranger writes into a field.

const hostile = `<img src=x onerror=alert(1)>`

// ask asks for a page, as the command does.

// send sends a request to the page's host as the page would, changed by change.

// trade trades the code of the last link.

// token opens a page of a person's.

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
	var g tokenGrants
	code := g.issue("", now)
	_, err := g.exchange("", now)
	require.ErrorIs(t, err, errNoCode)
	_, err = g.exchange(code, now.Add(codeLife+time.Second))
	require.ErrorIs(t, err, errNoCode)
	one, err := g.exchange(code, now)
	require.NoError(t, err)
	assert.Len(t, one.token, 43, "256 bits")
	assert.NotEqual(t, code, one.token)
	assert.Nil(t, g.lookup(code, now), "a code is no token")
	assert.Nil(t, g.lookup("", now))
	for range maxGrants {
		g.issue("", now)
	}
	assert.Nil(t, g.lookup(one.token, now))
	assert.True(t, one.isRevoked())
}

// watch looks at kinds, and returns the lines that come.

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

// spec is a field of a file.

func TestActionsAreTheCommandsSteps(t *testing.T) {
	s := openShop(t)
	token := s.token()
	schema := resources.Key{Kind: resources.Tasks, Name: "schema"}
	status, text := s.act(token, "start", actRequest{Object: "task/schema"})
	require.Equal(t, http.StatusOK, status, text)
	assert.Equal(t, "active", s.spec(schema, "state"))
	status, text = s.act(token, "complete", actRequest{Object: "task/schema"})
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.Contains(t, text, `cannot complete task \"schema\"`, "in the words of the command")
	status, text = s.act(token, "priority", actRequest{Object: "task/schema", Said: acts.Said{Priority: "urgent"}})
	assert.Equal(t, http.StatusUnprocessableEntity, status, text)
	status, text = s.act(token, "priority", actRequest{Object: "task/schema", Said: acts.Said{Priority: "high"}})
	require.Equal(t, http.StatusOK, status, text)
	assert.Equal(t, "high", s.spec(schema, "priority"))
	status, text = s.act(token, "undo", actRequest{})
	require.Equal(t, http.StatusOK, status, text)
	assert.Nil(t, s.spec(schema, "priority"))
	status, text = s.act(token, "undo", actRequest{})
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.Contains(t, text, "nothing to undo")
	status, text = s.act(token, "confirm", actRequest{Object: "mem/tokens"})
	require.Equal(t, http.StatusOK, status, text)
	status, text = s.act(token, "supersede", actRequest{Object: "mem/tokens", Said: acts.Said{Content: "Tokens live 7 days"}})
	require.Equal(t, http.StatusOK, status, text)
	status, text = s.act(token, "intent", actRequest{Object: "workplan/accounts", Said: acts.Said{Intent: "Sign-in first"}})
	require.Equal(t, http.StatusOK, status, text)
	assert.Equal(t, "Sign-in first", s.spec(resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName}, "intent"))
}

func TestWhoSawAnOlderVersionIsTold(t *testing.T) {
	s := openShop(t)
	token := s.token()
	status, text := s.act(token, "abandon", actRequest{Object: "task/form", ResourceVersion: "0123", Said: acts.Said{Reason: "no"}})
	assert.Equal(t, http.StatusConflict, status, text)
	status, text = s.act(token, "priority", actRequest{Object: "task/form", Said: acts.Said{Priority: "high"}})
	require.Equal(t, http.StatusOK, status, text)
	require.NoError(t, os.WriteFile(s.root.Abs(".idumb/tasks/form.json"), []byte(`{"spec": {"workPlan": "accounts", "expectedOutput": "y"}}`), 0o644))
	status, text = s.act(token, "undo", actRequest{})
	assert.Equal(t, http.StatusConflict, status, "what somebody wrote since stays: %s", text)
	assert.Equal(t, "y", s.spec(resources.Key{Kind: resources.Tasks, Name: "form"}, "expectedOutput"))
}

func TestWhatIsNotInTheListIsNotDone(t *testing.T) {
	s := openShop(t)
	token := s.token()
	for _, name := range []string{"run", "research", "trust", "untrust", "hook", "init", "import", "migrate", "controller", "edit", "config", "delete", "apply", "patch", ""} {
		for _, object := range []string{"task/form", "role/executor", "config/config", "mem/tokens"} {
			status, text := s.act(token, name, actRequest{Object: object})
			assert.GreaterOrEqual(t, status, 400, "%s %s: %s", name, object, text)
		}
	}
	for _, a := range acts.All() {
		for _, object := range []string{"role/executor", "config/config", "trigger/x", "task/../../x", "nothing/x", ""} {
			status, text := s.act(token, a.Name, actRequest{Object: object, Said: acts.Said{Reason: "x", To: "x", Evidence: "x", Content: "x", Priority: "low"}})
			assert.GreaterOrEqual(t, status, 400, "%s %s: %s", a.Name, object, text)
		}
	}
	status, text, _ := s.send(http.MethodPost, "/actions/start", token, map[string]any{"object": "task/form", "who": "somebody"}, nil)
	assert.Equal(t, http.StatusBadRequest, status, text)
}

// An act that is added to the table is on the page, with what it asks, and is done from there.
func TestAnActOfTheTableIsOnThePage(t *testing.T) {
	s := openShop(t)
	s.pages.acts = pageActs(append(acts.All(), actstest.Toy()))
	token := s.token()
	_, text, _ := s.send(http.MethodGet, "/me", token, nil, nil)
	assert.Contains(t, text, `{"name":"polish","key":"P","label":"Polish","kinds":["tasks"],"phases":["planned"],"asks":[{"field":"reason","label":"How?","required":true}]}`)
	status, text := s.act(token, "polish", actRequest{Object: "task/schema", Said: acts.Said{Reason: "brightly"}})
	require.Equal(t, http.StatusOK, status, text)
	assert.Equal(t, "brightly", s.spec(resources.Key{Kind: resources.Tasks, Name: "schema"}, "notes"))
}

// An act that creates an object takes none, and is judged like the command.
func TestATaskIsCreated(t *testing.T) {
	s := openShop(t)
	token := s.token()
	said := acts.Said{Title: "Sign-out", DependsOn: []string{"schema"}, Commands: []string{"go test ./out"}}
	status, text := s.act(token, "create-task", actRequest{Object: "task/schema", Said: said})
	assert.GreaterOrEqual(t, status, 400, text)
	status, text = s.act(token, "create-task", actRequest{Said: acts.Said{Title: "Sign-out", DependsOn: []string{"nothing"}}})
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.Contains(t, text, "nothing")
	status, text = s.act(token, "create-task", actRequest{Said: said})
	require.Equal(t, http.StatusOK, status, text)
	assert.Contains(t, text, `{"object":"tasks/sign-out","undo":false,`)
	assert.Equal(t, "Sign-out", s.spec(resources.Key{Kind: resources.Tasks, Name: "sign-out"}, "expectedOutput"))
}

// The to-do list of an agent becomes a plan, once.
func TestAListIsAdopted(t *testing.T) {
	s := openShop(t)
	key := s.sessionWithList(t)
	token := s.token()
	adopt := actRequest{Object: "session/" + key.Name, Said: acts.Said{State: "draft"}}
	status, text := s.act(token, "adopt", adopt)
	require.Equal(t, http.StatusOK, status, text)
	assert.Contains(t, text, `"object":"workplans/to-do-list-of-claude-`)
	l, _ := hooks.TodoListOf(s.root, key.Name)
	assert.Equal(t, "draft", s.spec(resources.Key{Kind: resources.WorkPlans, Name: l.Adopted}, "state"))
	assert.Equal(t, "Dig the bed", s.spec(resources.Key{Kind: resources.Tasks, Name: l.Items[0].Task}, "title"))
	status, text = s.act(token, "adopt", adopt)
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.Contains(t, text, "is already workplan/")
}

// sessionWithList returns a session of the shop, for which it records a to-do list.
func (s *shop) sessionWithList(t *testing.T) resources.Key {
	t.Helper()
	key, now := resources.Key{Kind: resources.Sessions, Name: "gardener"}, time.Now().UTC().Format(time.RFC3339)
	require.NoError(t, s.root.Replace(layout.Path(key), []byte(`{"spec": {"host": "claude", "startedAt": "`+now+`", "lastSeenAt": "`+now+`"}}`)))
	require.NoError(t, hooks.ChangeTodoList(s.root, key.Name, func(l *resources.TodoList) bool {
		l.Host = "claude"
		return l.Apply(&resources.TodoChange{Whole: true, Items: []resources.Todo{{Text: "Dig the bed", State: resources.TodoActive}}})
	}))
	return key
}

func TestAnAgentsPageOnlyLooks(t *testing.T) {
	s := openShop(t)
	me := process.Ancestors(os.Getpid())
	require.NotEmpty(t, me)
	require.NoError(t, callers.RecordAgent(s.root, callers.Agent{Process: me[0], Session: "s-1"}))
	opened := s.ask()
	assert.Contains(t, opened.ReadOnly, "an agent opened")
	_, token := s.trade()
	status, text, _ := s.send(http.MethodGet, "/me", token, nil, nil)
	require.Equal(t, http.StatusOK, status)
	assert.Contains(t, text, `"actions":[]`)
	for _, a := range acts.All() {
		status, text := s.act(token, a.Name, actRequest{Object: "task/schema"})
		assert.Equal(t, http.StatusForbidden, status, a.Name)
		assert.Contains(t, text, "an agent opened")
	}
	assert.Nil(t, s.spec(resources.Key{Kind: resources.Tasks, Name: "schema"}, "state"))
}

func TestASiteEndsAfterItsLastPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &site{http: &http.Server{}, idle: nil}
		s.idle = time.AfterFunc(keepAlive, s.closeIdle)
		time.Sleep(keepAlive - time.Second)
		s.countRequests(1)
		time.Sleep(time.Hour)
		assert.True(t, s.extend(), "somebody looks")
		s.countRequests(-1)
		time.Sleep(keepAlive - time.Second)
		assert.True(t, s.extend(), "they may come back")
		time.Sleep(keepAlive + time.Second)
		synctest.Wait()
		assert.False(t, s.extend())
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
	assert.LessOrEqual(t, size[".js"], 120_000)
	assert.LessOrEqual(t, size[".css"], 24_000)
}

func FuzzWish(f *testing.F) {
	for _, text := range []string{`{"object":"task/form","reason":"x"}`, `{"object":1}`, `{}{}`, `{"object":"task/\u202e"}`, "", "[]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var in actRequest
		if read(bytes.NewReader(data), &in) == nil {
			assert.True(t, json.Valid(data))
		}
	})
}

// A remark, an answer to a question, and what holds a task until it is released.
