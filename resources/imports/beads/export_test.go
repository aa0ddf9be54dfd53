package beads

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// realExports are the exports of real projects, which are read and never copied. Where their folder is, all of them have to be.
func realExports(t *testing.T) []string {
	t.Helper()
	dir := filepath.Join(migratetest.DataDir(t), "beads")
	var files []string
	for _, name := range []string{"0xHoneyJar-loa-c060f521.jsonl", "NVIDIA-skyhook-e3de367b.jsonl", "issues-8b6cad8d.jsonl"} {
		require.FileExists(t, filepath.Join(dir, name))
		files = append(files, filepath.Join(dir, name))
	}
	return files
}

// export writes what was imported.
func (i *imported) export() string {
	var plans, tasks []resources.Object
	s := i.snapshot()
	for _, key := range s.List(resources.WorkPlans) {
		o, _ := s.Get(key)
		plans = append(plans, o)
	}
	for _, key := range s.List(resources.Tasks) {
		o, _ := s.Get(key)
		tasks = append(tasks, o)
	}
	data, report := Export(plans, tasks, nil)
	require.Empty(i.t, report.Problems)
	return string(data)
}

// issuesOf are the issues of an export by id, tombstones left out.
func issuesOf(t *testing.T, export string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for line := range strings.Lines(export) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var head struct{ ID, Status string }
		require.NoError(t, json.Unmarshal([]byte(line), &head))
		if head.Status != tombstone {
			all[head.ID] = strings.TrimSpace(line)
		}
	}
	return all
}

// tombs are the tombstones of an export, which are not given back.
func tombs(export string) string {
	var b strings.Builder
	for line := range strings.Lines(export) {
		if strings.Contains(line, `"status":"tombstone"`) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func requireSameIssues(t *testing.T, want, got string) {
	t.Helper()
	wanted, gotten := issuesOf(t, want), issuesOf(t, got)
	require.Len(t, gotten, len(wanted))
	for id, line := range wanted {
		require.JSONEq(t, line, gotten[id], id)
	}
}

func TestImportAndExportGiveBackWhatWasThere(t *testing.T) {
	giveBack(t, map[string]string{"small": small})
}

func TestImportAndExportGiveBackRealFiles(t *testing.T) {
	exports := map[string]string{}
	for _, file := range realExports(t) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		exports[filepath.Base(file)] = string(data)
	}
	giveBack(t, exports)
}

// giveBack imports exports, exports them, and imports them again.
func giveBack(t *testing.T, exports map[string]string) {
	for name, export := range exports {
		t.Run(name, func(t *testing.T) {
			i := newImported(t)
			i.take(export)
			once := i.export()
			requireSameIssues(t, export, once)
			report := i.take(once + tombs(export))
			assert.Empty(t, report.Created)
			assert.Empty(t, report.Updated, "what comes back says nothing new")
		})
	}
}

func TestExportOfWhatChangedHere(t *testing.T) {
	i := newImported(t)
	i.take(small)
	form := i.task("x-1.2")
	form.Spec.State, form.Spec.Result = resources.TaskCompleted, &resources.TaskResult{Evidence: "it posts"}
	form.Spec.DependsOn, form.Spec.Priority, form.Spec.Paths = nil, "critical", []string{"web/**"}
	delete(form.Metadata.Labels, "security")
	form.Metadata.Labels["area"] = "web"
	i.put(form)
	export := i.export()
	was, now := issuesOf(t, small), issuesOf(t, export)
	for id, line := range was {
		if id != "x-1.2" && id != "x-1.2.1" {
			assert.JSONEq(t, line, now[id])
		}
	}
	var got struct {
		Status, Title, Description string
		Priority                   int
		Reason                     string `json:"close_reason"`
		Acceptance                 string `json:"acceptance_criteria"`
		Labels                     []string
		Dependencies               []edge
	}
	require.NoError(t, json.Unmarshal([]byte(now["x-1.2"]), &got))
	assert.Equal(t, closed, got.Status)
	assert.Equal(t, "it posts", got.Reason)
	assert.Equal(t, 0, got.Priority)
	assert.Equal(t, "A form", got.Description)
	assert.Equal(t, []string{"sprint:3", "a b", "area:web"}, got.Labels)
	assert.Len(t, got.Dependencies, 2, "the parent and discovered-from stay")

	fresh := newImported(t)
	fresh.take(export)
	assert.Equal(t, []string{"web/**"}, fresh.task("x-1.2").Spec.Paths, "what beads has no place for comes back")
	assert.Equal(t, form.Spec, fresh.task("x-1.2").Spec)
}

func TestWorkInBeadsComesBack(t *testing.T) {
	i := newImported(t)
	randomStore(i, rand.New(rand.NewPCG(1, 2)), 20, "task")
	export := i.export()
	var id string
	for one, line := range issuesOf(t, export) {
		if strings.Contains(line, `"issue_type":"task"`) && strings.Contains(line, `"status":"open"`) && (id == "" || one < id) {
			id = one
		}
	}
	require.NotEmpty(t, id)
	before := *i.task(id)
	line := issuesOf(t, export)[id]
	changed := strings.Replace(line, `"status":"open"`, `"close_reason":"done there","status":"closed"`, 1)
	report := i.take(strings.Replace(export, line, changed, 1))
	assert.Equal(t, []resources.Key{{Kind: resources.Tasks, Name: id}}, report.Updated)
	after := i.task(id)
	assert.Equal(t, resources.TaskCompleted, after.Spec.State)
	assert.Equal(t, "done there", after.Spec.Result.Evidence)
	assert.Equal(t, before.Spec.Paths, after.Spec.Paths)
	assert.Equal(t, before.Spec.Evidence, after.Spec.Evidence)
	assert.Equal(t, before.Spec.Source, after.Spec.Source)
	assert.Equal(t, before.Metadata.UID, after.Metadata.UID)
}

// randomStore fills a store with objects that have every field.
func randomStore(i *imported, r *rand.Rand, n int, names ...string) {
	text := func() string {
		words := []string{"fix", "the \"parser\"", "ünï\ncode", "<b>", "- [ ] a", "`x`", "\\", "\u202e", "{}", "123"}
		var b []string
		for range 1 + r.IntN(4) {
			b = append(b, words[r.IntN(len(words))])
		}
		return strings.Join(b, " ")
	}
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	meta := func(m *resources.Meta, name string) {
		m.Name, m.UID = name, fmt.Sprintf("u-%s", name)
		m.CreationTimestamp = resources.NewTime(time.Date(2026, 1, 1+r.IntN(20), 0, 0, 0, 0, time.UTC))
		if r.IntN(2) == 0 {
			m.Labels = map[string]string{pick("area", "team"): pick("", "web", "a.b")}
			m.Annotations = map[string]string{"note": text()}
		}
	}
	for p := range 1 + n/5 {
		o := newObject[*resources.WorkPlan](resources.WorkPlans, "")
		meta(&o.Metadata, fmt.Sprintf("plan-%d", p))
		o.Spec = resources.WorkPlanSpec{Title: text(), Acceptance: []string{text(), text()}, State: pick("", "draft", "active", "completed", "archived", "abandoned"), Category: pick("", "research"), OwnedBy: pick("", "ann")}
		if p > 0 && r.IntN(2) == 0 {
			o.Spec.DependsOn = []string{fmt.Sprintf("plan-%d", r.IntN(p))}
		}
		i.put(o)
	}
	for k := range n {
		o := newObject[*resources.Task](resources.Tasks, "")
		meta(&o.Metadata, fmt.Sprintf("%s-%d", pick(names...), k+100*r.IntN(2)))
		o.Spec = resources.TaskSpec{
			WorkPlan: fmt.Sprintf("plan-%d", r.IntN(1+n/5)), Title: pick("", text()), ExpectedOutput: text(), State: pick("", "planned", "active", "review", "completed", "failed", "abandoned"),
			PlanAhead: r.IntN(5) == 0, AssignedTo: pick("", "bob"), Priority: pick("", "critical", "high", "medium", "normal", "low"), Paths: []string{"a/**"}, Reason: pick("", text()),
			Evidence: []resources.EvidenceItem{{Command: "go test"}}, Source: &resources.TaskSource{File: "a/x.go", Line: 7},
		}
		if r.IntN(2) == 0 {
			o.Spec.Result = &resources.TaskResult{Evidence: text(), FilesModified: []string{"x.go"}}
		}
		var earlier []string
		for key := range i.files {
			if key.Kind == resources.Tasks && key.Name < o.Metadata.Name {
				earlier = append(earlier, key.Name)
			}
		}
		if len(earlier) > 0 && r.IntN(2) == 0 {
			o.Spec.DependsOn = []string{earlier[r.IntN(len(earlier))]}
		}
		if len(earlier) > 0 && r.IntN(3) == 0 {
			o.Spec.Parent = earlier[r.IntN(len(earlier))]
		}
		if len(earlier) > 0 && r.IntN(5) == 0 {
			o.Spec.TemporalGate = &resources.TemporalGate{After: earlier[r.IntN(len(earlier))], Reason: text()}
		}
		i.put(o)
	}
}

func TestExportAndImportGiveBackRandomStores(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		i := newImported(t)
		randomStore(i, r, 1+r.IntN(30), "task", "plan")
		export := i.export()
		fresh := newImported(t)
		report := fresh.take(export)
		require.Empty(t, report.Problems, "seed %d", seed)
		require.Equal(t, snapshotOf(i), snapshotOf(fresh), "seed %d", seed)
		again := i.take(export)
		require.Empty(t, again.Created, "seed %d", seed)
		require.Empty(t, again.Updated, "seed %d", seed)
		require.Empty(t, again.Edited, "seed %d", seed)
		require.Equal(t, export, fresh.export(), "seed %d", seed)
	}
}

func TestNativeFieldsWithoutTheStash(t *testing.T) {
	for seed := range uint64(20) {
		i := newImported(t)
		randomStore(i, rand.New(rand.NewPCG(seed, 9)), 20, "task")
		var bare []string
		for _, line := range issuesOf(t, i.export()) {
			v, _, err := migrate.Parse([]byte(line))
			require.NoError(t, err)
			set(&v, "metadata", migrate.Value{})
			bare = append(bare, string(v.JSON()))
		}
		fresh := newImported(t)
		fresh.take(lines(bare...))
		for key := range i.files {
			if key.Kind != resources.Tasks {
				continue
			}
			o, found := fresh.get(key)
			if !found { // a plan has the name
				continue
			}
			was, is := i.task(key.Name).Spec, o.(*resources.Task).Spec
			assert.Equal(t, strings.TrimSpace(was.ExpectedOutput), is.ExpectedOutput, key)
			assert.Equal(t, cmp.Or(was.Priority, "normal"), cmp.Or(is.Priority, "normal"), key)
			assert.Equal(t, was.AssignedTo, is.AssignedTo, key)
			assert.Equal(t, was.Parent, is.Parent, key)
			assert.Subset(t, is.DependsOn, was.DependsOn, key)
			wasStatus, _ := taskStatus(&was)
			isStatus, _ := taskStatus(&is)
			assert.Equal(t, wasStatus, isStatus, key)
		}
	}
}

func TestWhatOtherTrackersHadGoesToBeads(t *testing.T) {
	i := newImported(t)
	plan := newObject[*resources.WorkPlan](resources.WorkPlans, "m-1")
	plan.Spec = resources.WorkPlanSpec{Title: "M", Acceptance: []string{"done"}}
	i.put(plan)
	task := newObject[*resources.Task](resources.Tasks, "back-1")
	task.Spec = resources.TaskSpec{WorkPlan: "m-1", Title: "Board", ExpectedOutput: "- [x] Columns"}
	task.Metadata.Annotations = map[string]string{
		"backlog.idumb.dev/description": "Columns by status.", "backlog.idumb.dev/notes": "drawn twice", "backlog.idumb.dev/plan": "read, draw",
		"backlog.idumb.dev/comments": `[{"author":"@ann","created_at":"2026-07-09 22:13","text":"Looks good."}]`,
	}
	i.put(task)
	export := i.export()
	v, _, err := migrate.Parse([]byte(issuesOf(t, export)["back-1"]))
	require.NoError(t, err)
	for field, want := range map[string]string{
		"description": "Columns by status.", "acceptance_criteria": "- [x] Columns", "notes": "drawn twice", "design": "read, draw",
		"comments": `[{"id":1,"issue_id":"back-1","author":"@ann","text":"Looks good.","created_at":"2026-07-09T22:13:00Z"}]`,
	} {
		got, _ := v.Lookup(field)
		assert.Equal(t, want, got.Plain(), field)
	}
	fresh := newImported(t)
	fresh.take(export)
	assert.Equal(t, snapshotOf(i), snapshotOf(fresh))
}

func FuzzConvert(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`[{"id":"a","Issue-Type":"epic"},{"id":1,"dependencies":["a",{"dependsOnId":"a"}],"metadata":{"idumb":{"object":{"kind":"TaskNode"},"digest":""}}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		out := Convert(migrate.Input{Files: []migrate.File{{Path: "x.jsonl", Data: data}}})
		for _, o := range out.Objects {
			text, err := resources.Encode(o)
			require.NoError(t, err)
			if len(text) < resources.MaxFileSize {
				_, _, err = resources.Read(o.Key(), text)
				require.NoError(t, err, "%s", text)
			}
		}
	})
}

func TestTheBodyOfATaskGoesOutAndComesBack(t *testing.T) {
	i := newImported(t)
	i.take(lines(`{"id":"x-1","title":"Form","description":"A form","design":"One page","notes":"Ask Ann","status":"open"}`))
	form := i.task("x-1")
	assert.Equal(t, "A form", form.Spec.Description)
	assert.Equal(t, "## Design\n\nOne page\n\n## Notes\n\nAsk Ann", form.Spec.Notes)
	form.Spec.Description, form.Spec.Notes = "Two forms", "## Design\n\nTwo pages\n\n## Notes\n\nAsk Bob"
	i.put(form)
	native := newObject[*resources.Task](resources.Tasks, "ours")
	native.Spec = resources.TaskSpec{WorkPlan: "imported-x", Title: "Ours", ExpectedOutput: "Ours", Description: "# Why\n\nPeople ask.", Notes: "Later."}
	i.put(native)
	export := i.export()
	issues := issuesOf(t, export)
	var got struct{ Description, Design, Notes, Acceptance_criteria string }
	require.NoError(t, json.Unmarshal([]byte(issues["x-1"]), &got))
	assert.Equal(t, []string{"Two forms", "Two pages", "Ask Bob", ""}, []string{got.Description, got.Design, got.Notes, got.Acceptance_criteria})
	got.Design = ""
	require.NoError(t, json.Unmarshal([]byte(issues["ours"]), &got))
	assert.Equal(t, []string{"# Why\n\nPeople ask.", "", "Later.", ""}, []string{got.Description, got.Design, got.Notes, got.Acceptance_criteria})

	fresh := newImported(t)
	fresh.take(strings.NewReplacer("Ask Bob", "Ask Cem", "Later.", "Now.").Replace(export))
	assert.Equal(t, "## Design\n\nTwo pages\n\n## Notes\n\nAsk Cem", fresh.task("x-1").Spec.Notes, "what changed there")
	assert.Equal(t, "Now.", fresh.task("ours").Spec.Notes)
	assert.Equal(t, "# Why\n\nPeople ask.", fresh.task("ours").Spec.Description)
}

// What an issue says of an object is told by the names of its fields: each has to be one.
func TestFieldsThatAnIssueSays(t *testing.T) {
	for kind, names := range saidThere {
		spec := reflect.TypeOf(newObject[resources.Object](kind, "x").SpecPointer()).Elem()
		for name := range strings.FieldsSeq(names) {
			_, found := spec.FieldByName(name)
			assert.True(t, found, "%s %s", kind, name)
		}
	}
}
