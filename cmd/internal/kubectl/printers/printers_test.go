package printers

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func task(name string, spec resources.TaskSpec, status resources.TaskStatus) *queries.Entry {
	kind, _ := resources.KindOf(resources.Tasks)
	o := kind.New().(*resources.Task)
	o.Metadata.Name, o.Spec = name, spec
	o.Metadata.CreationTimestamp = resources.NewTime(now.Add(-5 * time.Minute))
	return &queries.Entry{Key: o.Key(), Object: o, Status: &status}
}

func printed(t *testing.T, p Printer, one bool, entries ...*queries.Entry) string {
	t.Helper()
	var b strings.Builder
	if p.Format.NeedsDocument() {
		objects := queries.ListOf(entries...)
		require.NoError(t, p.Print(&b, &objects, one))
		return b.String()
	}
	table := p.Shape().Table(resources.Tasks, entries, now)
	require.NoError(t, p.PrintTable(&b, &table))
	return b.String()
}

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestWriteErrors(t *testing.T) {
	for _, output := range []string{"", "wide", "name", "json", "yaml", "jsonpath={.kind}", "go-template={{.kind}}", "custom-columns=N:.metadata.name"} {
		p := Printer{Format: format(t, output)}
		table, objects := p.Shape().Table(resources.Tasks, sample(), now), queries.ListOf(sample()...)
		print := func() error { return p.PrintTable(full{}, &table) }
		if p.Format.NeedsDocument() {
			print = func() error { return p.Print(full{}, &objects, false) }
		}
		assert.ErrorIs(t, print(), syscall.ENOSPC, output)
	}
}

func format(t *testing.T, value string) Format {
	t.Helper()
	f, err := ParseFormat(value)
	require.NoError(t, err)
	return f
}

func sample() []*queries.Entry {
	db := task("db-schema", resources.TaskSpec{WorkPlan: "accounts", Priority: "high", State: "active"}, resources.TaskStatus{Common: resources.Common{Phase: "active"}})
	db.Object.Head().Metadata.Labels = map[string]string{"team": "web", "idumb.dev/tier": "2"}
	api := task("api", resources.TaskSpec{WorkPlan: "accounts", DependsOn: []string{"db-schema"}}, resources.TaskStatus{Common: resources.Common{Phase: "blocked"}, BlockedBy: []string{"db-schema"}})
	return []*queries.Entry{db, api}
}

func TestTables(t *testing.T) {
	for _, tt := range []struct {
		name    string
		printer Printer
		want    string
	}{
		{"as kubectl", Printer{}, "" +
			"NAME        PLAN       PHASE     PRIORITY   AGE\n" +
			"db-schema   accounts   active    high       5m\n" +
			"api         accounts   blocked   normal     5m\n"},
		{"without headers", Printer{NoHeaders: true}, "" +
			"db-schema   accounts   active    high     5m\n" +
			"api         accounts   blocked   normal   5m\n"},
		{"with labels", Printer{ShowLabels: true, LabelColumns: []string{"idumb.dev/tier"}}, "" +
			"NAME        PLAN       PHASE     PRIORITY   AGE   TIER     LABELS\n" +
			"db-schema   accounts   active    high       5m    2        idumb.dev/tier=2,team=web\n" +
			"api         accounts   blocked   normal     5m    <none>   <none>\n"},
		{"of several kinds", Printer{Qualified: true}, "" +
			"NAME                       PLAN       PHASE     PRIORITY   AGE\n" +
			"task.idumb.dev/db-schema   accounts   active    high       5m\n" +
			"task.idumb.dev/api         accounts   blocked   normal     5m\n"},
		{"names", Printer{Format: format(t, "name")}, "task.idumb.dev/db-schema\ntask.idumb.dev/api\n"},
		{"custom columns", Printer{Format: format(t, "custom-columns=N:.metadata.name,NEEDS:.spec.dependsOn[*],P:{.status.phase}")}, "" +
			"N           NEEDS       P\ndb-schema   <none>      active\napi         db-schema   blocked\n"},
		{"jsonpath", Printer{Format: format(t, `jsonpath={range .items[*]}{.metadata.name}={.status.phase}{"\n"}{end}`)}, "db-schema=active\napi=blocked\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := printed(t, tt.printer, false, sample()...)
			assert.Equal(t, tt.want, got)
		})
	}
	assert.Equal(t, "accounts", printed(t, Printer{Format: format(t, "jsonpath={.spec.workPlan}")}, true, sample()[0]))
}

func TestDefaultTablesFitAnOrdinaryTerminal(t *testing.T) {
	entry := task("implement-password-reset", resources.TaskSpec{WorkPlan: "customer-accounts", Priority: "critical"}, resources.TaskStatus{Common: resources.Common{Phase: "completed"}})
	for line := range strings.Lines(printed(t, Printer{}, false, entry)) {
		assert.LessOrEqual(t, len(line), 80, line)
	}
}

// Agents write these texts: what a terminal would act on is shown, not sent.
func TestEscapeSequencesAreShown(t *testing.T) {
	evil := task("x", resources.TaskSpec{WorkPlan: "\x1b]0;owned\a\u202eplan\u009b", Title: "a\nb"}, resources.TaskStatus{})
	table := printed(t, Printer{Format: format(t, "wide")}, false, evil)
	assert.Contains(t, table, `\x1b]0;owned\x07\u202eplan\u009b`)
	assert.Contains(t, table, "a...")
	for _, f := range []string{"wide", "json", "custom-columns=P:.spec.workPlan"} {
		assert.NotContains(t, printed(t, Printer{Format: format(t, f)}, true, evil), "\x1b", f)
		assert.NotContains(t, printed(t, Printer{Format: format(t, f)}, true, evil), "\u202e", f)
	}
	var back struct{ Spec resources.TaskSpec }
	require.NoError(t, json.Unmarshal([]byte(printed(t, Printer{Format: format(t, "json")}, true, evil)), &back))
	assert.Equal(t, evil.Object.(*resources.Task).Spec, back.Spec, "the escapes mean the same")
	evil.Key.Name = "x\x1b[31m" // of a file whose name no object can have
	assert.Equal(t, "task.idumb.dev/x\\x1b[31m\n", printed(t, Printer{Format: format(t, "name")}, true, evil))
}

// One text that YAML has no raw form for must not take the whole list away.
func TestYAMLOfAnyText(t *testing.T) {
	for _, title := range []string{"\x00", "\x7f", "\u0085\u009b", "\ufeff in the middle", "\U000e0041", "😀 👩\u200d🚀", "\u2028", "\ufffe", "plain", "- a: [b", "1e3", "<b>"} {
		entry := task("x", resources.TaskSpec{Title: title}, resources.TaskStatus{})
		text := printed(t, Printer{Format: format(t, "yaml")}, true, entry)
		var back struct{ Spec resources.TaskSpec }
		require.NoError(t, yaml.Unmarshal([]byte(text), &back), "%q", title)
		assert.Equal(t, title, back.Spec.Title, text)
	}
}

func TestInvalidObjects(t *testing.T) {
	problem := resources.Problem{File: ".idumb/tasks/api.json", Line: 3, Column: 7, Reason: "unexpected end", Remedy: "restore it"}
	neverRead := &queries.Entry{Key: resources.Key{Kind: resources.Tasks, Name: "broken"}, Problem: &problem, Status: new(resources.TaskStatus)}
	lastGood := sample()[1]
	lastGood.Problem = &problem
	for _, e := range []*queries.Entry{neverRead, lastGood} {
		graph.FillStatus(resources.CommonOf(e.Status), e.Key, e.Object, "", e.Problem)
	}
	assert.Equal(t, "NAME     PLAN       PHASE     PRIORITY   AGE\n"+
		"broken   <none>     Invalid   <none>     <unknown>\n"+
		"api      accounts   Invalid   normal     5m\n", printed(t, Printer{}, false, neverRead, lastGood))
	for _, e := range []*queries.Entry{neverRead, lastGood} {
		got := printed(t, Printer{Format: format(t, `jsonpath={.status.phase} {.status.conditions[?(@.type=="Valid")].status} {.status.conditions[0].message}`)}, true, e)
		assert.Equal(t, "Invalid False .idumb/tasks/api.json:3:7: unexpected end; restore it", got)
	}
}

func TestFormats(t *testing.T) {
	for in, want := range map[string]string{
		"xml":                  `unable to match a printer suitable for the output format "xml", allowed formats are: custom-columns,go-template,json,jsonpath,name,wide,yaml`,
		"jsonpath":             "no template given",
		"jsonpath={.a":         "a brace is not closed",
		"custom-columns=":      "no custom columns given",
		"custom-columns=NAME":  "unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>",
		"custom-columns=N:a[x": "jsonpath",
		"json=x":               "takes no value",
	} {
		_, err := ParseFormat(in)
		assert.ErrorContains(t, err, want, in)
	}
}

func TestLateRowsStayInLine(t *testing.T) {
	var b strings.Builder
	p := Printer{Actions: true}
	rows := p.Shape().Table(resources.Tasks, sample(), now)
	table := p.Table(&b, resources.Tasks, rows.Headers())
	table.Add(&rows.Rows[0], "ADDED")
	require.NoError(t, table.Flush())
	table.Add(&rows.Rows[1], "MODIFIED")
	require.NoError(t, table.Flush())
	assert.Equal(t, ""+
		"EVENT   NAME        PLAN       PHASE    PRIORITY   AGE\n"+
		"ADDED   db-schema   accounts   active   high       5m\n"+
		"MODIFIED   api         accounts   blocked   normal     5m\n", b.String())
}

func BenchmarkTable(b *testing.B) {
	entries := make([]*queries.Entry, 10_000)
	for i := range entries {
		entries[i] = sample()[i%2]
	}
	var p Printer
	b.ReportAllocs()
	for b.Loop() {
		var out strings.Builder
		table := p.Shape().Table(resources.Tasks, entries, now)
		if err := p.PrintTable(&out, &table); err != nil {
			b.Fatal(err)
		}
	}
}
