package beads

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/migrate"
	"github.com/idumb-dev/idumb/resources/status"
)

// imported is a repository that exports were imported into, and nothing else. It
// keeps files, so that everything goes through the one encoder and decoder.
type imported struct {
	t     *testing.T
	files map[resources.Key][]byte
}

func newImported(t *testing.T) *imported { return &imported{t, map[resources.Key][]byte{}} }

func (i *imported) get(key resources.Key) (resources.Object, bool) {
	data, found := i.files[key]
	if !found {
		return nil, false
	}
	o, _, err := resources.Read(key, data)
	require.NoError(i.t, err, "%s", data)
	return o, true
}

// take imports and writes.
func (i *imported) take(export string) migrate.Report {
	i.t.Helper()
	out := Convert(migrate.Input{Files: []migrate.File{{Path: "issues.jsonl", Data: []byte(export)}}, Get: i.get})
	for _, o := range out.Objects {
		i.put(o)
	}
	return out.Report
}

func (i *imported) put(o resources.Object) {
	data, err := resources.Encode(o)
	require.NoError(i.t, err)
	i.files[o.Key()] = data
	i.get(o.Key())
}

func (i *imported) snapshot() *graph.Snapshot {
	var objects []resources.Object
	for key := range i.files {
		o, _ := i.get(key)
		objects = append(objects, o)
	}
	return graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
}

// next returns the ids in beads of what idumb next proposes, sorted.
func (i *imported) next() []string {
	ids := []string{}
	for _, n := range status.NextTasks(i.snapshot(), 0) {
		ids = append(ids, i.task(n.Task.Metadata.Name).Metadata.Annotations[annotationID])
	}
	slices.Sort(ids)
	return ids
}

func (i *imported) task(name string) *resources.Task {
	i.t.Helper()
	o, found := i.get(resources.Key{Kind: resources.Tasks, Name: name})
	require.True(i.t, found, "no task %s", name)
	return o.(*resources.Task)
}

func (i *imported) plan(name string) *resources.WorkPlan {
	i.t.Helper()
	o, found := i.get(resources.Key{Kind: resources.WorkPlans, Name: name})
	require.True(i.t, found, "no plan %s", name)
	return o.(*resources.WorkPlan)
}

func (i *imported) phase(name string) string {
	status, _ := status.DeriveTask(i.task(name), i.snapshot())
	return status.Phase
}

// lines joins issues to an export.
func lines(issues ...string) string { return strings.Join(issues, "\n") + "\n" }

// small has the shapes of real exports: epics with dotted children, blockers of
// all sorts, deferred and pinned issues, a tombstone, comments, odd labels.
var small = lines(
	`{"id":"x-1","title":"Login","status":"open","priority":1,"issue_type":"epic","created_at":"2026-01-01T10:00:00.123-08:00","acceptance_criteria":"- [ ] people log in\n- people log out\n"}`,
	`{"id":"x-1.1","title":"Schema","description":"Tables","status":"closed","priority":0,"issue_type":"task","created_at":"2026-01-02T10:00:00Z","closed_at":"2026-01-03T10:00:00Z","close_reason":"migrated","dependencies":[{"issue_id":"x-1.1","depends_on_id":"x-1","type":"parent-child","created_at":"2026-01-02T10:00:00Z","created_by":"a"}]}`,
	`{"id":"x-1.2","title":"Form","description":"A form","acceptance_criteria":"It posts","status":"open","priority":2,"issue_type":"feature","assignee":"agents/ann","labels":["sprint:3","security","a b"],"created_at":"2026-01-02T11:00:00Z","dependencies":[{"issue_id":"x-1.2","depends_on_id":"x-1","type":"parent-child"},{"issue_id":"x-1.2","depends_on_id":"x-1.1","type":"blocks","metadata":"{}"},{"issue_id":"x-1.2","depends_on_id":"x-9","type":"discovered-from","metadata":"{\"a\":1}"}]}`,
	`{"id":"x-1.3","title":"Tests","status":"open","priority":2,"issue_type":"task","created_at":"2026-01-02T12:00:00Z","dependencies":[{"issue_id":"x-1.3","depends_on_id":"x-1","type":"parent-child"},{"issue_id":"x-1.3","depends_on_id":"x-1.2","type":"blocks"}]}`,
	`{"id":"x-1.2.1","title":"Button","status":"in_progress","priority":3,"issue_type":"task","created_at":"2026-01-02T12:00:00Z","dependencies":[{"issue_id":"x-1.2.1","depends_on_id":"x-1.2","type":"parent-child"}]}`,
	`{"id":"x-2","title":"Later","status":"deferred","priority":4,"issue_type":"task","created_at":"2026-01-02T12:00:00Z"}`,
	`{"id":"x-3","title":"Pinned","status":"pinned","priority":2,"issue_type":"task","created_at":"2026-01-02T12:00:00Z"}`,
	`{"id":"x-4","title":"Hooked","status":"hooked","priority":2,"issue_type":"task","created_at":"2026-01-02T12:00:00Z"}`,
	`{"id":"x-5","title":"Gone","status":"tombstone","priority":2,"issue_type":"task","created_at":"2026-01-02T12:00:00Z"}`,
	`{"id":"x-6","title":"After the gone","status":"open","priority":2,"issue_type":"task","created_at":"2026-01-02T12:00:00Z","comments":[{"id":1,"author":"b","text":"hello"}],"dependencies":[{"issue_id":"x-6","depends_on_id":"x-5","type":"blocks"}]}`,
	`{"id":"x-7","title":"After the epic","status":"open","priority":2,"issue_type":"bug","created_at":"2026-01-02T12:00:00Z","dependencies":[{"issue_id":"x-7","depends_on_id":"x-1","type":"blocks"}]}`,
	`{"id":"x-8","title":"Mail","status":"open","priority":2,"issue_type":"message","created_at":"2026-01-02T12:00:00Z"}`,
	`{"id":"x-9","title":"Closed without a word","status":"closed","priority":2,"issue_type":"chore","created_at":"2026-01-02T12:00:00Z"}`,
)

func TestMapping(t *testing.T) {
	i := newImported(t)
	report := i.take(small)
	assert.Equal(t, "Read 13 issues on 13 lines; left out 1 that were deleted there (tombstones).", report.Summary)
	assert.Empty(t, report.Problems)
	assert.Equal(t, []string{"x-1.2", "x-6"}, i.next())

	epic := i.plan("x-1")
	assert.Equal(t, "Login", epic.Spec.Title)
	assert.Equal(t, []string{"people log in", "people log out"}, epic.Spec.Acceptance)
	assert.Equal(t, resources.PlanActive, epic.Spec.State)
	assert.Equal(t, "2026-01-01T18:00:00Z", epic.Metadata.CreationTimestamp.Format(time.RFC3339))
	assert.Equal(t, resources.PlanActive, i.plan("imported-x").Spec.State)

	schema := i.task("x-1.1")
	assert.Equal(t, "x-1", schema.Spec.WorkPlan)
	assert.Empty(t, schema.Spec.Parent, "the epic is the plan")
	assert.Equal(t, "critical", schema.Spec.Priority)
	assert.Equal(t, "migrated", schema.Spec.Result.Evidence)
	assert.Equal(t, resources.TaskCompleted, i.phase("x-1.1"))
	assert.Equal(t, noReason, i.task("x-9").Spec.Result.Evidence)
	assert.Equal(t, resources.TaskCompleted, i.phase("x-9"))

	form := i.task("x-1.2")
	assert.Equal(t, "It posts", form.Spec.ExpectedOutput)
	assert.Equal(t, "medium", form.Spec.Priority)
	assert.Equal(t, "agents/ann", form.Spec.AssignedTo)
	assert.Equal(t, []string{"x-1.1"}, form.Spec.DependsOn)
	assert.Equal(t, map[string]string{"sprint": "3", "security": "", Prefix + "type": "feature"}, form.Metadata.Labels)
	assert.Equal(t, `["sprint:3","security","a b"]`, form.Metadata.Annotations[Prefix+"labels"])
	assert.Equal(t, "A form", form.Spec.Description)
	assert.Equal(t, "x-9", form.Metadata.Annotations[Prefix+"discovered-from"])

	button := i.task("x-1.2.1")
	assert.Equal(t, "x-1.2", button.Spec.Parent)
	assert.Equal(t, "x-1", button.Spec.WorkPlan, "inherited")
	assert.Equal(t, resources.TaskActive, i.phase("x-1.2.1"))
	assert.Equal(t, resources.TaskBlocked, i.phase("x-1.3"))

	for name, state := range map[string]string{"x-2": "deferred", "x-3": "pinned"} {
		assert.True(t, i.task(name).Spec.PlanAhead, name)
		assert.Equal(t, state, i.task(name).Metadata.Labels[Prefix+"status"])
	}
	assert.Equal(t, resources.TaskActive, i.task("x-4").Spec.State)
	assert.True(t, i.task("x-8").Spec.PlanAhead, "a message is no work")
	assert.JSONEq(t, `[{"id":1,"author":"b","text":"hello"}]`, i.task("x-6").Metadata.Annotations[Prefix+"comments"])
	assert.Empty(t, i.task("x-6").Spec.DependsOn)
	assert.NotContains(t, i.files, resources.Key{Kind: resources.Tasks, Name: "x-5"})

	gate := i.task("x-1-epic")
	assert.Equal(t, []string{"x-1-epic"}, i.task("x-7").Spec.DependsOn)
	assert.True(t, gate.Spec.PlanAhead)
	gate.Spec.State, gate.Spec.Result = resources.TaskCompleted, &resources.TaskResult{Evidence: "done"}
	i.put(gate)
	assert.Equal(t, []string{"x-1.2", "x-6", "x-7"}, i.next(), "closing the epic opens what waits for it")
}

func TestImportingTwiceChangesNothing(t *testing.T) {
	i := newImported(t)
	first := i.take(small)
	before := snapshotOf(i)
	second := i.take(small)
	assert.Equal(t, before, snapshotOf(i))
	assert.Empty(t, second.Created)
	assert.Empty(t, second.Updated)
	assert.Equal(t, first.Created, second.Unchanged)
	assert.Equal(t, convert([]byte(small)).Objects, convert([]byte(reversed(small))).Objects, "the order of the lines does not matter")
}

func reversed(export string) string {
	list := strings.Split(strings.TrimSpace(export), "\n")
	slices.Reverse(list)
	return lines(list...)
}

func snapshotOf(i *imported) map[resources.Key]string {
	files := map[resources.Key]string{}
	for key, data := range i.files {
		files[key] = string(data)
	}
	return files
}

func TestImportingANewerExport(t *testing.T) {
	i := newImported(t)
	i.take(small)
	edited := i.task("x-1.3")
	edited.Spec.AssignedTo = "somebody here"
	i.put(edited)
	report := i.take(small)
	assert.Empty(t, report.Updated, "an edit here is no change in beads")
	assert.Equal(t, "somebody here", i.task("x-1.3").Spec.AssignedTo)

	withUID := i.task("x-6")
	withUID.Metadata.UID = "123"
	i.put(withUID)
	newer := strings.NewReplacer(`"title":"After the gone"`, `"title":"Renamed"`, `"title":"Tests"`, `"title":"More tests"`).Replace(small)
	report = i.take(newer)
	assert.Equal(t, []resources.Key{{Kind: resources.Tasks, Name: "x-6"}}, report.Updated)
	assert.Equal(t, []resources.Key{{Kind: resources.Tasks, Name: "x-1.3"}}, report.Edited)
	assert.Equal(t, "Renamed", i.task("x-6").Spec.Title)
	assert.Equal(t, "123", i.task("x-6").Metadata.UID)
	assert.Equal(t, "Tests", i.task("x-1.3").Spec.Title, "what was edited here is left alone")
}

func TestRealExports(t *testing.T) {
	for _, file := range realExports(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			i := newImported(t)
			report := i.take(string(data))
			var b bytes.Buffer
			require.NoError(t, report.Print(&b))
			t.Log(b.String())
			assert.Equal(t, readyByTheBook(t, data, true), i.next(), "as bd ready has it")
			assert.Equal(t, readyByTheBook(t, data, false), i.next(), "and by blocks alone: no open issue stands below a blocked one")
			assert.Empty(t, i.take(string(data)).Created)
			assert.Len(t, i.take(string(data)).Unchanged, len(report.Created))
		})
	}
}

// newObject returns an empty object with a name.
func newObject[T resources.Object](kind, name string) T {
	k, _ := resources.KindOf(kind)
	o := k.New().(T)
	o.Head().Metadata.Name = name
	return o
}
