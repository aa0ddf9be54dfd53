package memory_test

import (
	"encoding/json"
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

// What others did at the same task is theirs.
func TestAnExportIsTheSessionsOwn(t *testing.T) {
	plan := graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive})
	part := graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", Phase: "build", Parent: "whole", State: resources.TaskActive})
	session := graphtest.Session("s", resources.SessionSpec{ActiveTask: "a", Delegation: "gone", Role: "nobody"})
	child := graphtest.Session("s.a1", resources.SessionSpec{Parent: "s", Agent: "Explore", ActiveTask: "a"})
	mine := graphtest.NewObject[resources.MemSpec, resources.MemStatus](resources.Mems, "mine", resources.MemSpec{Content: "c"})
	mine.Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: "s"}
	other := graphtest.NewObject[resources.MemSpec, resources.MemStatus](resources.Mems, "other", resources.MemSpec{Content: "c", OriginTask: "a"})
	objects := []resources.Object{plan, part, graphtest.Task("whole", resources.TaskSpec{WorkPlan: "p"}), session, child, graphtest.Session("else", resources.SessionSpec{}), mine, other}
	v := graph.NewSnapshot(graph.SnapshotInput{Now: graphtest.Noon, Objects: objects, Evidence: map[string]*status.Evidence{
		"a": {Count: 2, Files: []string{"mine.go", "theirs.go"}, Last: []resources.Checkpoint{{Session: "s", Summary: "mine"}, {Session: "else", Summary: "theirs"}}},
	}})
	e := memory.ExportOf(session, v, memory.ExportEnd)
	assert.Equal(t, []string{"workplan/p", "phase/build", "task/whole", "task/a"}, e.Chain)
	assert.Empty(t, e.Files, "the hook knows what it wrote")
	require.Len(t, e.Last, 1)
	assert.Equal(t, "mine", e.Last[0].Summary)
	assert.Equal(t, []string{"mine"}, e.Mems)
	assert.Equal(t, []memory.ExportDelegated{{Session: "s.a1", Agent: "Explore", Task: "a"}}, e.Delegated)
	assert.Contains(t, e.Issues, "delegations/gone no longer exists")
	assert.Contains(t, e.Issues, "roles/nobody no longer exists")

	e.Anchors = []string{"lost", "../x"}
	gone := e.Missing(func(key resources.Key) bool { return key.Kind != resources.Anchors && key.Name != "gone" })
	assert.Equal(t, []string{"delegations/gone", "anchors/lost", "anchors/../x"}, gone)
}

// Exports of the release before are read.
func TestAnEarlierExportIsRead(t *testing.T) {
	e, err := memory.ReadExport([]byte(`{"schema":"idumb.dev/session-export/v1","reason":"idle","exportedAt":"2026-11-20T10:00:00Z","staleAfter":"48h","record":"s","complete":false,"commands":[{"line":"go test","succeeded":false}],"last":[{"time":"2026-11-20T10:00:00Z","tool":"write"}]}`))
	require.NoError(t, err)
	assert.Equal(t, "go test", e.Commands[0].Line)
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

func TestABadExportIsNotRead(t *testing.T) {
	for _, test := range []struct {
		name, want string
		change     func(*memory.Export)
	}{
		{"another schema", `unknown schema "idumb.dev/session-export/v9"; this version reads`, func(e *memory.Export) { e.Schema = "idumb.dev/session-export/v9" }},
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
			e.Missing(func(resources.Key) bool { return false })
			if m := memory.Synthesize([]*memory.Export{e}, []string{"x"}, func(string) bool { return false }); m != nil {
				require.Empty(t, resources.Validate(m))
			}
		}
	})
}
