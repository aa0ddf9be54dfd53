package backlog

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

func all(string, []byte) bool { return true }

func small(t testing.TB) []migrate.File {
	return migratetest.FilesBelow(t, filepath.Join("testdata", "backlog"), all)
}

func real(t testing.TB) []migrate.File {
	return migratetest.FilesBelow(t, filepath.Join(migratetest.DataDir(t), "backlog"), all)
}

func convert(files []migrate.File) migrate.Outcome { return Convert(migrate.Input{Files: files}) }

func TestGoldenPair(t *testing.T) {
	migratetest.Golden(t, "want-small.txt", migratetest.Snapshot(t, convert(small(t))))
}

func TestGoldenPairsOfRealFiles(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "all\n%s", migratetest.Digests(t, convert(real(t))))
	for _, f := range real(t) {
		name, _, _ := strings.Cut(f.Path, " - ") // what people called it is theirs
		fmt.Fprintf(&b, "\n%s alone\n%s", name, migratetest.Digests(t, convert([]migrate.File{f})))
	}
	migratetest.Golden(t, "want-real.txt", []byte(b.String()))
	migratetest.RequireKept(t, real(t), convert(real(t)))
}

// YAML comments have no place in an object: the report names their file.
func TestCommentsInFrontMatter(t *testing.T) {
	file := func(line string) []migrate.File {
		return []migrate.File{{Path: "tasks/task-1 - A.md", Data: []byte("---\nid: task-1\ntitle: A\n" + line + "---\n## Description\n\nText\n")}}
	}
	assert.Empty(t, convert(file("")).Report.Problems)
	problems := convert(file("# not yet\n")).Report.Problems
	require.Len(t, problems, 1)
	assert.Equal(t, "its front matter has comments; the whole file is kept", problems[0].Message)
}

func TestNothingIsLost(t *testing.T) {
	files := small(t)
	migratetest.RequireKept(t, files, convert(files))
	for seed := range uint64(300) {
		m := migratetest.NewMutator(seed)
		mutated := append([]migrate.File(nil), files...)
		for range 3 {
			i := m.IntN(len(mutated))
			mutated[i].Data = m.Bytes(mutated[i].Data)
			lines := strings.Split(string(mutated[i].Data), "\n")
			at := m.IntN(len(lines))
			switch m.IntN(4) {
			case 0:
				lines[at] = ""
			case 1:
				lines = append(lines, lines[at])
			case 2:
				lines[at] = strings.ToUpper(lines[at])
			case 3:
				lines[at] = "novel: [a, {b"
			}
			mutated[i].Data = []byte(strings.Join(lines, "\n"))
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { migratetest.RequireKept(t, mutated, convert(mutated)) })
	}
}

func TestWhatBecomesOfATask(t *testing.T) {
	tasks := map[string]*resources.Task{}
	plans := map[string]*resources.WorkPlan{}
	for _, o := range convert(small(t)).Objects {
		switch o := o.(type) {
		case *resources.Task:
			tasks[o.Metadata.Name] = o
		case *resources.WorkPlan:
			plans[o.Metadata.Name] = o
		}
	}
	board := tasks["back-2"]
	require.NotNil(t, board)
	assert.Equal(t, "Board: draw it", board.Spec.Title)
	assert.Equal(t, "- [x] Columns are there\n- [ ] Cards move", board.Spec.ExpectedOutput)
	assert.Equal(t, resources.TaskActive, board.Spec.State)
	assert.Equal(t, "m-1", board.Spec.WorkPlan)
	assert.Equal(t, "@ann", board.Spec.AssignedTo)
	assert.Equal(t, []string{"back-1"}, board.Spec.DependsOn, "by an older prefix")
	assert.Equal(t, "BACK-404", board.Metadata.Annotations["backlog.idumb.dev/missing-dependency"])
	assert.Equal(t, `["@ann","@bob"]`, board.Metadata.Annotations["backlog.idumb.dev/assignee"])
	assert.JSONEq(t, `[{"author":"@ann","created_at":"2026-07-09 22:13","text":"Looks good."},{"author":"@bob","created_at":"2026-07-09 22:24","text":"Two columns\noverlap."}]`,
		board.Metadata.Annotations["backlog.idumb.dev/comments"])
	assert.Contains(t, board.Spec.Description, "## Not a section")
	assert.Contains(t, board.Spec.Notes, "## Plan\n\n1. Read.")
	assert.Contains(t, board.Metadata.Labels, "cli")
	assert.Equal(t, "back-2", tasks["back-2.1"].Spec.Parent)
	assert.Equal(t, "m-1", tasks["back-2.1"].Spec.WorkPlan, "of its parent")
	assert.Equal(t, "It builds on three systems.", tasks["back-1"].Spec.Result.Evidence)
	assert.Equal(t, "@ann", tasks["back-1"].Spec.AssignedTo, "no YAML, and understood")
	assert.Equal(t, "- [x] It builds", tasks["back-1"].Spec.ExpectedOutput, "a heading in a code block is none")
	assert.Equal(t, "The Board", plans["m-1"].Spec.Title)
	assert.Equal(t, resources.PlanActive, plans["m-1"].Spec.State)
}

func TestTooManyLabelsForOneFile(t *testing.T) {
	var labels []string
	for n := range 40_000 {
		labels = append(labels, fmt.Sprintf("a-label-that-is-one-of-very-many-%d", n))
	}
	files := []migrate.File{{Path: "tasks/back-1 - x.md", Data: []byte("---\nid: BACK-1\ntitle: X\nlabels: [" + strings.Join(labels, ", ") + "]\n---\n\nText that stays.\n")},
		{Path: "tasks/back-2 - y.md", Data: []byte("---\nid: BACK-2\ntitle: Y\n---\n")}}
	out := convert(files)
	migratetest.RequireKept(t, files, out)
	assert.Len(t, out.Objects, 2, "the plan and the other task")
}

// page is a Markdown file with YAML before its text.
func page(name, head, body string) migrate.File {
	return migrate.File{Path: name, Data: []byte("---\n" + head + "\n---\n\n" + body)}
}

func TestShapesOfAHead(t *testing.T) {
	one := page("tasks/task-1 - A.md", "id: task-1\ntitle: A\nstatus: Done", "")
	for _, head := range []string{
		"dependencies:\n  - task-1", "dependencies: task-1", "dependencies: [1]", "deps: [TASK-1]", "blocked_by: task-01", "dependencies:\n  - 'task-1 - A'",
		"dependencies:\n  - '[[task-1]]'", "x: &a task-1\ndependencies: [*a]", "dependencies:\n\t- task-1", "dependencies:\n  - id: task-1",
	} {
		files := []migrate.File{one, page("tasks/task-2 - B.markdown", "id: task-2\ntitle: B\nstatus: To Do\n"+head, "")}
		assert.Equal(t, []string{"task-1"}, migratetest.Tasks(convert(files))["task-2"].Spec.DependsOn, head)
		files[1].Data = []byte(strings.ReplaceAll(string(files[1].Data), "\n", "\r"))
		assert.Equal(t, []string{"task-1"}, migratetest.Tasks(convert(files))["task-2"].Spec.DependsOn, "lines that end as they once did: %s", head)
	}
}

func TestAParentByNumberOrByItsList(t *testing.T) {
	for name, files := range map[string][]migrate.File{
		"number": {page("tasks/a.md", "id: back-7\ntitle: A\nstatus: To Do", ""), page("tasks/b.md", "id: back-7.2\ntitle: B\nstatus: To Do", "")},
		"list":   {page("tasks/a.md", "id: back-7\ntitle: A\nstatus: To Do\nsubtasks: [back-9]", ""), page("tasks/b.md", "id: back-9\ntitle: B\nstatus: To Do", "")},
		"camel":  {page("tasks/a.md", "id: back-7\ntitle: A\nstatus: To Do", ""), page("tasks/b.md", "id: back-9\ntitle: B\nstatus: To Do\nparentTaskId: BACK-7", "")},
	} {
		for _, task := range migratetest.Tasks(convert(files)) {
			if task.Spec.Title == "B" {
				assert.Equal(t, "back-7", task.Spec.Parent, name)
			}
		}
	}
}

func TestAMilestoneByItsTitle(t *testing.T) {
	out := convert([]migrate.File{page("milestones/m-1 - x.md", "id: m-1\ntitle: First One", ""), page("tasks/a.md", "id: back-7\ntitle: A\nstatus: To Do\nmilestone: first one", "")})
	assert.Equal(t, "m-1", migratetest.Tasks(out)["back-7"].Spec.WorkPlan)
	assert.Len(t, out.Objects, 2, "and no second plan for the title")
}

func TestCriteriaBeforeTheText(t *testing.T) {
	out := convert([]migrate.File{page("tasks/a.md", "id: back-7\ntitle: A\nstatus: To Do\nacceptance_criteria:\n  - It builds\n  - It runs", "## Description\n\nText\n")})
	task := migratetest.Tasks(out)["back-7"]
	assert.Equal(t, "- It builds\n- It runs", task.Spec.ExpectedOutput)
	assert.Equal(t, "Text", task.Spec.Description)
}

func TestAFileWithoutYAMLIsCalledAfterItself(t *testing.T) {
	tasks := migratetest.Tasks(convert([]migrate.File{
		{Path: "tasks/Board ideas.md", Data: []byte("Some.\n\n## Description\n\nx\n\n# Draw a board\n\nColumns.\n")},
		{Path: "tasks/todo.md", Data: []byte("- milk\n")},
		{Path: "tasks/back-7 - Set up.md", Data: []byte("# Other\n")},
		page("tasks/a.md", "id: back-9\ntitle: A\nstatus: To Do", "# Heading\n"),
	}))
	for name, title := range map[string]string{"board-ideas": "Draw a board", "todo": "todo", "back-7": "Set up"} {
		require.Contains(t, tasks, name)
		assert.Equal(t, title, tasks[name].Spec.Title)
		assert.Equal(t, title, tasks[name].Spec.ExpectedOutput)
		assert.True(t, tasks[name].Spec.PlanAhead, name)
	}
	assert.Contains(t, tasks["board-ideas"].Spec.Description, "Some.")
	assert.Equal(t, "A", tasks["back-9"].Spec.Title)
	assert.False(t, tasks["back-9"].Spec.PlanAhead)
}

func TestWhatIsNoBacklog(t *testing.T) {
	for _, f := range []migrate.File{
		{Path: "README.md", Data: []byte("# Hi\n")}, {Path: "notes/a.md", Data: []byte("# Shopping\n\nmilk\n")}, {Path: "x.json", Data: []byte(`{"a":1}`)},
		{Path: "post.md", Data: []byte("---\ntitle: A post\ndate: 2026-01-01\n---\ntext\n")}, {Path: "x.md"},
	} {
		assert.NotEmpty(t, convert([]migrate.File{f}).Foreign, f.Path)
	}
	assert.Empty(t, convert([]migrate.File{{Path: "tasks/a.md", Data: []byte("no head\n")}}).Foreign)
}

func FuzzConvert(f *testing.F) {
	f.Add([]byte("---\nid: 1\nsubtasks: [1, '1.1']\nmilestone: X\ndeps: {a: true}\nblocks: '[[1]]'\n...\n"))
	f.Add([]byte("\xff\xfe-\x00-\x00-\x00\n\x00"))
	for _, file := range small(f) {
		f.Add(file.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files := []migrate.File{{Path: "tasks/back-1 - x.md", Data: data}}
		migratetest.RequireKept(t, nil, convert(files))
	})
}

// A decision is a mem also where its file, or its folder, is given alone.
func TestADecisionByItself(t *testing.T) {
	for name, kind := range map[string]string{
		"decisions/decision-1 - Use-SQL.md": resources.Mems,
		"decision-1 - Use-SQL.md":           resources.Mems,
		"decision-1.md":                     resources.Mems,
		"task-1 - Use-SQL.md":               resources.Tasks,
		"decision-makers.md":                resources.Tasks,
	} {
		out := convert([]migrate.File{{Path: name, Data: []byte("---\nid: x-1\ntitle: Use SQL\n---\n\n## Decision\n\nSQL\n")}})
		found := false
		for _, o := range out.Objects {
			found = found || o.Key().Kind == kind
		}
		assert.True(t, found, name)
	}
}
