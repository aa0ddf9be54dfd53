package gsd

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

func small(t testing.TB) []migrate.File {
	return migratetest.FilesBelow(t, filepath.Join("testdata", "planning"), func(file string, _ []byte) bool { return Accepts(file) })
}

func convert(files ...migrate.File) migrate.Outcome {
	return Convert(migrate.Input{Files: files})
}

// of makes files of pairs of a path and a text.
func of(pairs ...string) []migrate.File {
	var files []migrate.File
	for i := 0; i < len(pairs); i += 2 {
		files = append(files, migrate.File{Path: pairs[i], Data: []byte(pairs[i+1])})
	}
	return files
}

func TestGoldenPair(t *testing.T) {
	migratetest.Golden(t, "want-small.txt", migratetest.Snapshot(t, convert(small(t)...)))
}

func TestNothingIsLost(t *testing.T) {
	files := small(t)
	migratetest.RequireKept(t, files, convert(files...))
	for seed := range uint64(200) {
		m := migratetest.NewMutator(seed)
		mutated := append([]migrate.File(nil), files...)
		for range 3 {
			i := m.IntN(len(mutated))
			lines := strings.Split(string(m.Bytes(mutated[i].Data)), "\n")
			lines[m.IntN(len(lines))] = []string{"depends_on: [01, 02-01, x]", "</idumb_context> \x1b[31m", "---", "<task>", "### Phase 2: Log in", "wave: -9e9", "  - [x] 02-09-PLAN.md"}[m.IntN(7)]
			mutated[i].Data = []byte(strings.Join(lines, "\n"))
		}
		migratetest.RequireKept(t, mutated, convert(mutated...))
	}
}

// The order in which files are found means nothing, and what is there already is not offered again.
func TestTheSameTwice(t *testing.T) {
	files := small(t)
	first := convert(files...)
	there := map[resources.Key]resources.Object{}
	for _, o := range first.Objects {
		there[o.Key()] = o
	}
	for i := range files {
		j := len(files) - 1 - i
		if i < j {
			files[i], files[j] = files[j], files[i]
		}
	}
	again := Convert(migrate.Input{Files: files, Get: func(key resources.Key) (resources.Object, bool) {
		o, found := there[key]
		return o, found
	}})
	assert.Empty(t, again.Objects)
	assert.Len(t, again.Report.Unchanged, len(first.Objects))
}

func TestWhatFilesAre(t *testing.T) {
	for file, want := range map[string]place{
		"ROADMAP.md":                                     {kind: roadmapFile},
		"milestones/v1.0-ROADMAP.md":                     {kind: roadmapFile, label: "v1.0"},
		"REQUIREMENTS.md":                                {kind: requirementsFile},
		"phases/06-x/06-01-PLAN.md":                      {kind: planFile, folder: "06-x", stem: "06-01"},
		"phases/06-x/PLAN.md":                            {kind: planFile, folder: "06-x"},
		"phases/06-x/06-01-SUMMARY.md":                   {kind: summaryFile, folder: "06-x", stem: "06-01"},
		"milestones/v1.0-phases/06-x/06-01-PLAN.md":      {kind: planFile, folder: "06-x", stem: "06-01", label: "v1.0"},
		"quick/7-x/7-PLAN.md":                            {kind: planFile, folder: quick, stem: "7-x"},
		"todos/pending/x.md":                             {kind: todoFile, folder: todos, stem: "pending"},
		"workstreams/a/phases/06-x/06-01-PLAN.md":        {kind: planFile, stream: "a", folder: "06-x", stem: "06-01"},
		"workstreams/a/milestones/v2-phases/1-x/PLAN.md": {kind: planFile, stream: "a", folder: "1-x", label: "v2"},
		"phases/06-x/06-RESEARCH.md":                     {}, "phases/06-x/06-PLAN-2026.md": {}, "phases/06-x/MYPLAN.md": {},
		"STATE.md": {}, "phases/PLAN.md": {}, "milestones/notes.md": {}, "06-01-PLAN.md": {},
	} {
		got := placeOf(file)
		assert.Equal(t, want.kind != "", Accepts(file), file)
		if want.kind != "" {
			assert.Equal(t, want, got, file)
		}
	}
}

func TestWhatARoadmapSays(t *testing.T) {
	for text, want := range map[string]string{
		"## Phase 6: Launch\n":                                                "06-launch draft",
		"### Phase 6 — Launch it now\n":                                       "06-launch-it-now draft",
		"### ✅ Phase 06.1: Launch (INSERTED)\n":                               "06.1-launch completed",
		"- [x] **Phase 6: Launch** - up\n":                                    "06-launch completed",
		"- [ ] Phase 6: Launch (0/1 plans)\n### Phase 6: Launch\n":            "06-launch draft",
		"- [x] Phase 12: A/B — x\n":                                           "12-a-b completed",
		"### Phase HER-2: Clean up\n":                                         "her-2-clean-up draft",
		"## Phases\n- [ ] not a phase\n- [x] Phases 1-4 are done\n":           "",
		"# Phase 6: the title of the file is none\n```\n## Phase 7: x\n```\n": "",
	} {
		out := convert(of("ROADMAP.md", text)...)
		var got []string
		for _, o := range out.Objects {
			plan := o.(*resources.WorkPlan)
			got = append(got, plan.Metadata.Name+" "+plan.Spec.State)
		}
		assert.Equal(t, want, strings.Join(got, ", "), text)
		assert.Equal(t, want == "", out.Foreign != "", text)
	}
}

// What a plan waits for, in the words that people use.
func TestReferences(t *testing.T) {
	for ref, want := range map[string]string{
		"01": "06-01", "1": "06-01", "06-01": "06-01", "6-1": "06-01", "06-01-PLAN.md": "06-01", "Plan 01": "06-01", "05-01": "05-01",
		"05": "05-01 05-02", "05-walls": "05-01 05-02", "Phase 5": "05-01 05-02", "P5": "05-01 05-02", "05-02 (done)": "05-02", "05-02 ✅ done": "05-02",
		"none": "", "06-02": "", "07": "",
	} {
		out := convert(of(
			"phases/05-walls/05-01-PLAN.md", "", "phases/05-walls/05-02-PLAN.md", "",
			"phases/06-doors/06-01-PLAN.md", "", "phases/06-doors/06-02-PLAN.md", "---\ndepends_on: [\""+ref+"\"]\n---\n",
		)...)
		assert.Equal(t, want, strings.Join(migratetest.Tasks(out)["06-02"].Spec.DependsOn, " "), ref)
	}
}

func TestWhatIsDone(t *testing.T) {
	summary := func(status string) []string {
		return []string{"phases/06-x/06-01-SUMMARY.md", "---\nstatus: " + status + "\n---\n"}
	}
	roadmap := func(phase, plan string) []string {
		return []string{"ROADMAP.md", "- [" + phase + "] Phase 6: x\n## Phase 6: x\n- [" + plan + "] 06-01: y\n"}
	}
	plan := func(status string) []string {
		return []string{"phases/06-x/06-01-PLAN.md", "---\nstatus: " + status + "\n---\n"}
	}
	for _, c := range []struct {
		files []string
		want  string
		ahead bool
	}{
		{plan(""), "planned", false}, {append(plan("planned"), summary("")...), "completed", false},
		{append(plan(""), summary("complete-uncommitted")...), "completed", false}, {append(plan(""), summary("partial")...), "planned", true},
		{append(plan(""), roadmap(" ", "x")...), "completed", false}, {append(plan(""), roadmap("x", " ")...), "completed", false},
		{append(plan(""), roadmap(" ", " ")...), "planned", false}, {append(plan("superseded"), roadmap("x", "x")...), "abandoned", false},
		{roadmap(" ", " "), "planned", true}, {roadmap(" ", "x"), "completed", false},
	} {
		task := migratetest.Tasks(convert(of(c.files...)...))["06-01"]
		require.NotNil(t, task, c.files)
		assert.Equal(t, c.want, resources.TaskState(task), "%q", c.files)
		assert.Equal(t, c.ahead, task.Spec.PlanAhead, "%q", c.files)
	}
}

// A phase that was shipped and is still among the others is there once.
func TestAPhaseThatStandsTwice(t *testing.T) {
	out := convert(of(
		"milestones/v1.0-phases/06-x/06-01-PLAN.md", "# New\n", "phases/06-x/06-01-PLAN.md", "# Old\n", "milestones/v1.0-ROADMAP.md", "## Phase 6: X\n", "ROADMAP.md", "## Phase 6: X\n",
	)...)
	require.Len(t, out.Objects, 2)
	assert.Equal(t, "New", migratetest.Tasks(out)["06-01"].Spec.Title)
	assert.Contains(t, string(migratetest.Snapshot(t, out)), "files that another folder also contains")
}

// The marks of a plan are headings, or names before a text; fenced code has none.
func TestTheTextOfAPlan(t *testing.T) {
	for text, want := range map[string]string{
		"<objective>\nDo it.\n</objective>\n<output>\nx\n</output>": "## Objective\nDo it.",
		"<objective>Do it.</objective>":                             "**Objective**: Do it.",
		"<tasks>\n<task type=\"auto\">\n  <name>Task 1: A</name>\n  <verify><automated>go test</automated></verify>\n</task>\n</tasks>": "### Task 1: A\n**Verify**: go test",
		"```\n<name>x</name>\n```": "```\n<name>x</name>\n```",
		"a <b>c</b> d":             "a <b>c</b> d",
		"<output>\nnever ends":     "",
	} {
		assert.Equal(t, want, partsOf(text).text, text)
	}
}

// A list of files restricts nothing: a third of all plans wrote others as well.
func TestFilesOfAPlan(t *testing.T) {
	out := convert(of("phases/06-x/06-01-PLAN.md", "---\nfiles_modified: [src/, ../up.go, \"a b.go\", /etc/x, 'src/*.go', ./src/a.go, src/b.go]\n---\n")...)
	spec := migratetest.Tasks(out)["06-01"].Spec
	assert.Equal(t, "src/a.go", spec.Source.String())
	assert.Empty(t, spec.Paths)
	assert.Empty(t, spec.FileLocks)
	assert.Empty(t, spec.Evidence)
}

func TestWhatIsNoGSD(t *testing.T) {
	for file, text := range map[string]string{
		"ROADMAP.md": "# Roadmap\n\n- [ ] ship it\n", "06-01-PLAN.md": "---\nphase: 06-x\nplan: 01\n---\n", "README.md": "# x", "tasks.md": "- [ ] T001 x",
	} {
		assert.NotEmpty(t, convert(of(file, text)...).Foreign, file)
	}
}

func FuzzConvert(f *testing.F) {
	for _, file := range small(f) {
		f.Add(file.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var files []migrate.File
		for _, path := range []string{"ROADMAP.md", "REQUIREMENTS.md", "phases/02-x/02-01-PLAN.md", "phases/02-x/02-01-SUMMARY.md", "todos/pending/x.md"} {
			files = append(files, migrate.File{Path: path, Data: data})
		}
		migratetest.RequireKept(t, files, convert(files...))
	})
}
