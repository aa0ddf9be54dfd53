//go:build linux

package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// shop is a repository called so, with a controller that gives tasks their status and answers.
type shop struct {
	t    *testing.T
	root layout.Root
	http http.Client
	end  func() // the controller
}

func openShop(t *testing.T) *shop {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "Shop_1")
	s := &shop{t: t, root: repository(t, dir)}
	s.write("workplans/p", `{"spec": {"title": "P", "acceptance": ["done"], "state": "active"}}`)
	s.write("tasks/schema", `{"metadata": {"labels": {"area": "db"}}, "spec": {"workPlan": "p", "expectedOutput": "x", "title": "<b>"}}`)
	s.write("tasks/form", `{"metadata": {"labels": {"area": "web"}}, "spec": {"workPlan": "p", "expectedOutput": "x", "dependsOn": ["schema"]}}`)
	s.write("tasks/torn", `{"spec": {`)
	files, err := filestore.Open(dir)
	require.NoError(t, err)
	m := controller.New(files, []controller.Registration{{
		Name: "task",
		Keys: func(change controller.Change, c controller.Client) []resources.Key {
			if change.Key.Kind != resources.Tasks {
				return nil
			}
			return append(c.Dependents(change.Key), change.Key)
		},
		New: func(c controller.Client) controller.Reconciler {
			return controller.Func(func(ctx context.Context, key resources.Key) (controller.Result, error) {
				if !c.Exists(key) {
					return controller.Result{}, c.DeleteStatus(ctx, key)
				}
				var derived resources.TaskStatus
				seen := c.Revision(key)
				if task, good := seen.Object.(*resources.Task); good {
					derived, _ = status.DeriveTask(task, c)
				}
				return controller.Result{}, c.WriteStatus(ctx, seen, &derived)
			})
		},
	}}, controller.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	server := New(s.root, Options{Log: slog.New(slog.DiscardHandler), API: NewQuestions(ctx, s.root, m, nil, nil, queries.Question{Name: "echo", Answer: func(_ *queries.Source, v url.Values) (any, error) { return &v, nil }})})
	require.NoError(t, server.Open())
	done := make(chan error)
	go func() { done <- m.Run(ctx) }()
	s.end = func() {
		cancel()
		require.NoError(t, <-done)
		require.NoError(t, server.Close())
		s.end = func() {}
	}
	t.Cleanup(func() { s.end() })
	require.NoError(t, m.WaitSettled(t.Context()))
	require.Eventually(t, func() bool { return m.WaitCurrent(t.Context()) == nil }, time.Minute, time.Millisecond, "the torn file is believed")
	s.http.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, _, err := dial(ctx, s.root, layout.APISocket)
		return conn, err
	}}
	t.Cleanup(s.http.CloseIdleConnections)
	return s
}

func TestMoreQuestions(t *testing.T) {
	s := openShop(t)
	asked := url.Values{"a": {"1", "2"}}
	answer, hangUp := Query[url.Values](t.Context(), s.root, "echo", asked)
	defer hangUp()
	require.NotNil(t, answer)
	assert.Equal(t, asked, *answer)
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	file := s.root.Abs(".idumb/" + name + ".json")
	require.NoError(s.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(s.t, os.WriteFile(file+"~", []byte(text), 0o644))
	require.NoError(s.t, os.Rename(file+"~", file))
}

const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"

// send asks for a path below objectsPath.
func (s *shop) send(method, path, accept string) *http.Response {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, "http://x"+objectsPath+path, nil)
	require.NoError(s.t, err)
	request.Header.Set("Accept", accept)
	response, err := s.http.Do(request)
	require.NoError(s.t, err)
	return response
}

// get is the answer to a request for a path, decoded.
func (s *shop) get(path, accept string) (code int, answer map[string]any) {
	s.t.Helper()
	response := s.send(http.MethodGet, path, accept)
	defer response.Body.Close()
	require.NoError(s.t, json.NewDecoder(response.Body).Decode(&answer))
	return response.StatusCode, answer
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

func names(answer map[string]any) (found []string) {
	items, _ := answer["items"].([]any)
	for _, item := range items {
		found = append(found, at(item, "metadata.name").(string))
	}
	return found
}

func TestObjectsHaveTheirKubernetesShape(t *testing.T) {
	s := openShop(t)
	_, list := s.get("tasks", "")
	assert.Equal(t, "TaskNodeList", list["kind"])
	assert.Equal(t, resources.APIVersion, list["apiVersion"])
	assert.Equal(t, []string{"form", "schema", "torn"}, names(list))
	assert.Equal(t, "blocked", at(list, "items.0.status.phase"))
	assert.Equal(t, "shop-1", at(list, "items.0.metadata.namespace"))
	assert.Equal(t, "<b>", at(list, "items.1.spec.title"))
	assert.Equal(t, "Invalid", at(list, "items.2.status.phase"))
	version, err := strconv.ParseUint(at(list, "metadata.resourceVersion").(string), 10, 64)
	require.NoError(t, err)
	assert.InDelta(t, time.Now().UnixMilli(), version, 600_000)

	_, one := s.get("namespaces/shop-1/tasks/form", "")
	assert.Equal(t, at(list, "items.0"), one, "there is one encoding of an object")
	_, status := s.get("tasks/form/status", "")
	assert.Equal(t, one, status)
	_, metadata := s.get("tasks/form", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io")
	assert.Equal(t, "PartialObjectMetadata", metadata["kind"])
	assert.Equal(t, one["metadata"], metadata["metadata"])
	assert.NotContains(t, metadata, "spec")
	_, all := s.get("tasks", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")
	assert.Equal(t, "PartialObjectMetadataList", all["kind"])
	assert.Equal(t, metadata, at(all, "items.0"))

	_, printed := s.get("tasks/form?form=printed", "")
	assert.Equal(t, at(one, "status.observedRevision"), at(printed, "metadata.resourceVersion"), "as commands print it")
	assert.Nil(t, at(printed, "metadata.namespace"))

	s.write("tasks/schema", `{"spec": {"workPlan": "p", "expectedOutput": "y"}}`)
	_, after := s.get("tasks", "")
	assert.Equal(t, "y", at(after, "items.1.spec.expectedOutput"), "who edits and asks at once gets the new truth")
	assert.Equal(t, at(list, "items.0"), at(after, "items.0"), "its version is that of its own last change")
	assert.Greater(t, at(after, "items.1.metadata.resourceVersion"), at(list, "items.1.metadata.resourceVersion"))
	assert.Equal(t, at(after, "metadata.resourceVersion"), at(after, "items.1.metadata.resourceVersion"))
}

func TestTables(t *testing.T) {
	s := openShop(t)
	_, table := s.get("tasks", asTable)
	assert.Equal(t, "Table", table["kind"])
	assert.Equal(t, "meta.k8s.io/v1", table["apiVersion"])
	assert.Equal(t, map[string]any{"name": "Name", "type": "string", "format": "name", "description": "", "priority": 0.0}, at(table, "columnDefinitions.0"))
	assert.Equal(t, map[string]any{"name": "Blocked-By", "type": "string", "format": "", "description": "", "priority": 1.0}, at(table, "columnDefinitions.7"))
	assert.Equal(t, "form", at(table, "rows.0.cells.0"))
	assert.Equal(t, "schema", at(table, "rows.0.cells.7"))
	assert.Equal(t, "<none>", at(table, "rows.1.cells.7"))
	assert.Equal(t, "PartialObjectMetadata", at(table, "rows.0.object.kind"))
	_, one := s.get("tasks/form?includeObject=Object", asTable)
	assert.Equal(t, at(table, "rows.0.cells"), at(one, "rows.0.cells"))
	assert.Equal(t, "TaskNode", at(one, "rows.0.object.kind"))
	_, bare := s.get("tasks?includeObject=None", asTable)
	assert.NotContains(t, at(bare, "rows.0"), "object")
	assert.Equal(t, at(table, "metadata.resourceVersion"), at(bare, "metadata.resourceVersion"))
}

func TestSelectorsOfRequests(t *testing.T) {
	s := openShop(t)
	for query, want := range map[string][]string{
		"labelSelector=area in (web,docs)":                       {"form"},
		"labelSelector=!area":                                    {"torn"},
		"fieldSelector=metadata.name=form":                       {"form"},
		"fieldSelector=status.phase!=blocked":                    {"schema", "torn"},
		"fieldSelector=status.phase==blocked,spec.workPlan=none": nil,
		"fieldSelector=metadata.namespace=shop-1&limit=1":        {"form", "schema", "torn"},
	} {
		_, list := s.get("tasks?"+strings.ReplaceAll(query, " ", "%20"), "")
		assert.Equal(t, want, names(list), query)
		assert.NotNil(t, list["items"], query)
	}
	_, other := s.get("namespaces/other/tasks", "")
	assert.Equal(t, []any{}, other["items"])
}

func TestErrorsAboutObjects(t *testing.T) {
	s := openShop(t)
	for _, test := range []struct {
		path, reason, message string
		code                  int
	}{
		{"tasks/ghost", "NotFound", `tasks.idumb.dev "ghost" not found`, 404},
		{"namespaces/other/tasks/form", "NotFound", `tasks.idumb.dev "form" not found`, 404},
		{"pods", "NotFound", "the server could not find the requested resource", 404},
		{"tasks/form/scale", "NotFound", "the server could not find the requested resource", 404},
		{"tasks/", "NotFound", "the server could not find the requested resource", 404},
		{"tasks?fieldSelector=x", "BadRequest", "field=value", 400},
		{"tasks?labelSelector=a%20b", "BadRequest", "unable to parse selector", 400},
		{"tasks?watch=maybe", "BadRequest", `watch="maybe" is neither true nor false`, 400},
		{"tasks?watch=1&resourceVersion=-1", "BadRequest", `resourceVersion="-1"`, 400},
	} {
		code, status := s.get(test.path, "")
		assert.Equal(t, test.code, code, test.path)
		assert.Equal(t, "Status", status["kind"])
		assert.Equal(t, "Failure", status["status"])
		assert.Equal(t, test.reason, status["reason"], test.path)
		assert.Contains(t, status["message"], test.message)
	}
	_, status := s.get("tasks/ghost", "")
	assert.Equal(t, map[string]any{"name": "ghost", "group": "idumb.dev", "kind": "tasks"}, status["details"])
	response := s.send(http.MethodDelete, "tasks/form", "")
	response.Body.Close()
	assert.Equal(t, 405, response.StatusCode)
}

// watched is a watch that a test reads.
type watched struct {
	t     *testing.T
	body  io.Closer
	lines *bufio.Scanner
}

func (s *shop) watch(path, accept string) *watched {
	s.t.Helper()
	response := s.send(http.MethodGet, path, accept)
	require.Equal(s.t, 200, response.StatusCode)
	w := &watched{s.t, response.Body, bufio.NewScanner(response.Body)}
	s.t.Cleanup(func() { w.body.Close() })
	return w
}

// next returns the next event's type and object, "" at the end.
func (w *watched) next() (what string, object map[string]any) {
	w.t.Helper()
	if !w.lines.Scan() {
		require.NoError(w.t, w.lines.Err(), "it ends as it should")
		return "", nil
	}
	var event struct {
		Type   string
		Object map[string]any
	}
	require.NoError(w.t, json.Unmarshal(w.lines.Bytes(), &event))
	return event.Type, event.Object
}

// saw is the next event: "ADDED form blocked".
func (w *watched) saw() string {
	w.t.Helper()
	what, object := w.next()
	return strings.TrimRight(fmt.Sprintln(what, at(object, "metadata.name"), at(object, "status.phase")), "\n")
}

const done = `{"metadata": {"labels": {"area": "db"}}, "spec": {"workPlan": "p", "expectedOutput": "x", "state": "completed", "result": {"evidence": "seen"}}}`

func TestWatchFromAVersion(t *testing.T) {
	s := openShop(t)
	_, list := s.get("tasks", "")
	from := at(list, "metadata.resourceVersion").(string)
	w := s.watch("tasks?watch=true&resourceVersion="+from, "")
	s.write("workplans/p", `{"spec": {"title": "Q", "acceptance": ["done"], "state": "active"}}`)
	s.write("tasks/schema", done)
	first := []string{w.saw(), w.saw()}
	assert.ElementsMatch(t, []string{"MODIFIED schema completed", "MODIFIED form planned"}, first, "once each, with the status that follows")
	require.NoError(t, os.Remove(s.root.Abs(".idumb/tasks/torn.json")))
	what, torn := w.next()
	assert.Equal(t, "DELETED", what)
	assert.Equal(t, "Invalid", at(torn, "status.phase"), "as it was")
	assert.Greater(t, at(torn, "metadata.resourceVersion"), at(list, "items.2.metadata.resourceVersion"), "with the version of its end")

	again := s.watch("tasks?watch=1&resourceVersion="+from, "")
	assert.Equal(t, append(first, "DELETED torn Invalid"), []string{again.saw(), again.saw(), again.saw()}, "who comes later gets the same")
}

func TestWatchFromTheBeginning(t *testing.T) {
	s := openShop(t)
	for _, query := range []string{"watch=true", "watch=true&resourceVersion=0"} {
		w := s.watch("tasks?"+query, "")
		assert.Equal(t, []string{"ADDED form blocked", "ADDED schema planned", "ADDED torn Invalid"}, []string{w.saw(), w.saw(), w.saw()})
	}
	w := s.watch("tasks?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dform", "")
	assert.Equal(t, "ADDED form blocked", w.saw())
	what, bookmark := w.next()
	assert.Equal(t, "BOOKMARK", what)
	assert.Equal(t, "TaskNode", bookmark["kind"])
	assert.Equal(t, "true", bookmark["metadata"].(map[string]any)["annotations"].(map[string]any)[queries.InitialEventsEnd])
	_, list := s.get("tasks", "")
	assert.Equal(t, at(list, "metadata.resourceVersion"), at(bookmark, "metadata.resourceVersion"))
	s.write("tasks/schema", done)
	assert.Equal(t, "MODIFIED form planned", w.saw())

	one := s.watch("tasks/form?watch=true", "")
	assert.Equal(t, "ADDED form planned", one.saw())
	nothing := s.watch("namespaces/other/tasks?watch=true&timeoutSeconds=1", "")
	what, _ = nothing.next()
	assert.Empty(t, what)
}

// With a selector, what begins to match is added and what ceases to is deleted.
func TestWatchWithSelectors(t *testing.T) {
	s := openShop(t)
	blocked := s.watch("tasks?watch=true&fieldSelector=status.phase%3Dblocked", "")
	assert.Equal(t, "ADDED form blocked", blocked.saw())
	db := s.watch("tasks?watch=true&labelSelector=area%3Ddb", "")
	assert.Equal(t, "ADDED schema planned", db.saw())
	s.write("tasks/schema", done)
	assert.Equal(t, "DELETED form blocked", blocked.saw())
	assert.Equal(t, "MODIFIED schema completed", db.saw())
	s.write("tasks/form", `{"metadata": {"labels": {"area": "db"}}, "spec": {"workPlan": "p", "expectedOutput": "x"}}`)
	assert.Equal(t, "ADDED form planned", db.saw())
	s.write("tasks/form", `{"spec": {"workPlan": "p", "expectedOutput": "x", "dependsOn": ["ghost"]}}`)
	assert.Equal(t, "DELETED form planned", db.saw())
	assert.Equal(t, "ADDED form blocked", blocked.saw())
}

func TestWatchAsTable(t *testing.T) {
	s := openShop(t)
	w := s.watch("tasks?watch=true&labelSelector=area", asTable)
	_, first := w.next()
	_, second := w.next()
	assert.Equal(t, "Table", first["kind"])
	assert.Equal(t, "form", at(first, "rows.0.cells.0"))
	assert.Equal(t, "schema", at(second, "rows.0.cells.0"))
	assert.NotNil(t, first["columnDefinitions"])
	assert.Nil(t, second["columnDefinitions"], "the columns are told once")
	assert.Equal(t, at(first, "metadata.resourceVersion"), at(first, "rows.0.object.metadata.resourceVersion"))
}

func TestWatchesThatEnd(t *testing.T) {
	s := openShop(t)
	_, list := s.get("tasks", "")
	now, err := strconv.ParseUint(at(list, "metadata.resourceVersion").(string), 10, 64)
	require.NoError(t, err)
	for _, from := range []uint64{1, now - 1, now + 1} {
		w := s.watch("tasks?watch=true&allowWatchBookmarks=true&resourceVersion="+strconv.FormatUint(from, 10), "")
		what, status := w.next()
		assert.Equal(t, "ERROR", what)
		assert.Equal(t, 410.0, status["code"])
		assert.Equal(t, "Expired", status["reason"])
		what, _ = w.next()
		assert.Empty(t, what)
	}
	w := s.watch("tasks?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dghost", "")
	what, _ := w.next()
	assert.Empty(t, what, "its time is over")

	stopped := s.watch("tasks/form?watch=true", "")
	assert.Equal(t, "ADDED form blocked", stopped.saw())
	s.end()
	what, _ = stopped.next()
	assert.Empty(t, what, "a controller that ends ends its watches")
}

// nothingHappens is a cache that does not change.
type nothingHappens struct{ controller.Client }

func (nothingHappens) Now() time.Time { return time.Now() }

func (nothingHappens) Reader() graph.Reader { return nil }

func (nothingHappens) Steps(ctx context.Context, _ uint64) ([]controller.Step, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// sink takes what a stream sends.
type sink struct{ httptest.ResponseRecorder }

func (*sink) SetWriteDeadline(time.Time) error { return nil }

func TestWatchesSayEachMinuteHowFarTheyAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kind, _ := resources.KindOf(resources.Tasks)
		cache := queries.NewCache("", nothingHappens{}, nil, nil)
		out := &sink{ResponseRecorder: *httptest.NewRecorder()}
		s := stream{ListOptions: &ListOptions{Bookmarks: true}, kind: kind, EventWriter: NewEventWriter(out)}
		began := time.Now()
		version, err := s.sendChanges(t.Context(), cache, &queries.Find{}, 7)
		require.NoError(t, err)
		assert.Equal(t, uint64(7), version)
		assert.Equal(t, time.Minute, time.Since(began))
		assert.Equal(t, `{"type":"BOOKMARK","object":{"apiVersion":"idumb.dev/v1alpha1","kind":"TaskNode","metadata":{"name":"","resourceVersion":"7"}}}`+"\n", out.Body.String())
		s.Bookmarks = false
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_, err = s.sendChanges(ctx, cache, &queries.Find{}, 7)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, time.Hour+time.Minute, time.Since(began), "nobody is woken for nothing")
	})
}
