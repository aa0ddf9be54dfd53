//go:build linux

package kube

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"

func TestDiscovery(t *testing.T) {
	s := openShop(t)
	response := s.ask(http.MethodGet, "/apis", "", "Accept", aggregatedType+",application/json")
	response.Body.Close()
	assert.Equal(t, aggregatedType, response.Header.Get("Content-Type"), "the answer must say the same type")
	all := s.get("/apis", "Accept", aggregatedType)
	assert.Equal(t, "APIGroupDiscoveryList", all["kind"])
	assert.Equal(t, resources.Group, at(all, "items.0.metadata.name"))
	var task any
	for _, r := range at(all, "items.0.versions.0.resources").([]any) {
		assert.NotNil(t, at(r, "shortNames"), r)
		if at(r, "resource") == resources.Tasks {
			task = r
		}
	}
	assert.Equal(t, "tasknode", at(task, "singularResource"))
	assert.Equal(t, []any{"task", "tn"}, at(task, "shortNames"))
	assert.Equal(t, "Namespaced", at(task, "scope"))
	assert.Equal(t, []any{"get"}, at(task, "subresources.0.verbs"))
	assert.Equal(t, "", at(s.get("/api", "Accept", aggregatedType), "items.0.metadata.name"))

	assert.Equal(t, "APIVersions", s.get("/api")["kind"])
	assert.Len(t, s.get("/apis")["groups"], len(s.server.groups)-1)
	for _, g := range s.server.groups {
		list := s.get(g.path())
		assert.Equal(t, "APIResourceList", list["kind"])
		assert.Equal(t, g.apiVersion(), list["groupVersion"])
		if g.name != "" {
			assert.Equal(t, "APIGroup", s.get("/apis/" + g.name)["kind"])
		}
	}
	assert.Equal(t, "v1.36.0+idumb.1.2.3", s.get("/version")["gitVersion"])
}

// No two kinds of a group answer to one word: clients would take the first.
func TestEachWordNamesOneKind(t *testing.T) {
	for _, g := range allGroups() {
		seen := map[string]string{}
		for _, r := range g.resources {
			for _, word := range append([]string{r.plural, r.singular}, r.short...) {
				if other := seen[word]; other != r.plural {
					assert.Empty(t, other, "%s also names %s", word, r.plural)
				}
				seen[word] = r.plural
			}
		}
	}
}

func TestTasksSayWhoOwnsThem(t *testing.T) {
	s := openShop(t)
	plan := s.get(own + "workplans/accounts")
	task := s.get(own + "tasks/login-api")
	assert.NotEmpty(t, at(plan, "metadata.uid"), "also where the file has none")
	assert.NotEmpty(t, at(plan, "metadata.creationTimestamp"))
	assert.Equal(t, map[string]any{"apiVersion": resources.APIVersion, "kind": "WorkPlan", "name": "accounts", "uid": at(plan, "metadata.uid"), "controller": true}, at(task, "metadata.ownerReferences.0"))
	assert.Nil(t, s.get(own + "tasks/db-schema")["$schema"])
	table := s.get(own+"tasks", "Accept", asTable)
	assert.Equal(t, []any{"login-api", "accounts", "blocked"}, at(table, "rows.1.cells").([]any)[:3])
	assert.Len(t, s.get("/apis/idumb.dev/v1alpha1/tasks")["items"], 2, "in all namespaces")
	assert.Empty(t, s.get("/apis/idumb.dev/v1alpha1/namespaces/other/tasks")["items"])
}

func TestWatchLists(t *testing.T) {
	s := openShop(t)
	next := s.watch(own + "tasks?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dlogin-api")
	assert.Equal(t, "login-api", at(next(), "object.metadata.name"))
	mark := next()
	assert.Equal(t, queries.Bookmark, mark["type"])
	assert.Equal(t, map[string]any{queries.InitialEventsEnd: "true"}, at(mark, "object.metadata.annotations"))
	code, _ := s.answer(http.MethodPatch, own+"tasks/login-api", `{"spec": {"priority": "high"}}`, "Content-Type", mergePatch)
	require.Equal(t, http.StatusOK, code)
	changed := next()
	assert.Equal(t, queries.Modified, changed["type"])
	assert.Equal(t, "high", at(changed, "object.spec.priority"))
	assert.Equal(t, s.get(own+"tasks/login-api"), changed["object"])
	code, _ = s.answer(http.MethodDelete, own+"tasks/login-api", "")
	require.Equal(t, http.StatusOK, code)
	assert.Equal(t, queries.Deleted, next()["type"])
	assert.Equal(t, "Expired", at(s.watch(own+"tasks?watch=1&resourceVersion=1")(), "object.reason"))
}

func TestNamespaces(t *testing.T) {
	s := openShop(t)
	assert.Equal(t, "shop", at(s.get("/api/v1/namespaces"), "items.0.metadata.name"))
	assert.Equal(t, "Active", at(s.get("/api/v1/namespaces/shop"), "status.phase"))
	code, answer := s.answer(http.MethodGet, "/api/v1/namespaces/other", "")
	assert.Equal(t, http.StatusNotFound, code)
	assert.Equal(t, `namespaces "other" not found`, answer["message"])
	next := s.watch("/api/v1/namespaces?watch=true&allowWatchBookmarks=true")
	assert.Equal(t, "shop", at(next(), "object.metadata.name"), "k9s lists namespaces from a watch alone")
	assert.Equal(t, []any{"shop", "Active"}, at(s.get("/api/v1/namespaces", "Accept", asTable), "rows.0.cells").([]any)[:2])
}

func TestEventsOfBothGroups(t *testing.T) {
	s := openShop(t)
	event := resources.Event{Time: resources.Time{Time: s.server.started}, Type: "Normal", Reason: "Made", Object: "task/db-schema", Message: "it was made", From: "test"}
	require.NoError(t, s.root.AppendEvent(event, resources.Event{Time: event.Time, Type: "Warning", Reason: "Odd", Object: "nothing", Message: "?"}))
	uid := at(s.get(own+"tasks/db-schema"), "metadata.uid").(string)
	core := s.get("/api/v1/namespaces/shop/events?fieldSelector=involvedObject.uid%3D" + uid + ",involvedObject.kind%3DTaskNode,involvedObject.name%3Ddb-schema,involvedObject.namespace%3Dshop")
	require.Len(t, core["items"], 1)
	assert.Equal(t, "it was made", at(core, "items.0.message"))
	assert.NotEmpty(t, at(core, "items.0.lastTimestamp"))
	assert.Equal(t, 1.0, at(core, "items.0.count"))
	list := s.get("/apis/events.k8s.io/v1/events")
	assert.Equal(t, "EventList", list["kind"])
	assert.Equal(t, "db-schema", at(list, "items.0.regarding.name"))
	assert.Equal(t, "it was made", at(list, "items.0.note"))
	next := s.watch("/api/v1/events?watch=true&resourceVersion=" + at(list, "metadata.resourceVersion").(string))
	event.Message, event.Time = "once more", resources.Time{Time: event.Time.Add(1e9)}
	require.NoError(t, s.root.AppendEvent(event))
	added := next()
	assert.Equal(t, queries.Added, added["type"])
	assert.Equal(t, "once more", at(added, "object.message"), "what was there before is not told again")
	table := s.watch("/api/v1/events?watch=true", "Accept", asTable)
	assert.NotNil(t, at(table(), "object.columnDefinitions"))
	assert.Nil(t, at(table(), "object.columnDefinitions"), "in the first only")
	assert.NotEmpty(t, at(s.get("/api/v1/events?includeObject=Object", "Accept", asTable), "rows.0.object.message"))
	code, _ := s.answer(http.MethodGet, "/api/v1/events?labelSelector=a+b+c", "")
	assert.Equal(t, http.StatusBadRequest, code)
}

func TestDefinitions(t *testing.T) {
	s := openShop(t)
	one := s.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tasks.idumb.dev")
	assert.Equal(t, "TaskNode", at(one, "spec.names.kind"))
	assert.Equal(t, "True", at(one, "status.conditions.0.status"))
	assert.Equal(t, "object", at(one, "spec.versions.0.schema.openAPIV3Schema.properties.spec.type"))
	assert.Len(t, s.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")["items"], len(s.server.group(resources.Group).resources))
	next := s.watch("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?watch=true&sendInitialEvents=true")
	for range s.server.group(resources.Group).resources {
		assert.Equal(t, queries.Added, next()["type"])
	}
	assert.Equal(t, queries.Bookmark, next()["type"])
}

func TestOpenAPI(t *testing.T) {
	s := openShop(t)
	link := s.get("/openapi/v3")["paths"].(map[string]any)["apis/idumb.dev/v1alpha1"]
	document := s.get(at(link, "serverRelativeURL").(string))
	schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
	for _, kind := range resources.Kinds() {
		schema := schemas["dev.idumb.v1alpha1."+kind.Name]
		assert.Equal(t, kind.Doc, at(schema, "description"), kind.Name)
		assert.NotNil(t, at(schema, "properties.status.properties.phase"), kind.Name)
		assert.Equal(t, []any{kind.Name}, at(schema, "properties.kind.enum"))
		assert.Nil(t, at(schema, "additionalProperties"))
	}
	post := at(document["paths"].(map[string]any)["/apis/idumb.dev/v1alpha1/namespaces/{namespace}/tasks"], "post")
	names := []any{}
	for _, p := range at(post, "parameters").([]any) {
		names = append(names, at(p, "name"))
	}
	assert.Equal(t, []any{"dryRun", "fieldManager", "fieldValidation"}, names, "kubectl looks for these")
	text, err := json.Marshal(document)
	require.NoError(t, err)
	for _, word := range []string{`"const"`, `"$schema"`, `"additionalProperties":false`} {
		assert.NotContains(t, string(text), word)
	}
}

func TestReviews(t *testing.T) {
	s := openShop(t)
	for body, want := range map[string]bool{
		`{"spec": {"resourceAttributes": {"verb": "create", "group": "idumb.dev", "resource": "tasks"}}}`:                         true,
		`{"spec": {"resourceAttributes": {"verb": "patch", "group": "idumb.dev", "resource": "tasks", "subresource": "status"}}}`: false,
		`{"spec": {"resourceAttributes": {"verb": "get", "group": "idumb.dev", "resource": "tasks", "subresource": "status"}}}`:   true,
		`{"spec": {"resourceAttributes": {"verb": "list", "resource": "pods"}}}`:                                                  false,
		`{"spec": {"resourceAttributes": {"verb": "watch", "resource": "events"}}}`:                                               true,
		`{"spec": {"resourceAttributes": {"verb": "delete", "resource": "namespaces"}}}`:                                          false,
		`{"spec": {"resourceAttributes": {"verb": "create", "group": "idumb.dev", "resource": "technologies"}}}`:                  false,
		`{"spec": {"resourceAttributes": {"verb": "*", "group": "*", "resource": "*"}}}`:                                          true,
		`{"spec": {"nonResourceAttributes": {"verb": "get", "path": "/version"}}}`:                                                true,
	} {
		code, answer := s.answer(http.MethodPost, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body)
		require.Equal(t, http.StatusCreated, code)
		assert.Equal(t, want, at(answer, "status.allowed"), body)
	}
	code, who := s.answer(http.MethodPost, "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
	assert.Equal(t, http.StatusCreated, code)
	assert.Equal(t, "owner", at(who, "status.userInfo.username"))
	_, rules := s.answer(http.MethodPost, "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", `{"spec": {"namespace": "shop"}}`)
	assert.NotEmpty(t, at(rules, "status.resourceRules"))
	code, _ = s.answer(http.MethodPost, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "k8s\x00\xff", "Content-Type", protobufType)
	assert.Equal(t, http.StatusBadRequest, code)
}

// field is a field of a protobuf message that holds a text or a message.
func field(number byte, value string) string {
	return string([]byte{number<<3 | wireBytes, byte(len(value))}) + value
}

func accessBytes() string {
	attributes := field(1, "shop") + field(2, "list") + field(3, "idumb.dev") + field(4, "v1alpha1") + field(5, "tasks") + field(7, "a")
	raw := field(1, "") + field(2, field(1, attributes))
	return string(protobufMagic[:]) + field(1, field(1, "authorization.k8s.io/v1")+field(2, accessReview)) + field(2, raw) + field(3, "") + field(4, "")
}

func TestReviewsInProtobuf(t *testing.T) {
	got, err := decodeReview([]byte(accessBytes()))
	require.NoError(t, err)
	assert.Equal(t, &resourceAttributes{Namespace: "shop", Verb: "list", Group: "idumb.dev", Version: "v1alpha1", Resource: "tasks", Name: "a"}, got.Spec.Resource)
	assert.Equal(t, accessReview, got.Kind)
	s := openShop(t)
	code, answer := s.answer(http.MethodPost, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", accessBytes(), "Content-Type", protobufType)
	require.Equal(t, http.StatusCreated, code)
	assert.Equal(t, true, at(answer, "status.allowed"))
}

func FuzzDecodeReview(f *testing.F) {
	f.Add([]byte(accessBytes()))
	f.Add([]byte("k8s\x00" + field(2, field(2, "\x08\x96\x01\x11\x00\x00\x00\x00\x00\x00\x00\x00\x1d\x00\x00\x00\x00"))))
	f.Add([]byte("k8s\x00\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add([]byte("k8s\x00" + field(1, field(2, rulesReview)) + field(2, field(2, field(1, "shop")))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := decodeReview(data); err == nil {
			require.NotNil(t, got)
			assert.LessOrEqual(t, len(got.Kind)+len(got.APIVersion), len(data))
		}
	})
}

func FuzzSent(f *testing.F) {
	for _, text := range []string{page, "{}", `{"metadata": {"annotations": {"kubectl.kubernetes.io/a": "b"}}}`, `{"spec": {"a.b": [[{"c": 1}]]}}`, "null"} {
		f.Add([]byte(text))
	}
	kind, _ := resources.KindOf(resources.Tasks)
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &call{server: &Server{namespace: "shop"}, kind: kind, name: "page", warn: func(string) {}, strict: validateWarn}
		said, err := c.read(data)
		if err != nil {
			return
		}
		assert.True(t, json.Valid(said.json))
		assert.NotContains(t, string(said.json), `"managedFields":`+"{")
		if o, err := c.decode(said.json, nil); err == nil {
			assert.Equal(t, "page", o.Head().Metadata.Name)
		}
	})
}

// What stands in the folder may be anybody's: it leads nowhere else and breaks nothing.
func TestWhatWasAppliedIsData(t *testing.T) {
	root := layout.Root(t.TempDir())
	require.NoError(t, os.MkdirAll(root.Abs(keptDir+"/tasks"), 0o700))
	for name, text := range map[string]string{"a.json": `{"uid": "u", "annotations": {"x": "y"}}`, "b.json": "{", "C.json": "{}", "d": "{}"} {
		require.NoError(t, os.WriteFile(filepath.Join(root.Abs(keptDir), "tasks", name), []byte(text), 0o600))
	}
	a := &clientState{root: root}
	key := resources.Key{Kind: resources.Tasks, Name: "a"}
	assert.Equal(t, map[string]string{"x": "y"}, a.annotations(key, "u"))
	assert.Nil(t, a.annotations(key, "another of that name"))
	require.NoError(t, a.keepLast("../../../escape", key, []byte("{}")))
	entries, err := os.ReadDir(root.Abs(managersDir))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	assert.False(t, slices.Contains([]string{"..", "."}, entries[0].Name()))
	assert.Equal(t, []byte("{}"), a.last("../../../escape", key))
	a.forget(key)
	assert.Nil(t, a.annotations(key, "u"))
	assert.Nil(t, a.last("../../../escape", key))
	assert.Nil(t, (&clientState{root: root}).annotations(key, "u"))
}

// What the working tree says of itself is there as well, to be looked at.
func TestComputedKinds(t *testing.T) {
	s := openShop(t)
	require.NoError(t, os.MkdirAll(filepath.Join(string(s.root), "docs"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(string(s.root), "docs", "PRD.md"), []byte("# Requirements\n\nText.\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(string(s.root), "go.mod"), []byte("module shop\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(string(s.root), "a.go"), []byte("package shop\n\nfunc A() {}\n"), 0o644))
	documents := s.get(own + "documents")
	require.Len(t, documents["items"], 1)
	name := at(documents, "items.0.metadata.name").(string)
	assert.NoError(t, resources.CheckName(name), "a path is no name")
	assert.Equal(t, map[string]any{"idumb.dev/name": "docs/PRD.md"}, at(documents, "items.0.metadata.annotations"))
	assert.Equal(t, "docs/PRD.md", at(s.get(own+"documents/"+name), "status.path"))
	table := s.get(own+"sources", "Accept", asTable)
	assert.Equal(t, "a.go", at(table, "rows.0.cells.1"), "the path, which the name cannot be")
	assert.Equal(t, "Go", at(table, "rows.0.cells.2"))
	assert.Equal(t, "accounts", at(s.get(own+"graphs", "Accept", asTable), "rows.0.cells.0"))
	code, _ := s.answer(http.MethodGet, own+"symbols", "")
	assert.Equal(t, http.StatusNotFound, code, "there are too many of them")
	assert.NotEmpty(t, s.get(own + "technologies")["items"])
	s.write("tasks/torn", `{"spec": {`)
	require.Eventually(t, func() bool { return len(s.get(own + "needs")["items"].([]any)) > 0 }, 20*time.Second, 50*time.Millisecond, "what waits for the user")
	next := s.watch(own + "documents?watch=true&sendInitialEvents=true")
	assert.Equal(t, queries.Added, next()["type"])
	assert.Equal(t, queries.Bookmark, next()["type"])
}
