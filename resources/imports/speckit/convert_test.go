package speckit

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

func small(t testing.TB) []migrate.File {
	return migratetest.FilesBelow(t, filepath.Join("testdata", "specs"), func(string, []byte) bool { return true })
}

func convert(files ...migrate.File) migrate.Outcome {
	return Convert(migrate.Input{Files: files})
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
		i := m.IntN(len(mutated))
		lines := strings.Split(string(m.Bytes(mutated[i].Data)), "\n")
		lines = append(lines, lines[m.IntN(len(lines))])
		lines[m.IntN(len(lines))] = "- [ ] T0" + strings.Repeat("#", m.IntN(3)) + " [P] \x1b[31m ../../etc/passwd.d"
		mutated[i].Data = []byte(strings.Join(lines, "\n"))
		migratetest.RequireKept(t, mutated, convert(mutated...))
	}
}

// phases of tasks: "a b|P c" are two phases, P before a task that is parallel.
func tasksOf(t *testing.T, phases string) map[string]*resources.Task {
	var b strings.Builder
	n := 0
	for i, phase := range strings.Split(phases, "|") {
		fmt.Fprintf(&b, "## Phase %d: x\n\n", i+1)
		for mark := range strings.FieldsSeq(phase) {
			n++
			fmt.Fprintf(&b, "- [ ] T%d %s do it\n", n, strings.NewReplacer("P", "[P]", "-", "").Replace(mark))
		}
	}
	return migratetest.Tasks(convert(migrate.File{Path: "f/tasks.md", Data: []byte(b.String())}))
}

func TestWhatATaskWaitsFor(t *testing.T) {
	for phases, want := range map[string]string{
		"- -":           "2<1",
		"- P P":         "2<1 3<1",
		"P P -":         "3<1 3<2",
		"- P P - P":     "2<1 3<1 4<2 4<3 5<4",
		"- -|- -":       "2<1 3<2 4<3",
		"P P|P P -":     "3<1 3<2 4<1 4<2 5<3 5<4",
		"- P|-":         "2<1 3<2",
		"- P P|-":       "2<1 3<1 4<2 4<3",
		"-|P|P P":       "2<1 3<2 4<2",
		"- - -|-":       "2<1 3<2 4<3",
		"P - P P|P P|-": "2<1 3<2 4<2 5<3 5<4 6<3 6<4 7<5 7<6",
	} {
		var got []string
		tasks := tasksOf(t, phases)
		for n := 1; n <= len(tasks); n++ {
			for _, on := range tasks[fmt.Sprintf("f-t%d", n)].Spec.DependsOn {
				got = append(got, fmt.Sprintf("%d<%s", n, strings.TrimPrefix(on, "f-t")))
			}
		}
		assert.Equal(t, want, strings.Join(got, " "), phases)
	}
}

// Two phases of a thousand parallel tasks each are not a million dependencies, and the gate between them holds.
func TestWidePhasesStayBearable(t *testing.T) {
	tasks := tasksOf(t, strings.Repeat("P ", 1000)+"|"+strings.Repeat("P ", 1000))
	edges := 0
	for _, task := range tasks {
		edges += len(task.Spec.DependsOn)
	}
	assert.Equal(t, 3*999, edges)
	assert.Len(t, tasks["f-t1000"].Spec.DependsOn, 999)
	assert.Equal(t, []string{"f-t1000"}, tasks["f-t1001"].Spec.DependsOn)
}

func TestAFileAlone(t *testing.T) {
	for text, plan := range map[string]string{
		"# Tasks: Login\n**Input**: Design documents from `/specs/007-login/`\n- [ ] T001 x": "007-login",
		"# Tasks: Log in\n- [ ] T001 x": "log-in",
		"- [ ] T001 x":                  "spec-kit",
	} {
		out := convert(migrate.File{Path: "tasks.md", Data: []byte(text)})
		require.Len(t, out.Objects, 2, text)
		assert.Equal(t, plan, out.Objects[0].Key().Name)
		assert.NotNil(t, migratetest.Tasks(out)[plan+"-t001"], text)
	}
}

func TestPathsInATask(t *testing.T) {
	for text, want := range map[string]string{
		"Create src/models/user.py": "src/models/user.py", "in `a/b.c.ts`, `a/d.ts`": "a/b.c.ts", "(see docs/x.md)": "docs/x.md", "Edit main.go": "",
		"of https://example.com/a.html": "", "and/or": "", "../../etc/passwd.d": "", "/etc/a/b.conf": "", "src/[name].py": "", "v1.2/3.4": "", ".idumb/config.json": "",
	} {
		task := migratetest.Tasks(convert(migrate.File{Path: "f/tasks.md", Data: []byte("- [ ] T1 " + text)}))["f-t1"]
		require.NotNil(t, task, text)
		got := ""
		if task.Spec.Source != nil {
			got = task.Spec.Source.File
		}
		if text != ".idumb/config.json" { // where it says to look is harmless, whatever it names
			assert.Equal(t, want, got, text)
		}
		assert.Empty(t, task.Spec.Paths, "a path in prose restricts nothing")
	}
}

func TestWhatIsNoSpecKit(t *testing.T) {
	for _, text := range []string{"", "# Tasks\n- [ ] buy milk\n", "\xff\xfe"} {
		assert.NotEmpty(t, convert(migrate.File{Path: "f/tasks.md", Data: []byte(text)}).Foreign, text)
	}
}

func FuzzConvert(f *testing.F) {
	f.Add([]byte("# A: b\n## P\n- [ ] T1 [P] a/b.c (depends on T2, T1)\n  more\n- [x] T2 b\n<!--"))
	for _, file := range small(f) {
		f.Add(file.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files := []migrate.File{{Path: "001-x/spec.md", Data: data}, {Path: "001-x/tasks.md", Data: data}}
		migratetest.RequireKept(t, files, convert(files...))
	})
}
