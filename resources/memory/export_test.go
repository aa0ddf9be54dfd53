package memory_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

func anExport() memory.Export {
	plan := graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive})
	task := graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", State: resources.TaskActive})
	session := graphtest.Session("s", resources.SessionSpec{Host: "claude", ActiveTask: "a", LastSeenAt: resources.NewTime(graphtest.Noon), Counters: resources.SessionCounters{ToolCalls: 40, Denials: 20}})
	return memory.ExportOf(session, graphtest.SnapshotOf(session, task, plan), memory.ExportIdle)
}

func TestAnExportIsReadAsItWasWritten(t *testing.T) {
	e := anExport()
	assert.Equal(t, "a", e.Task)
	assert.Equal(t, resources.TaskActive, e.TaskPhase)
	assert.Equal(t, 50, e.Health)
	data, err := json.Marshal(e)
	require.NoError(t, err)
	got, err := memory.ReadExport(data)
	require.NoError(t, err)
	assert.Equal(t, &e, got)
	assert.Equal(t, graphtest.Noon.Add(48*time.Hour), got.StaleAt())
}

func TestAnExportTellsOfTheWork(t *testing.T) {
	own := graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", Phase: "build", State: resources.TaskActive, Evidence: []resources.EvidenceItem{{File: "src/**"}}})
	other := graphtest.Task("b", resources.TaskSpec{WorkPlan: "p", Parent: "a", State: resources.TaskCompleted, Result: &resources.TaskResult{Evidence: "seen"}})
	foreign := graphtest.Task("c", resources.TaskSpec{WorkPlan: "p", State: resources.TaskActive})
	session := graphtest.Session("s", resources.SessionSpec{ActiveTask: "a"})
	v := graph.NewSnapshot(graph.SnapshotInput{Now: graphtest.Noon, Objects: []resources.Object{graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive}), own, other, foreign, session}, Evidence: map[string]*status.Evidence{
		"b": {Count: 1, Last: []resources.Checkpoint{{Session: "s"}}}, "c": {Count: 1, Last: []resources.Checkpoint{{Session: "else"}}},
	}})
	e := memory.ExportOf(session, v, memory.ExportIdle)
	assert.Equal(t, []memory.ExportTask{{Name: "a", Stage: "build", Phase: resources.TaskActive}, {Name: "b", Parent: "a", Phase: resources.TaskCompleted}}, e.Tasks)
	assert.False(t, e.Complete)
	assert.Equal(t, `task a: not seen: a written file "src/**"`, e.Issues[0])
	assert.Contains(t, strings.Join(e.Issues, "\n"), "task a: Stale: ")
	e = memory.ExportOf(graphtest.Session("s", resources.SessionSpec{ActiveTask: "b"}), v, memory.ExportIdle)
	assert.True(t, e.Complete)
	assert.Empty(t, e.Issues)
	assert.Equal(t, "b", e.Tasks[0].Name)
}

// What an export says is as old as what was last heard of its session.
func TestAnExportSaysHowOldItIs(t *testing.T) {
	session := graphtest.Session("s", resources.SessionSpec{LastSeenAt: resources.NewTime(graphtest.Noon.Add(-60*time.Hour - time.Minute))})
	e := memory.ExportOf(session, graphtest.SnapshotOf(session), memory.ExportIdle)
	assert.Equal(t, 60, e.StalenessHours)
	assert.True(t, e.StaleAt().Before(graphtest.Noon), "it was stale when it was written")
	session.Spec.LastSeenAt = resources.NewTime(graphtest.Noon.Add(time.Hour))
	e = memory.ExportOf(session, graphtest.SnapshotOf(session), memory.ExportIdle)
	assert.Zero(t, e.StalenessHours)
	assert.Equal(t, graphtest.Noon.Add(48*time.Hour), e.StaleAt(), "clocks are not always right")
}

// A mem is committed: what is secret in a command line does not come into it.
func TestASynthesisTellsNoSecrets(t *testing.T) {
	e := anExport()
	for _, line := range []string{
		"git push https://me:hunter2@example.com/x.git", "npm test --token hunter2", "npm test --api-key=hunter2", "go test -password hunter2 ./...",
		"git clone ssh://hunter2@example.com/x", "GITHUB_TOKEN=hunter2 git push", "npm publish --//registry.example.com/:_authToken=hunter2", "git -c http.extraHeader='Authorization:hunter2' push",
	} {
		e.Commands = append(e.Commands, memory.ExportCommand{Line: line})
	}
	e.Commands = append(e.Commands, memory.ExportCommand{Line: "go test ./token/... -run Secret=x@y"}, memory.ExportCommand{Line: "git fetch https://example.com/a@b"})
	text := memory.Synthesize([]*memory.Export{&e}, []string{"a.json"}).Spec.Content
	assert.NotContains(t, text, "hunter2")
	assert.Contains(t, text, "`npm test --token ***`")
	assert.Contains(t, text, "`git push https://***@example.com/x.git`")
	assert.Contains(t, text, "go test ./token/... -run ", "what is none stays")
	assert.Contains(t, text, "`git fetch https://example.com/a@b`")
}

// The same exports make the same mem, in whatever order they come, at whatever moment.
func TestSynthesisDoesNotDependOnOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var exports []*memory.Export
	var names []string
	for i := range 6 {
		e := anExport()
		e.Tasks = []memory.ExportTask{{Name: "a", Phase: []string{resources.TaskActive, resources.TaskReview, resources.TaskBlocked}[i%3]}, {Name: "b", Phase: resources.TaskPlanned}}
		e.Files = []string{"src/" + string(rune('a'+i%2)) + ".go"}
		exports, names = append(exports, &e), append(names, "s-"+string(rune('0'+i))+".json")
	}
	want := memory.Synthesize(exports, names)
	assert.Contains(t, want.Spec.Content, "Tasks: a [review], b [planned].\n")
	for range 20 {
		r.Shuffle(len(exports), func(i, j int) {
			exports[i], exports[j] = exports[j], exports[i]
			names[i], names[j] = names[j], names[i]
		})
		assert.Equal(t, want, memory.Synthesize(exports, names))
	}
}

func TestABadExportIsNotRead(t *testing.T) {
	for _, test := range []struct {
		name, want string
		change     func(*memory.Export)
	}{
		{"another schema", "is not known; this version reads", func(e *memory.Export) { e.Schema = "idumb.dev/session-export/v2" }},
		{"no schema", `schema ""`, func(e *memory.Export) { e.Schema = "" }},
		{"another reason", "reason", func(e *memory.Export) { e.Reason = "boredom" }},
		{"no time", "exportedAt", func(e *memory.Export) { e.ExportedAt = resources.Time{} }},
		{"no staleness", "staleAfter", func(e *memory.Export) { e.StaleAfter = "soon" }},
		{"a record that is no name", "record", func(e *memory.Export) { e.Record = "../x" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := anExport()
			test.change(&e)
			data, err := json.Marshal(e)
			require.NoError(t, err)
			_, err = memory.ReadExport(data)
			assert.ErrorContains(t, err, test.want)
		})
	}
	for _, text := range []string{``, `[]`, `{"schema":"x","evil":1}`, `{} {}`} {
		_, err := memory.ReadExport([]byte(text))
		assert.Error(t, err, text)
	}
}

func FuzzReadExport(f *testing.F) {
	data, err := json.Marshal(anExport())
	require.NoError(f, err)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, err := memory.ReadExport(data); err == nil {
			require.NoError(t, resources.CheckName(e.Record))
			require.NotNil(t, memory.Synthesize([]*memory.Export{e}, []string{"x"}))
		}
	})
}

func TestSynthesize(t *testing.T) {
	at := func(hour int) resources.Time {
		return resources.NewTime(graphtest.Noon.Add(time.Duration(hour) * time.Hour))
	}
	exports := []*memory.Export{
		{Record: "s1", Reason: memory.ExportIdle, Agent: "build", Task: "a", TaskPhase: "active", ExportedAt: at(1), Files: []string{"x.go", "y.go"}, Commands: []memory.ExportCommand{{"go test", false}, {"make lint", false}}, Counters: resources.SessionCounters{Denials: 2}},
		{Record: "s2", Reason: memory.ExportHalt, Agent: "build", Task: "a", TaskPhase: "completed", ExportedAt: at(2), Files: []string{"y.go"}, Commands: []memory.ExportCommand{{"go test", true}}, Counters: resources.SessionCounters{Violations: 1}},
		{Record: "s3", Reason: memory.ExportSplit, Task: "b", ExportedAt: at(3)},
		{Record: "s4", Reason: memory.ExportIdle},
	}
	names := []string{"1", "2", "3", "4"}
	m := memory.Synthesize(exports, names)
	assert.Equal(t, strings.Join([]string{
		"Tasks: a [completed], b.", "Agents: build.", "Files written: x.go, y.go.",
		"Commands that succeeded: `go test`.", "Commands that never succeeded: `make lint`.",
		"Calls against the rules: 3.", "Halted for going in circles: 1 times.",
	}, "\n"), m.Spec.Content)
	assert.Equal(t, []string{"task/a", "task/b"}, m.Spec.RelatedTo)
	assert.Equal(t, []resources.MemEvidence{{Note: "1"}, {Note: "2"}, {Note: "3"}, {Note: "4"}}, m.Spec.Evidence, "sorted")
	assert.Empty(t, resources.Validate(m))
	for range 20 { // the same, whatever the order
		order := rand.Perm(len(exports))
		var es []*memory.Export
		var ns []string
		for _, i := range order {
			es, ns = append(es, exports[i]), append(ns, names[i])
		}
		require.Equal(t, m, memory.Synthesize(es, ns))
	}
	assert.Equal(t, []string{"1", "2", "3", "4"}, names, "the names are the caller's")
	assert.NotEqual(t, m.Metadata.Name, memory.Synthesize(exports[:3], names[:3]).Metadata.Name)
	assert.Contains(t, memory.Synthesize([]*memory.Export{{}}, []string{"9"}).Spec.Content, "worked on no task")
}
