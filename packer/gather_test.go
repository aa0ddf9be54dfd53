package packer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// decoded returns an object as a file would hold it.
func decoded(t *testing.T, kind, name, spec string) resources.Object {
	t.Helper()
	key := resources.Key{Kind: kind, Name: name}
	o, _, err := resources.Read(key, []byte(`{"metadata": {"name": "`+name+`", "creationTimestamp": "2026-03-01T00:00:00Z"}, "spec": `+spec+`}`))
	assert.NoError(t, err)
	return o
}

func gathered(t *testing.T) graph.SnapshotInput {
	return graph.SnapshotInput{
		Now: day(12).Time,
		Objects: []resources.Object{
			decoded(t, resources.WorkPlans, "first", `{"title": "First", "acceptance": ["x"], "state": "active"}`),
			decoded(t, resources.WorkPlans, "auth", `{"title": "Auth", "acceptance": ["x"], "state": "active"}`),
			decoded(t, resources.Tasks, "schema", `{"workPlan": "first", "expectedOutput": "x", "state": "completed", "result": {"evidence": "done"}}`),
			decoded(t, resources.Tasks, "login", `{"workPlan": "auth", "expectedOutput": "a login form", "state": "active", "dependsOn": ["schema"]}`),
			decoded(t, resources.Tasks, "docs", `{"workPlan": "auth", "expectedOutput": "x"}`),
			decoded(t, resources.Tasks, "later", `{"workPlan": "auth", "expectedOutput": "x", "planAhead": true}`),
			decoded(t, resources.Tasks, "audit", `{"workPlan": "first", "expectedOutput": "an audit log", "state": "active", "dependsOn": ["schema"]}`),
			decoded(t, resources.Delegations, "d", `{"task": "login", "from": "coordinator", "to": "executor"}`),
			decoded(t, resources.Anchors, "note", `{"content": "remember", "priority": "critical", "pinned": true}`),
			decoded(t, resources.Mems, "sound", `{"content": "the login form"}`),
			decoded(t, resources.Mems, "broken", `{"content": "the login form too"}`),
			decoded(t, resources.Trajectories, "trajectory", `{"activePlan": "auth", "activeTasks": ["login"], "intent": "ship it"}`),
		},
		Problems: map[resources.Key]resources.Problem{
			{Kind: resources.Mems, Name: "broken"}: {Object: "mems/broken", File: ".idumb/mems/broken.json", Reason: "it is cut off", Remedy: "mend it"},
		},
	}
}

func TestGather(t *testing.T) {
	s := graph.NewSnapshot(gathered(t))
	in := gather(s, Reader{Limit: 9000, Stock: &Stock{}})
	text := string(Build(in).Bytes)
	for _, want := range []string{
		"Plan auth [active]: Auth\n", "Progress: 0 of 3 tasks done\n", "Intent: ship it", "- schema [completed]\n", `<active_task id="login">`, "<next>\n- docs\n", "<plan_ahead>\n- later\n",
		"- d: login from coordinator to executor [assigned]", "(mems/sound)", "- mems/broken .idumb/mems/broken.json: it is cut off; mend it", "anchors/note)",
	} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, `<mem id="broken"`)
	assert.Equal(t, 9000, in.Limit)
}

func TestGatherForASessionWithItsOwnTask(t *testing.T) {
	in := gathered(t)
	in.Objects = append(in.Objects, decoded(t, resources.Trajectories, "trajectory", `{"activePlan": "auth", "activeTasks": ["login", "audit"], "intent": "ship it"}`))
	s := graph.NewSnapshot(in)
	session := &resources.Session{Header: meta("ses", 1), Spec: resources.SessionSpec{ActiveTask: "audit"}}
	got := gather(s, Reader{Session: session, Stock: &Stock{}})
	assert.Equal(t, []string{"audit"}, got.Active)
	assert.Equal(t, "first", got.Plan.Object.Metadata.Name)
	session.Spec.ActiveTask = "schema"
	got = gather(s, Reader{Session: session, Stock: &Stock{}})
	assert.Equal(t, "auth", got.Plan.Object.Metadata.Name, "a task that is over is nobody's")

	session.Spec.ActiveTask = "audit"
	got = gather(graph.NewSnapshot(gathered(t)), Reader{Session: session, Stock: &Stock{}})
	assert.Equal(t, "auth", got.Plan.Object.Metadata.Name, "the work turned to another plan")
	assert.Equal(t, []string{"login"}, got.Active)
}

// Who starts a task of another plan is told what bears on that task, not on the plan in focus.
func TestBearingOfATaskThatIsNotInFocus(t *testing.T) {
	in := gathered(t)
	in.Objects = append(in.Objects,
		decoded(t, resources.Mems, "trail", `{"content": "An audit log keeps ninety days.", "originTask": "audit"}`),
		decoded(t, resources.Trajectories, "trajectory", `{"activePlan": "auth"}`))
	b := TaskKnowledgeOf(graph.NewSnapshot(in), nil, "audit")
	assert.Contains(t, strings.Join(b.Knowledge, "\n"), "(mems/trail)")
	assert.NotContains(t, strings.Join(b.Knowledge, "\n"), "(mems/sound)")
}

func TestGatherFromNothing(t *testing.T) {
	in := gather(graph.NewSnapshot(graph.SnapshotInput{Now: day(12).Time}), Reader{Stock: &Stock{}})
	golden(t, "empty.xml", Build(in).Bytes)
}

func TestGatherLooksAtAFewTasksOfALongPlan(t *testing.T) {
	content := gathered(t)
	for i := range 2500 {
		name := fmt.Sprintf("step-%04d", i)
		spec := fmt.Sprintf(`{"workPlan": "auth", "expectedOutput": "x", "dependsOn": ["step-%04d"]}`, max(i-1, 0))
		if i == 0 {
			spec = `{"workPlan": "auth", "expectedOutput": "x", "dependsOn": ["login"]}`
		}
		content.Objects = append(content.Objects, decoded(t, resources.Tasks, name, spec))
	}
	in := gather(graph.NewSnapshot(content), Reader{Stock: &Stock{}})
	assert.Less(t, len(in.Tasks), 300)
	assert.Contains(t, string(Build(in).Bytes), "more tasks further along")
}

func TestGatherIsTheSameAllDay(t *testing.T) {
	content := gathered(t)
	want := Build(gather(graph.NewSnapshot(content), Reader{Stock: &Stock{}})).Digest
	content.Now = content.Now.Add(10 * time.Hour)
	assert.Equal(t, want, Build(gather(graph.NewSnapshot(content), Reader{Stock: &Stock{}})).Digest)
}
