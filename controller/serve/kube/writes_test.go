//go:build linux

package kube

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const page = `{"apiVersion": "idumb.dev/v1alpha1", "kind": "TaskNode", "metadata": {"name": "page", "namespace": "shop",
	"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}", "x/y": "z"}}, "spec": {"workPlan": "accounts", "expectedOutput": "a page"}}`

// What clients say of an object that only a server knows, and their own records, stay out of its file.
func TestCreate(t *testing.T) {
	s := openShop(t)
	code, made := s.answer(http.MethodPost, own+"tasks?fieldManager=kubectl-create&fieldValidation=Strict", page)
	require.Equal(t, http.StatusCreated, code, made)
	assert.Equal(t, "planned", at(made, "status.phase"), "it is answered with what holds")
	assert.Equal(t, "{}", made["metadata"].(map[string]any)["annotations"].(map[string]any)["kubectl.kubernetes.io/last-applied-configuration"])
	assert.Equal(t, made, s.get(own+"tasks/page"), "who asks at once gets the same")
	text := s.file("tasks/page")
	assert.Contains(t, text, `"x/y": "z"`)
	for _, word := range []string{"kubectl", "namespace", "resourceVersion", "ownerReferences", "status"} {
		assert.NotContains(t, text, word)
	}
	code, again := s.answer(http.MethodPost, own+"tasks", page)
	assert.Equal(t, http.StatusConflict, code)
	assert.Equal(t, "AlreadyExists", again["reason"])
	code, named := s.answer(http.MethodPost, own+"tasks", `{"metadata": {"generateName": "page-"}, "spec": {"workPlan": "accounts", "expectedOutput": "x"}}`)
	assert.Equal(t, http.StatusCreated, code, named)
	assert.Regexp(t, "^page-.{5}$", at(named, "metadata.name"))
	for body, want := range map[string]int{
		`{"spec": {}}`: http.StatusUnprocessableEntity,
		`{"metadata": {"name": "a", "namespace": "other"}, "spec": {}}`:                           http.StatusBadRequest,
		`{"metadata": {"name": "a"}, "spec": {"expectedOutput": "x", "workPlan": "nothing"}}`:     http.StatusUnprocessableEntity,
		`{"kind": "Mem", "metadata": {"name": "a"}, "spec": {}}`:                                  http.StatusBadRequest,
		`{"metadata": {"name": "../a"}, "spec": {"expectedOutput": "x", "workPlan": "accounts"}}`: http.StatusBadRequest,
		`[]`: http.StatusBadRequest, `{`: http.StatusBadRequest, `{"metadata": 1}`: http.StatusBadRequest,
	} {
		code, answer := s.answer(http.MethodPost, own+"tasks", body)
		assert.Equal(t, want, code, "%s: %v", body, answer)
		assert.Equal(t, "Failure", answer["status"], body)
	}
}

func TestWhatIsWrongWithAnObjectIsSaidFieldByField(t *testing.T) {
	s := openShop(t)
	code, answer := s.answer(http.MethodPost, own+"tasks", `{"metadata": {"name": "a"}, "spec": {"workPlan": "accounts", "priority": "bogus"}}`)
	assert.Equal(t, http.StatusUnprocessableEntity, code)
	assert.Equal(t, "Invalid", answer["reason"])
	assert.Equal(t, "TaskNode", at(answer, "details.kind"))
	fields := map[any]any{}
	for _, cause := range at(answer, "details.causes").([]any) {
		fields[at(cause, "field")] = at(cause, "reason")
	}
	assert.Equal(t, map[any]any{"spec.expectedOutput": "FieldValueRequired", "spec.priority": "FieldValueNotSupported"}, fields)
}

func TestUnknownFields(t *testing.T) {
	s := openShop(t)
	body := `{"metadata": {"name": "a"}, "spec": {"workPlan": "accounts", "expectedOutput": "x", "colour": "red", "evidence": [{"file": "a", "hue": 1}]}}`
	code, answer := s.answer(http.MethodPost, own+"tasks?fieldValidation=Strict", body)
	assert.Equal(t, http.StatusBadRequest, code)
	assert.Equal(t, `strict decoding error: unknown field "spec.colour", unknown field "spec.evidence[0].hue"`, answer["message"])
	response := s.ask(http.MethodPost, own+"tasks", body)
	response.Body.Close()
	assert.Equal(t, http.StatusCreated, response.StatusCode)
	assert.Equal(t, []string{`299 - "unknown field \"spec.colour\""`, `299 - "unknown field \"spec.evidence[0].hue\""`}, response.Header.Values("Warning"))
	assert.NotContains(t, s.file("tasks/a"), "colour")
	response = s.ask(http.MethodPut, own+"tasks/a?fieldValidation=Ignore", body)
	response.Body.Close()
	assert.Equal(t, http.StatusOK, response.StatusCode)
	assert.Empty(t, response.Header.Values("Warning"))
}

// A newer build's field in the file is no mistake of the request, and stays.
func TestFieldsThatTheFileHoldsAlreadyStay(t *testing.T) {
	s := openShop(t)
	s.write("tasks/db-schema", `{"spec": {"workPlan": "accounts", "expectedOutput": "x", "zebra": 1}}`)
	code, answer := s.answer(http.MethodPatch, own+"tasks/db-schema?fieldValidation=Strict", `{"spec": {"title": "T"}}`, "Content-Type", mergePatch)
	require.Equal(t, http.StatusOK, code, answer)
	assert.Contains(t, s.file("tasks/db-schema"), `"zebra": 1`)
	code, answer = s.answer(http.MethodPut, own+"tasks/db-schema", `{"spec": {"workPlan": "accounts", "expectedOutput": "y"}}`)
	require.Equal(t, http.StatusOK, code, answer)
	assert.Contains(t, s.file("tasks/db-schema"), `"zebra": 1`, "who does not see it does not take it away")
}

func TestReplace(t *testing.T) {
	s := openShop(t)
	read := s.get(own + "tasks/db-schema")
	version := at(read, "metadata.resourceVersion").(string)
	body := func(version string) string {
		return `{"metadata": {"name": "db-schema", "resourceVersion": "` + version + `"}, "spec": {"workPlan": "accounts", "expectedOutput": "new"}}`
	}
	code, changed := s.answer(http.MethodPut, own+"tasks/db-schema", body(version))
	require.Equal(t, http.StatusOK, code, changed)
	assert.Contains(t, s.file("tasks/db-schema"), "schemas/task.json", "$schema is the file's")
	code, same := s.answer(http.MethodPut, own+"tasks/db-schema", body(at(changed, "metadata.resourceVersion").(string)))
	require.Equal(t, http.StatusOK, code)
	assert.Equal(t, at(changed, "metadata.resourceVersion"), at(same, "metadata.resourceVersion"), "nothing was written")
	code, old := s.answer(http.MethodPut, own+"tasks/db-schema", body(version))
	assert.Equal(t, http.StatusConflict, code)
	assert.Equal(t, "Conflict", old["reason"])
	code, _ = s.answer(http.MethodPut, own+"tasks/db-schema", `{"metadata": null, "spec": {"workPlan": "accounts", "expectedOutput": "new"}}`)
	assert.Equal(t, http.StatusBadRequest, code, "labels of others would go")
	code, _ = s.answer(http.MethodPut, own+"tasks/login-api", body(""))
	assert.Equal(t, http.StatusBadRequest, code, "another name")
	code, _ = s.answer(http.MethodPut, own+"tasks/db-schema", `{"metadata": {"uid": "somebody-else"}, "spec": {"workPlan": "accounts", "expectedOutput": "new"}}`)
	assert.Equal(t, http.StatusConflict, code)
}

func TestPatches(t *testing.T) {
	s := openShop(t)
	for _, tt := range []struct {
		kind, patch string
		code        int
	}{
		{mergePatch, `{"metadata": {"labels": {"a": "b", "area": null}}}`, http.StatusOK},
		{jsonPatch, `[{"op": "test", "path": "/metadata/labels/a", "value": "b"}, {"op": "add", "path": "/spec/priority", "value": "high"}]`, http.StatusOK},
		{jsonPatch, `[{"op": "test", "path": "/spec/priority", "value": "low"}]`, http.StatusBadRequest},
		{"application/strategic-merge-patch+json", `{}`, http.StatusUnsupportedMediaType},
		{mergePatch, `[]`, http.StatusBadRequest},
		{mergePatch, `{"metadata": null}`, http.StatusBadRequest},
		{mergePatch, `{"spec": null}`, http.StatusBadRequest},
		{jsonPatch, `[{"op": "replace", "path": "/metadata", "value": null}]`, http.StatusBadRequest},
		{mergePatch, `{"spec": {"dependsOn": ["login-api"]}}`, http.StatusUnprocessableEntity},
		{mergePatch, `{"metadata": {"resourceVersion": "1"}}`, http.StatusConflict},
		{mergePatch, `{"metadata": {"name": "other"}}`, http.StatusBadRequest},
	} {
		code, answer := s.answer(http.MethodPatch, own+"tasks/db-schema", tt.patch, "Content-Type", tt.kind)
		assert.Equal(t, tt.code, code, "%s: %v", tt.patch, answer)
	}
	got := s.get(own + "tasks/db-schema")
	assert.Equal(t, map[string]any{"a": "b"}, at(got, "metadata.labels"))
	assert.Equal(t, "high", at(got, "spec.priority"))
}

// What a manager applied and says no more goes; what others wrote stays.
func TestServerSideApply(t *testing.T) {
	s := openShop(t)
	apply := func(manager, body string) int {
		code, answer := s.answer(http.MethodPatch, own+"tasks/new?force=false&fieldManager="+manager, body, "Content-Type", applyPatch)
		assert.NotEqual(t, http.StatusInternalServerError, code, answer)
		return code
	}
	assert.Equal(t, http.StatusBadRequest, apply("", "{}"))
	assert.Equal(t, http.StatusBadRequest, apply("kubectl", "metadata:\nspec: {workPlan: accounts, expectedOutput: x}"))
	assert.Equal(t, http.StatusCreated, apply("kubectl", "metadata: {name: new, labels: {a: b}}\nspec: {workPlan: accounts, expectedOutput: x, title: T}"))
	code, _ := s.answer(http.MethodPatch, own+"tasks/new", `{"spec": {"priority": "high"}}`, "Content-Type", mergePatch)
	require.Equal(t, http.StatusOK, code)
	assert.Equal(t, http.StatusOK, apply("../../else", "spec: {description: D}"))
	assert.Equal(t, http.StatusOK, apply("kubectl", "metadata: {name: new}\nspec: {workPlan: accounts, expectedOutput: x}"))
	got := s.get(own + "tasks/new")
	assert.Nil(t, at(got, "spec.title"))
	assert.Nil(t, at(got, "metadata.labels"))
	assert.Equal(t, "high", at(got, "spec.priority"))
	assert.Equal(t, "D", at(got, "spec.description"))
}

func TestDryRunsWriteNothing(t *testing.T) {
	s := openShop(t)
	before := s.file("tasks/db-schema")
	code, answer := s.answer(http.MethodPatch, own+"tasks/db-schema?dryRun=All", `{"spec": {"title": "T"}}`, "Content-Type", mergePatch)
	require.Equal(t, http.StatusOK, code, answer)
	assert.Equal(t, "T", at(answer, "spec.title"))
	assert.Equal(t, before, s.file("tasks/db-schema"))
	code, _ = s.answer(http.MethodPost, own+"tasks?dryRun=All", page)
	assert.Equal(t, http.StatusCreated, code)
	code, _ = s.answer(http.MethodGet, own+"tasks/page", "")
	assert.Equal(t, http.StatusNotFound, code)
	code, _ = s.answer(http.MethodDelete, own+"tasks/login-api", `{"dryRun": ["All"]}`)
	assert.Equal(t, http.StatusOK, code)
	s.get(own + "tasks/login-api")
	code, _ = s.answer(http.MethodDelete, own+"tasks/login-api?dryRun=Some", "")
	assert.Equal(t, http.StatusBadRequest, code)
}

func TestDelete(t *testing.T) {
	s := openShop(t)
	code, held := s.answer(http.MethodDelete, own+"workplans/accounts", `{"propagationPolicy": "Background"}`)
	assert.Equal(t, http.StatusConflict, code, "what kubectl sends where nobody said anything takes nothing along")
	assert.Contains(t, held["message"], "--cascade=foreground")
	uid := at(s.get(own+"tasks/login-api"), "metadata.uid").(string)
	code, _ = s.answer(http.MethodDelete, own+"tasks/login-api", `{"preconditions": {"uid": "another"}}`)
	assert.Equal(t, http.StatusConflict, code)
	code, gone := s.answer(http.MethodDelete, own+"tasks/login-api", `{"preconditions": {"uid": "`+uid+`"}}`)
	require.Equal(t, http.StatusOK, code, gone)
	assert.Equal(t, uid, at(gone, "details.uid"))
	code, _ = s.answer(http.MethodGet, own+"tasks/login-api", "")
	assert.Equal(t, http.StatusNotFound, code, "at once")
	code, _ = s.answer(http.MethodDelete, own+"tasks/login-api", "")
	assert.Equal(t, http.StatusNotFound, code)
	code, all := s.answer(http.MethodDelete, own+"tasks?labelSelector=area", "")
	require.Equal(t, http.StatusOK, code, all)
	assert.Len(t, all["items"], 1)
	code, _ = s.answer(http.MethodDelete, own+"workplans/accounts", `{"propagationPolicy": "Foreground"}`)
	assert.Equal(t, http.StatusOK, code)
}

func TestWhatIsNotServedIsRefusedAtOnce(t *testing.T) {
	s := openShop(t)
	for request, want := range map[[2]string]int{
		{http.MethodPatch, own + "tasks/db-schema/status"}:                   http.StatusMethodNotAllowed,
		{http.MethodPatch, own + "tasks/db-schema/scale"}:                    http.StatusNotFound,
		{http.MethodDelete, "/api/v1/namespaces/shop"}:                       http.StatusMethodNotAllowed,
		{http.MethodPost, "/api/v1/namespaces/shop/events"}:                  http.StatusMethodNotAllowed,
		{http.MethodPost, own + "technologies"}:                              http.StatusMethodNotAllowed,
		{http.MethodPost, "/apis/idumb.dev/v1alpha1/namespaces/other/tasks"}: http.StatusNotFound,
		{http.MethodPut, own + "tasks"}:                                      http.StatusMethodNotAllowed,
		{http.MethodGet, "/openapi/v2"}:                                      http.StatusNotFound,
		{http.MethodGet, "/api/v1/pods"}:                                     http.StatusNotFound,
		{http.MethodGet, "/apis/apps/v1/deployments"}:                        http.StatusNotFound,
		{http.MethodGet, "/kubeconfig"}:                                      http.StatusNotFound,
	} {
		code, answer := s.answer(request[0], request[1], "{}", "Content-Type", mergePatch)
		assert.Equal(t, want, code, "%v: %v", request, answer)
		assert.Equal(t, "Status", answer["kind"])
	}
}
