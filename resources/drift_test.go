package resources

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestFigures(t *testing.T) {
	for _, test := range []struct {
		name          string
		figures       Figures
		drift, health int
	}{
		{"a new session", Figures{}, 0, 100},
		{"at work", Figures{Working: true, Counters: SessionCounters{ToolCalls: 50, Turns: 9, QuietTurns: 2}}, 0, 100},
		{"four quiet turns", Figures{Working: true, Counters: SessionCounters{QuietTurns: 4}}, 20, 96},
		{"quiet for ever", Figures{Working: true, Counters: SessionCounters{QuietTurns: 400}}, 50, 90},
		{"quiet, but on no task", Figures{Stale: true, Counters: SessionCounters{QuietTurns: 400}}, 0, 100},
		{"stale", Figures{Working: true, Stale: true}, 25, 95},
		{"one denial of few calls", Figures{Working: true, Counters: SessionCounters{ToolCalls: 1, Denials: 1}}, 5, 89},
		{"one denial of many calls", Figures{Working: true, Counters: SessionCounters{ToolCalls: 400, Denials: 1}}, 0, 100},
		{"all denied", Figures{Working: true, Counters: SessionCounters{ToolCalls: 40, Denials: 20, Violations: 20}}, 25, 55},
		{"one failure", Figures{Counters: SessionCounters{Failures: 1}}, 0, 100},
		{"three failures", Figures{Counters: SessionCounters{Failures: 3}}, 0, 80},
		{"stopped twice", Figures{Counters: SessionCounters{Cancels: 2}}, 0, 80},
		{"compacted four times", Figures{Counters: SessionCounters{Compactions: 4}}, 0, 90},
		{"all at once", Figures{Working: true, Stale: true, Counters: SessionCounters{QuietTurns: 99, ToolCalls: 9, Denials: 99, Failures: 99, Cancels: 99, Compactions: 99}}, 100, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.drift, test.figures.Drift(), "drift")
			assert.Equal(t, test.health, test.figures.Health(), "health")
			assert.Equal(t, test.drift > 0, len(test.figures.DriftReasons()) > 0, "a reason for drift")
		})
	}
}

func TestLevels(t *testing.T) {
	for figure, want := range map[int]string{0: LevelLow, 39: LevelLow, 40: LevelMedium, 69: LevelMedium, 70: LevelHigh, 100: LevelHigh} {
		assert.Equal(t, want, Level(figure), figure)
	}
}

// A session drifts when its task gets stale, at the very moment.
func TestASessionDriftsWhenItsTaskIsStale(t *testing.T) {
	plan := newPlan("p", WorkPlanSpec{State: PlanActive})
	task := newTask("a", TaskSpec{WorkPlan: "p", State: TaskActive, StaleAfter: "20m"})
	task.Origin.ModTime = noon.Add(-10 * time.Minute)
	session := newSession("s", SessionSpec{LastSeenAt: NewTime(noon), ActiveTask: "a"})
	status, next := DeriveSession(session, snapshotOf(session, task, plan))
	assert.Zero(t, status.Drift)
	assert.Equal(t, noon.Add(10*time.Minute), next)

	task.Origin.ModTime = noon.Add(-20 * time.Minute)
	status, _ = DeriveSession(session, snapshotOf(session, task, plan))
	assert.Equal(t, 25, status.Drift)
	assert.Equal(t, 95, status.Health)
}
