package status_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestFigures(t *testing.T) {
	for _, test := range []struct {
		name          string
		figures       status.Figures
		drift, health int
	}{
		{"a new session", status.Figures{}, 0, 100},
		{"at work", status.Figures{Working: true, Counters: resources.SessionCounters{ToolCalls: 50, Turns: 9, QuietTurns: 2}}, 0, 100},
		{"four quiet turns", status.Figures{Working: true, Counters: resources.SessionCounters{QuietTurns: 4}}, 20, 96},
		{"quiet for ever", status.Figures{Working: true, Counters: resources.SessionCounters{QuietTurns: 400}}, 50, 90},
		{"quiet, but on no task", status.Figures{Stale: true, Counters: resources.SessionCounters{QuietTurns: 400}}, 0, 100},
		{"stale", status.Figures{Working: true, Stale: true}, 25, 95},
		{"one denial of few calls", status.Figures{Working: true, Counters: resources.SessionCounters{ToolCalls: 1, Denials: 1}}, 5, 89},
		{"one denial of many calls", status.Figures{Working: true, Counters: resources.SessionCounters{ToolCalls: 400, Denials: 1}}, 0, 100},
		{"all denied", status.Figures{Working: true, Counters: resources.SessionCounters{ToolCalls: 40, Denials: 20, Violations: 20}}, 25, 55},
		{"one failure", status.Figures{Counters: resources.SessionCounters{Failures: 1}}, 0, 100},
		{"three failures", status.Figures{Counters: resources.SessionCounters{Failures: 3}}, 0, 80},
		{"stopped twice", status.Figures{Counters: resources.SessionCounters{Cancels: 2}}, 0, 80},
		{"compacted four times", status.Figures{Counters: resources.SessionCounters{Compactions: 4}}, 0, 90},
		{"in circles, on a task", status.Figures{Working: true, Circles: 3}, 20, 76},
		{"all at once", status.Figures{Working: true, Stale: true, Counters: resources.SessionCounters{QuietTurns: 99, ToolCalls: 9, Denials: 99, Failures: 99, Cancels: 99, Compactions: 99}}, 100, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.drift, test.figures.Drift(), "drift")
			assert.Equal(t, test.health, test.figures.Health(), "health")
			assert.Equal(t, test.drift > 0, len(test.figures.DriftReasons()) > 0, "a reason for drift")
		})
	}
}

func TestLevels(t *testing.T) {
	for figure, want := range map[int]string{0: status.LevelLow, 39: status.LevelLow, 40: status.LevelMedium, 79: status.LevelMedium, 80: status.LevelHigh, 100: status.LevelHigh} {
		assert.Equal(t, want, status.Level(figure), figure)
	}
}

// A session drifts when its task gets stale, at the very moment.
func TestASessionDriftsWhenItsTaskIsStale(t *testing.T) {
	plan := graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive})
	task := graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", State: resources.TaskActive, StaleAfter: "20m"})
	task.Origin.ModTime = graphtest.Noon.Add(-10 * time.Minute)
	session := graphtest.Session("s", resources.SessionSpec{LastSeenAt: resources.NewTime(graphtest.Noon), ActiveTask: "a"})
	st, next := status.DeriveSession(session, graphtest.SnapshotOf(session, task, plan))
	assert.Zero(t, st.Drift)
	assert.Equal(t, graphtest.Noon.Add(10*time.Minute), next)

	task.Origin.ModTime = graphtest.Noon.Add(-20 * time.Minute)
	st, _ = status.DeriveSession(session, graphtest.SnapshotOf(session, task, plan))
	assert.Equal(t, 25, st.Drift)
	assert.Equal(t, 95, st.Health)
}
