package taskmaster

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

func small(t testing.TB) []migrate.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "tasks.json"))
	require.NoError(t, err)
	return []migrate.File{{Path: "tasks.json", Data: data}}
}

func real(t testing.TB) []migrate.File {
	t.Helper()
	return migratetest.FilesBelow(t, filepath.Join(migratetest.DataDir(t), "taskmaster"), func(string, []byte) bool { return true })
}

func convert(files []migrate.File) migrate.Outcome { return Convert(migrate.Input{Files: files}) }

func TestGoldenPair(t *testing.T) {
	migratetest.Golden(t, "want-small.txt", migratetest.Snapshot(t, convert(small(t))))
}

func TestGoldenPairOfTheRealFile(t *testing.T) {
	out := convert(real(t))
	migratetest.RequireKept(t, real(t), out)
	migratetest.Golden(t, "want-real.txt", migratetest.Digests(t, out))
}

func TestNothingIsLost(t *testing.T) {
	files := small(t)
	migratetest.RequireKept(t, files, convert(files))
	for seed := range uint64(300) {
		mutated := migratetest.NewMutator(seed).Files(files)
		t.Run(fmt.Sprint(seed), func(t *testing.T) { migratetest.RequireKept(t, mutated, convert(mutated)) })
	}
}

func TestNumbersAreTasksOfTheirTag(t *testing.T) {
	all := migratetest.Tasks(convert(small(t)))
	assert.Equal(t, []string{"master-1", "master-1.2"}, all["master-2"].Spec.DependsOn)
	assert.Equal(t, []string{"master-1.1"}, all["master-1.2"].Spec.DependsOn, "a sibling, however it is written")
	assert.Equal(t, "master-1", all["master-1.2"].Spec.Parent)
	assert.Equal(t, "side-track-1", all["side-track-1"].Metadata.Name)
	assert.Equal(t, "All tokens are seen", migrate.Bullets(all["master-1.1"].Spec.ExpectedOutput)[0])
	states := map[string]string{"master-1": "completed", "master-1.2": "abandoned", "master-2": "active", "master-2.2": "review", "master-3": "planned"}
	for name, state := range states {
		assert.Equal(t, state, all[name].Spec.State, name)
	}
	assert.True(t, all["master-3"].Spec.PlanAhead)
}

func TestShapesOfAFile(t *testing.T) {
	for name, text := range map[string]string{
		"before tags":   `{"tasks":[{"id":1,"title":"A","status":"pending"},{"id":2,"title":"B","status":"done","dependencies":["1"]}],"meta":{"project":"x"}}`,
		"a list":        `[{"id":1,"title":"A","status":"pending"},{"id":2,"title":"B","status":"done","dependencies":["1"]}]`,
		"other letters": `{"Tasks":[{"ID":1,"Title":"A","Status":"Pending"},{"ID":2,"Title":"B","Status":"DONE","Dependencies":[1]}]}`,
		"keyed":         `{"tasks":{"1":{"title":"A","status":"pending"},"2":{"title":"B","status":"done","dependencies":"1"}}}`,
		"lines":         "{\"id\":1,\"title\":\"A\",\"status\":\"pending\"}\n{\"id\":2,\"title\":\"B\",\"status\":\"done\",\"dependencies\":[1]}\n",
		"wrapped":       `{"version":"3","data":{"tasks":[{"id":1,"title":"A","status":"pending"},{"id":2,"title":"B","status":"done","dependencies":[1]}]}}`,
		"listed tags":   `{"tags":[{"name":"taskmaster","tasks":[{"id":1.0,"title":"A","status":"pending"},{"id":2.0,"title":"B","status":"done","deps":[{"taskId":1}]}]}]}`,
		"tag in a tag":  `{"taskmaster":{"data":{"tasks":[{"id":1,"title":"A","status":"pending","blocks":[2]},{"id":2,"title":"B","status":"done"}]}}}`,
		"remarks":       "// tasks\n{\"tasks\":[{\"id\":1,\"title\":\"A\",\"status\":\"pending\",},/* B */{\"id\":2,\"title\":\"B\",\"status\":\"done\",\"blocked_by\":\"1\"},]}",
		"below tags":    `{"tags":{"taskmaster":{"tasks":[{"id":1,"title":"A","status":"pending"},{"id":2,"title":"B","status":"done","dependencies":[1]}]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			files := []migrate.File{{Path: "tasks.json", Data: []byte(text)}}
			out := convert(files)
			migratetest.RequireKept(t, files, out)
			all := migratetest.Tasks(out)
			require.Len(t, all, 2)
			assert.Equal(t, "A", all["taskmaster-1"].Spec.Title)
			assert.Equal(t, []string{"taskmaster-1"}, all["taskmaster-2"].Spec.DependsOn)
			assert.Equal(t, "taskmaster", all["taskmaster-2"].Spec.WorkPlan)
			assert.Equal(t, resources.TaskCompleted, all["taskmaster-2"].Spec.State)
		})
	}
}

func convertText(text string) migrate.Outcome {
	return convert([]migrate.File{{Path: "tasks.json", Data: []byte(text)}})
}

func TestSubtasksAtAnyDepth(t *testing.T) {
	for _, text := range []string{
		`{"m":{"tasks":[{"id":1,"title":"A","status":"pending","subtasks":[{"id":1,"title":"B","subtasks":[{"id":1,"title":"C"},{"id":2,"title":"D","dependencies":[1]}]}]}]}}`,
		`{"m":{"tasks":[{"id":1,"title":"A","status":"pending","children":[{"id":"1.1","title":"B","sub_tasks":{"1":{"title":"C"},"2":{"title":"D","dependencies":["1.1.1"]}}}]}]}}`,
	} {
		all := migratetest.Tasks(convertText(text))
		require.Len(t, all, 4, text)
		assert.Equal(t, "m-1.1", all["m-1.1.2"].Spec.Parent)
		assert.Equal(t, []string{"m-1.1.1"}, all["m-1.1.2"].Spec.DependsOn)
	}
}

// A tag whose tasks are done and whose subtasks are not was a completed plan with open tasks.
func TestAPlanIsActiveWhileASubtaskIsOpen(t *testing.T) {
	for status, want := range map[string]string{"pending": resources.PlanActive, "done": resources.PlanCompleted} {
		out := convertText(`{"m":{"tasks":[{"id":1,"title":"A","status":"done","subtasks":[{"id":1,"title":"B","status":"` + status + `"}]}]}}`)
		require.NotEmpty(t, out.Objects)
		assert.Equal(t, want, out.Objects[0].(*resources.WorkPlan).Spec.State, status)
	}
}

func TestTagsBesideTasksAndTasksOfAnotherTag(t *testing.T) {
	out := convertText(`{"tasks":[{"id":1,"title":"A","status":"done"}],"side":{"tasks":[{"id":1,"title":"B","status":"pending","dependencies":["taskmaster:1"]}]},"history":[{"at":1}]}`)
	all := migratetest.Tasks(out)
	require.Len(t, all, 2)
	assert.Equal(t, "side", all["side-1"].Spec.WorkPlan)
	assert.Equal(t, []string{"taskmaster-1"}, all["side-1"].Spec.DependsOn)
}

func TestWhatIsNoFileOfTasks(t *testing.T) {
	for _, text := range []string{
		"", "hello", `{"name":"x","scripts":{"a":"b"},"contributors":[{"name":"ann"}]}`, `[1,2]`, `{"id":"bd-1","title":"A","status":"open","issue_type":"task"}`,
		`{"version":"2.0.0","tasks":[{"label":"build","type":"shell","command":"make"}]}`, `{"type":"FeatureCollection","features":[{"id":1}]}`,
	} {
		assert.NotEmpty(t, convertText(text).Foreign, text)
	}
	for _, text := range []string{`{"master":{"tasks":[]}}`, `{"tasks":[{"id":1,"title":"cut o`} {
		assert.Empty(t, convertText(text).Foreign, text)
	}
}

func FuzzConvert(f *testing.F) {
	f.Add([]byte(`{"tags":[{"name":"a","tasks":[{"key":"x","summary":"s","status":"Done","blocks":["y"],"children":[{"title":"t"}]}]}],"data":{"tasks":{"1":{"title":"x"}}}}`))
	f.Add([]byte("{\"id\":1,\"title\":\"A\",\"deps\":{\"2\":true}}\n{\"id\":2.0,\"title\":\"B\",\"status\":\"\xe2\x9c\x85\"}\n"))
	f.Add([]byte(`{"m":{"tasks":[{"id":1,"subtasks":[{"id":"1.1","dependencies":["1.1",1]}]}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := []migrate.File{{Path: "tasks.json", Data: data}}
		migratetest.RequireKept(t, files, convert(files))
	})
}

// A cycle over a part and what its parent waits for is opened, as one of dependencies is.
func TestCyclesOverPartsAreOpened(t *testing.T) {
	file := migrate.File{Path: "tasks.json", Data: []byte(`{"master":{"tasks":[
		{"id":1,"title":"whole","status":"pending","dependencies":[2],"subtasks":[{"id":1,"title":"part","status":"pending","dependencies":[]}]},
		{"id":2,"title":"other","status":"pending","dependencies":["1.1"]}]}}`)}
	out := convert([]migrate.File{file})
	all := migratetest.Tasks(out)
	require.Len(t, all, 3)
	assert.Empty(t, all["master-1"].Spec.DependsOn)
	assert.Equal(t, []string{"master-1.1"}, all["master-2"].Spec.DependsOn)
	assert.Equal(t, "master-1", all["master-1.1"].Spec.Parent)
	text := fmt.Sprint(out.Report.Problems)
	assert.Contains(t, text, "its dependency master-2 makes it wait for itself; kept as an annotation")
}
