package beads

import (
	"fmt"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// converted is what an export becomes, by kind/name, and nothing of it is lost.
func converted(t *testing.T, export string) (map[string]resources.Object, migrate.Outcome) {
	t.Helper()
	files := []migrate.File{{Path: "x.jsonl", Data: []byte(export)}}
	out := Convert(migrate.Input{Files: files})
	all := map[string]resources.Object{}
	for _, o := range out.Objects {
		all[o.Key().String()] = o
	}
	return all, out
}

// alpha and beta are two issues; beta waits for alpha in as many ways as there are.
const alpha = `{"id":"bd-1","title":"Alpha","status":"closed"}`

func TestFormsOfEdges(t *testing.T) {
	for _, edges := range []string{
		`"dependencies":[{"issue_id":"bd-2","depends_on_id":"bd-1","type":"blocks"}]`,
		`"dependencies":[{"id":"bd-1","title":"Alpha","dependency_type":"blocks"}]`, // bd show --json
		`"dependencies":["bd-1"]`, `"dependencies":"bd-1"`, `"dependencies":{"bd-1":"blocks"}`, `"dependencies":{"blocks":["bd-1"]}`,
		`"dependencies":[{"target":"bd-1","kind":"blocks"}]`, `"dependencies":[{"depends_on":"bd-1","type":"BLOCKS"}]`,
		`"dependencies":[{"depends_on_id":"bd-1","type":"blocked-by"}]`, `"dependencies":[{"depends_on_id":"BD-1","type":"blocks"}]`,
		`"dependencies":[{"depends_on_id":"bd-1","type":"waits-for"}]`,
		`"deps":["bd-1"]`, `"dependsOn":["bd-1"]`, `"blocked_by":[{"id":"bd-1"}]`, `"blockedBy":["bd-1","bd-1"]`,
	} {
		all, _ := converted(t, alpha+"\n"+`{"id":"bd-2","title":"Beta","status":"open",`+edges+"}\n")
		assert.Equal(t, []string{"bd-1"}, all["tasks/bd-2"].(*resources.Task).Spec.DependsOn, edges)
	}
	for _, export := range []string{
		`{"id":"bd-1","title":"Alpha","status":"closed","blocks":["bd-2"]}` + "\n" + `{"id":"bd-2","title":"Beta"}`,
		alpha + "\n" + `{"id":"bd-2","title":"Beta"}` + "\n" + `{"issue_id":"bd-2","depends_on_id":"bd-1","type":"blocks"}`,
		`{"issue":` + alpha + `}` + "\n" + `{"issue":{"id":"bd-2","title":"Beta"},"dependencies":["bd-1"]}`,
	} {
		all, _ := converted(t, export)
		assert.Equal(t, []string{"bd-1"}, all["tasks/bd-2"].(*resources.Task).Spec.DependsOn, export)
	}
}

func TestAParentInAFieldOrInTheID(t *testing.T) {
	for _, child := range []string{`{"id":"bd-9","title":"C","parent":"bd-2"}`, `{"id":"bd-9","title":"C","parentId":"bd-2"}`, `{"id":"bd-2.9","title":"C"}`} {
		all, _ := converted(t, `{"id":"bd-2","title":"B"}`+"\n"+child)
		for name, o := range all {
			if task, ok := o.(*resources.Task); ok && task.Spec.Title == "C" {
				assert.Equal(t, "bd-2", task.Spec.Parent, name)
			}
		}
		assert.Len(t, all, 3)
	}
}

func TestAnIssueThatRunsOnlyIfAnotherFails(t *testing.T) {
	all, _ := converted(t, alpha+"\n"+`{"id":"bd-2","title":"Beta","dependencies":[{"depends_on_id":"bd-1","type":"conditional-blocks"}]}`)
	task := all["tasks/bd-2"].(*resources.Task)
	assert.True(t, task.Spec.PlanAhead, "nobody is told to do it")
	assert.Equal(t, []string{"bd-1"}, task.Spec.DependsOn)
}

func TestWordsOfStatus(t *testing.T) {
	for word, want := range map[string]string{
		"CLOSED": resources.TaskCompleted, "Open": resources.TaskPlanned, "in-progress": resources.TaskActive, "done": resources.TaskCompleted,
		"cancelled": resources.TaskAbandoned, "review": resources.TaskReview, "todo": resources.TaskPlanned,
	} {
		all, _ := converted(t, fmt.Sprintf(`{"id":"bd-1","title":"A","status":%q}`, word))
		task := all["tasks/bd-1"].(*resources.Task)
		assert.Equal(t, want, task.Spec.State, word)
		assert.False(t, task.Spec.PlanAhead, word)
		assert.Empty(t, resources.Validate(task), word)
	}
}

func TestShapesOfAnExport(t *testing.T) {
	beta := `{"id":"bd-2","title":"Beta","status":"open","dependencies":["bd-1"]}`
	wide := utf16.Encode([]rune("\ufeff" + alpha + "\r\n" + beta + "\r\n"))
	var utf16le []byte
	for _, unit := range wide {
		utf16le = append(utf16le, byte(unit), byte(unit>>8))
	}
	for name, export := range map[string]string{
		"lines": alpha + "\n" + beta, "a list": "[" + alpha + "," + beta + "]", "wrapped": `{"version":1,"issues":[` + alpha + "," + beta + "]}",
		"wrapped twice": "{\n\"data\": {\"issues\": [" + alpha + ",\n" + beta + "]}}", "by id": `{"bd-1":` + alpha + `,"bd-2":{"id":null,"title":"Beta","status":"open","deps":"bd-1"}}`,
		"commas": alpha + ",\n" + beta + ",\n", "UTF-16": string(utf16le),
		"typed":       `{"_schema":"beads-jsonl/1"}` + "\n" + `{"_type":"issue",` + alpha[1:] + "\n" + `{"_type":"issue",` + beta[1:],
		"other names": `{"uuid":"bd-1","name":"Alpha","state":"closed","type":"task"}` + "\n" + beta,
	} {
		t.Run(name, func(t *testing.T) {
			all, out := converted(t, export)
			assert.Empty(t, out.Foreign)
			require.Contains(t, all, "tasks/bd-1")
			require.Contains(t, all, "tasks/bd-2")
			assert.Equal(t, "Alpha", all["tasks/bd-1"].(*resources.Task).Spec.Title)
			assert.Equal(t, resources.TaskCompleted, all["tasks/bd-1"].(*resources.Task).Spec.State)
			assert.Equal(t, []string{"bd-1"}, all["tasks/bd-2"].(*resources.Task).Spec.DependsOn)
		})
	}
}

// What bd remember was told comes in as mems, and goes out again.
func TestMemories(t *testing.T) {
	line := `{"_type":"memory","key":"use sql","value":"SQL everywhere"}` + "\n"
	all, out := converted(t, alpha+"\n"+line+line)
	mem := all["mems/use-sql"].(*resources.Mem)
	assert.Equal(t, "SQL everywhere", mem.Spec.Content)
	assert.Contains(t, out.Report.Summary, "2 memories")
	data, _ := Export(nil, nil, []resources.Object{mem})
	assert.JSONEq(t, line, string(data))
	own := newObject[*resources.Mem](resources.Mems, "own")
	data, _ = Export(nil, nil, []resources.Object{own})
	assert.Empty(t, data, "what did not come from there does not go there")
}

func TestWhatIsNoExport(t *testing.T) {
	for _, text := range []string{
		"", "\n \n", "# A title\n\nand text\n", "\x00\x01\x02", `{"name":"x","version":"1.0.0","scripts":{"a":"b"}}`, `[1,2,3]`,
		`{"type":"FeatureCollection","features":[{"id":1,"type":"Feature"}]}`, `{"id":1,"event":"click"}` + "\n" + `{"id":2,"event":"view"}`,
		`{"master":{"tasks":[{"id":1,"title":"A","status":"done"}]}}`,
	} {
		_, out := converted(t, text)
		assert.NotEmpty(t, out.Foreign, text)
	}
}

func FuzzShapes(f *testing.F) {
	for _, text := range []string{
		alpha, `{"data":{"issues":[` + alpha + `]}}`, `{"_type":"memory","key":"k","value":"v"}`, `{"issue":{"id":"a"},"dependencies":{"a":"blocks"}}`,
		`{"issue_id":"a","depends_on_id":"b"}`, `{"id":"a.1","blocks":["a"],"parent":"a.1"}` + "\n" + `{"id":"a","dependents":[{"id":"a.1","dependency_type":"waits-for"}]}`,
		"\xff\xfe{\x00}\x00",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		migratetest.RequireKept(t, nil, convert(data))
	})
}
