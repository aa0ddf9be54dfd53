package beads

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
	"github.com/idumb-dev/idumb/resources/status"
)

func problemsOf(r migrate.Report) string {
	var list []string
	for _, p := range r.Problems {
		list = append(list, p.String())
	}
	return strings.Join(list, "\n")
}

func TestBadLinesAreSetAside(t *testing.T) {
	good := issueLine("a", "task", "open")
	for _, test := range []struct{ name, line, want string }{
		{"no JSON", "<<<<<<< HEAD", "line 2: set aside: it is not a JSON object"},
		{"cut off", `{"id":"b","title":"x`, "line 2: set aside: it is not a JSON object"},
		{"no object", `["b"]`, "line 2: set aside: it is not a JSON object: it is of type array"},
		{"no id", `{"title":"x"}`, "line 2: set aside: it has no id"},
		{"a blank id", `{"id":" ","title":"x"}`, "line 2: set aside: it has no id"},
		{"an id that is an object", `{"id":{"a":1}}`, "line 2: set aside: it has no id"},
		{"null", `null`, "line 2: set aside: it has no id"},
		{"too long", `{"id":"b","title":"` + strings.Repeat("x", maxLine) + `"}`, "line 2: set aside: it is longer than 4194304 bytes"},
		{"a NUL", "{\"id\":\"b\x00\"}", "line 2: set aside: it is not a JSON object"},
		{"the id was there", issueLine("a", "task", "closed"), "line 2: a: the id was already on line 1; this one counts"},
		{"no UTF-8", "{\"id\":\"b\",\"title\":\"\xff\"}", "line 2: b: it is not valid UTF-8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			i := newImported(t)
			report := i.take(lines(good, test.line, issueLine("z", "task", "open")))
			assert.Contains(t, problemsOf(report), test.want)
			assert.Contains(t, report.Summary, "on 3 lines")
			assert.Contains(t, i.next(), "z", "the rest goes on")
		})
	}
}

func TestFormsOfAFile(t *testing.T) {
	a, b := issueLine("a", "task", "open"), issueLine("b", "task", "open")
	for name, export := range map[string]string{
		"BOM": "\ufeff" + a + "\n" + b + "\n", "CRLF": a + "\r\n" + b + "\r\n", "empty lines": "\n\n" + a + "\n \n" + b + "\n\n", "no newline at the end": a + "\n" + b,
	} {
		t.Run(name, func(t *testing.T) {
			i := newImported(t)
			report := i.take(export)
			assert.Empty(t, report.Problems)
			assert.Equal(t, []string{"a", "b"}, i.next())
		})
	}
	empty := newImported(t).take("")
	assert.Equal(t, "Read 0 issues on 0 lines.", empty.Summary)
	assert.Empty(t, empty.Created)
}

func TestValuesOfAnotherType(t *testing.T) {
	i := newImported(t)
	report := i.take(lines(`{"id":"a","title":7,"status":"open","priority":"high","assignee":{"name":"ann","mode":"all"},"labels":"x","created_at":"yesterday","dependencies":[{"type":"blocks"},3,{"issue_id":"z","depends_on_id":"b","type":"blocks"}],"novel":{"b":[1, 2]},"compaction_level":0,"flag":true,"notes":null}`,
		`{"id":"c","title":"T","priority":9,"dependencies":"none"}`))
	task := i.task("a")
	assert.Equal(t, "7", task.Spec.Title)
	assert.Equal(t, "ann", task.Spec.AssignedTo)
	assert.Equal(t, "high", task.Spec.Priority)
	assert.Contains(t, task.Metadata.Labels, "x")
	assert.True(t, task.Metadata.CreationTimestamp.IsZero())
	for key, want := range map[string]string{
		"labels": `["x"]`, "created-at": "yesterday", "novel": `{"b":[1,2]}`, "flag": "true", "assignee": `{"name":"ann","mode":"all"}`,
		"dependencies": `[{"type":"blocks"},3,{"issue_id":"z","depends_on_id":"b","type":"blocks"}]`,
	} {
		assert.Equal(t, want, task.Metadata.Annotations[Prefix+migrate.KeyOf(strings.ReplaceAll(key, "created-at", "created_at"))], key)
	}
	assert.NotContains(t, task.Metadata.Annotations, Prefix+"compaction-level")
	var odd []string
	for _, tally := range report.Odd {
		odd = append(odd, fmt.Sprintf("%d %s", tally.Count, tally.What))
	}
	assert.Equal(t, []string{
		"1 assignee of an unexpected type", "1 created_at of an unexpected type", "1 dependencies of an unexpected type", "1 dependency of another issue",
		"2 dependency without depends_on_id", "1 labels written in another way: understood", "1 priority beyond 0 to 4: normal",
		"1 priority written in another way: understood", "1 title written in another way: understood",
	}, odd)
}

func TestBrokenChainsAreKeptAndReported(t *testing.T) {
	i := newImported(t)
	report := i.take(lines(
		issueLine("a", "task", "open", "blocks b"), issueLine("b", "task", "open", "blocks c"), issueLine("c", "task", "open", "blocks a"),
		issueLine("d", "task", "open", "blocks external:other:thing", "parent-child lost", "related lost"),
		issueLine("s", "task", "open", "blocks s"),
		issueLine("p", "task", "open", "parent-child q"), issueLine("q", "task", "open", "parent-child p")))
	text := problemsOf(report)
	for _, want := range []string{
		"circle of dependencies, kept as a broken chain: a -> b -> c -> a",
		"circle of parents: p -> q -> p",
		"line 4: d: it is blocked by external:other:thing, which is not in the file",
		"line 4: d: its parent lost is not in the file",
		"line 4: d: its related edge leads to lost, which is not in the file",
		"line 5: s: its blocks edge leads to itself",
	} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, []string{"external-other-thing"}, i.task("d").Spec.DependsOn)
	assert.Equal(t, "lost", i.task("d").Spec.Parent)
	assert.Equal(t, []string{"b"}, i.task("a").Spec.DependsOn)
	st, _ := status.DeriveTask(i.task("d"), i.snapshot())
	assert.True(t, resources.IsTrue(st.Conditions, resources.Orphaned))
	st, _ = status.DeriveTask(i.task("a"), i.snapshot())
	assert.True(t, resources.IsTrue(st.Conditions, resources.ChainBroken))
}

func TestNames(t *testing.T) {
	for id, want := range map[string]string{
		"bd-1.2": "bd-1.2", "BD-7": "bd-7", "a_b c/d": "a-b-c-d", "--x": "x", "CON": "issue-con", "lpt1.x": "issue-lpt1.x", "console": "console", "..": "issue-" + migrate.DigestOf(".."), "é": "issue-" + migrate.DigestOf("é"),
		strings.Repeat("a", 300): strings.Repeat("a", 200) + "-" + migrate.DigestOf(strings.Repeat("a", 300)),
	} {
		assert.Equal(t, want, migrate.NameOf(id))
		assert.NoError(t, resources.CheckName(migrate.NameOf(id)))
	}
}

func TestNamesThatMeet(t *testing.T) {
	export := lines(issueLine("BD_1", "task", "open"), issueLine("bd-1", "task", "open", "blocks BD_1"), issueLine("Bd-1", "task", "open"))
	i := newImported(t)
	report := i.take(export)
	first, second := "bd-1-"+migrate.DigestOf("BD_1"), "bd-1-"+migrate.DigestOf("Bd-1")
	assert.Equal(t, []string{first}, i.task("bd-1").Spec.DependsOn, "an id that is a name keeps it")
	assert.Equal(t, "Bd-1", i.task(second).Metadata.Annotations[annotationID])
	assert.Contains(t, problemsOf(report), "BD_1: the name tasks/bd-1 is taken; it is called "+first)
	assert.Empty(t, i.take(reversed(export)).Created)
}

func TestNamesThatAreTakenByOthers(t *testing.T) {
	i := newImported(t)
	own := newObject[*resources.Task](resources.Tasks, "a")
	own.Spec = resources.TaskSpec{WorkPlan: "imported-a", ExpectedOutput: "mine"}
	i.put(own)
	for range 2 {
		report := i.take(lines(issueLine("a", "task", "open"), issueLine("b", "task", "open", "blocks a")))
		assert.Contains(t, problemsOf(report), "a: the name tasks/a is taken")
		assert.Equal(t, "mine", i.task("a").Spec.ExpectedOutput)
		assert.Equal(t, []string{"a-" + migrate.DigestOf("a")}, i.task("b").Spec.DependsOn)
	}
}

func TestNestedEpics(t *testing.T) {
	i := newImported(t)
	i.take(lines(issueLine("e", "epic", "open"), issueLine("e.1", "epic", "closed", "parent-child e"), issueLine("e.1.1", "task", "open", "parent-child e.1"),
		issueLine("e.2", "feature", "open", "parent-child e"), issueLine("f", "epic", "open", "parent-child e.2")))
	assert.Equal(t, "e", i.plan("e.1").Metadata.Labels[Prefix+"outer-plan"])
	assert.Equal(t, "e", i.task("e.1-epic").Spec.WorkPlan, "the outer plan waits for the inner epic")
	assert.Equal(t, resources.TaskCompleted, i.phase("e.1-epic"))
	assert.Equal(t, "e.1", i.task("e.1.1").Spec.WorkPlan)
	assert.Equal(t, "e.2", i.task("f-epic").Spec.Parent)
	assert.Equal(t, "e", i.task("f-epic").Spec.WorkPlan)
	i = newImported(t)
	i.take(lines(issueLine("E_1", "epic", "open"), issueLine("e-1", "epic", "open"), issueLine("f", "epic", "open", "parent-child E_1")))
	assert.Equal(t, "e-1-"+migrate.DigestOf("E_1"), i.plan("f").Metadata.Labels[Prefix+"outer-plan"], "by its name here")
}

func TestLongTexts(t *testing.T) {
	huge := strings.Repeat("text ", 300_000)
	i := newImported(t)
	report := i.take(lines(`{"id":"a","title":"T","description":"`+huge+`","notes":"`+huge+`"}`, issueLine("b", "task", "open", "blocks a")))
	assert.Contains(t, problemsOf(report), "a: its notes has 1499999 bytes, too many for one file: left out")
	assert.Contains(t, problemsOf(report), "a: its description has 1499999 bytes, too many for one file: left out")
	assert.Equal(t, []string{"a"}, i.next())
}

func TestReportSendsNothingToTheTerminal(t *testing.T) {
	i := newImported(t)
	report := i.take(lines("{\"id\":\"a\\u001b[31m\\u202e\",\"title\":\"T\",\"evil\\u001b\":1}", "{\"x\":\"\\u0007\"}"))
	var b bytes.Buffer
	require.NoError(t, report.Print(&b))
	assert.NotContains(t, b.String(), "\x1b")
	assert.NotContains(t, b.String(), "\u202e")
	assert.Contains(t, b.String(), `a\x1b[31m\u202e`)
}

func FuzzImport(f *testing.F) {
	f.Add(small)
	f.Add(lines("{}", `{"id":"é"}`, `{"id":"..","status":"closed","issue_type":"epic"}`, `{"id":"A","dependencies":[{"depends_on_id":"a"}]}`))
	f.Fuzz(func(t *testing.T, export string) {
		i := newImported(t)
		first := i.take(export)
		second := i.take(export)
		require.Empty(t, second.Created)
		require.Empty(t, second.Updated)
		require.Len(t, second.Unchanged, len(first.Created))
	})
}

// Issues that somebody looked at with jq are the same issues.
func TestIssuesOverSeveralLines(t *testing.T) {
	flat := lines(issueLine("a", "task", "open"), issueLine("b", "task", "open", "blocks a"))
	var wide strings.Builder
	for line := range strings.Lines(flat) {
		var b bytes.Buffer
		require.NoError(t, json.Indent(&b, []byte(line), "", "  "))
		wide.WriteString(b.String() + "\n")
	}
	want := Convert(migrate.Input{Files: []migrate.File{{Path: "x.jsonl", Data: []byte(flat)}}})
	got := Convert(migrate.Input{Files: []migrate.File{{Path: "x.jsonl", Data: []byte(wide.String())}}})
	assert.NotEmpty(t, want.Objects)
	assert.Equal(t, want.Objects, got.Objects)
	for _, broken := range []string{wide.String()[:wide.Len()-4], "{\n" + flat, flat + "{\n"} {
		assert.Equal(t, broken, string(asLines([]byte(broken))), "read line by line")
	}
}
