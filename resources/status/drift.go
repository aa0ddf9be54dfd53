package status

import (
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Drift and health are sums of points. Each has one table, which also explains the result.
// The governance documents define the figures (`<governance drift turns violations
// health>`) and the inputs: recorded work, repeated errors, user interventions and
// compactions. They do not define the points.

// Figures contains the inputs of a session's drift and health.
type Figures struct {
	Counters resources.SessionCounters
	Working  bool // the session has an active task; without one there is no drift
	Broken   bool // a prerequisite of the task was abandoned
	Stale    bool // no checkpoint of the task within staleAfter
	Circles  int  // number of fired triggers that count repeated calls

	next time.Time // time at which Stale may change; zero means never
}

// FiguresOf returns a session's figures.
func FiguresOf(s *resources.Session, v View) Figures {
	f := Figures{Counters: s.Spec.Counters, Circles: len(s.Spec.Raised)}
	t, ok := v.Task(s.Spec.ActiveTask)
	if !ok || resources.TaskState(t) != resources.TaskActive || HasEnded(s) {
		return f
	}
	status, next := DeriveTask(t, v)
	f.next, f.Working, f.Stale = next, true, resources.IsTrue(status.Conditions, resources.Stale)
	f.Broken = resources.IsTrue(status.Conditions, resources.ChainBroken)
	return f
}

// points is one row of a table: a maximum, a function and an explanation.
type points struct {
	maximum int
	count   func(Figures) int
	reason  string // independent of the number of points, so that the text rarely changes
}

// valueFor returns the points of a session by this row, between 0 and the maximum.
func (p points) valueFor(f Figures) int { return min(max(p.count(f), 0), p.maximum) }

// driftPoints measures how far a session has moved away from its task.
var driftPoints = [...]points{
	{50, func(f Figures) int { return 10 * (f.Counters.QuietTurns - 2) }, "turn after turn nothing was recorded for its task"},
	{25, func(f Figures) int { return 25 * oneIf(f.Stale) }, "its task is stale"},
	{25, func(f Figures) int { return f.refused() }, "many of its calls were denied or against the rules"},
	{30, func(f Figures) int { return 10 * (f.Counters.Repeats - 2) }, "the same error comes again whatever it changes"},
	{20, func(f Figures) int { return 10 * f.Circles }, "it goes round in circles"},
}

// healthPoints measures the problems of a session, without drift.
var healthPoints = [...]points{
	{40, func(f Figures) int { return 2 * f.refused() }, "many of its calls were denied or against the rules"},
	{30, func(f Figures) int { return 10 * (f.Counters.Failures - 1) }, "one call after the other fails"},
	{30, func(f Figures) int { return 10 * (f.Counters.Repeats - 2) }, "the same error comes again whatever it changes"},
	{30, func(f Figures) int { return 10 * f.Counters.Cancels }, "the user stopped its calls"},
	{20, func(f Figures) int { return 5 * (f.Counters.Compactions - 2) }, "it was compacted again and again"},
	{20, func(f Figures) int { return 10 * f.Circles }, "it goes round in circles"},
}

// driftShare is the divisor of drift in the health figure.
const driftShare = 5

// fewCalls is the minimum number of calls that percentages are based on, so that the first
// denial of a new session has a limited weight.
const fewCalls = 20

// refused returns the percentage of calls that were denied, or that mode enforce would
// deny.
func (f Figures) refused() int {
	c := f.Counters
	return 100 * (c.Denials + c.Violations) / max(c.ToolCalls, fewCalls)
}

// Drift returns how far a session has moved away from its task, from 0 to 100. It is the
// sum of these points:
//
//   - 10 for each turn without recorded work after the second (at most 50),
//   - 25 if the task is stale,
//   - the percentage of calls that were denied or against the rules (at most 25),
//   - 10 for each repetition of the same error after the second (at most 30),
//   - 10 for each fired trigger that counts repeated calls (at most 20).
//
// It is 0 for a session without an active task.
func (f Figures) Drift() int {
	if !f.Working {
		return 0
	}
	sum := 0
	for _, p := range driftPoints {
		sum += p.valueFor(f)
	}
	return min(sum, 100)
}

// Health returns 100 minus the sum of these points, but at least 0:
//
//   - twice the percentage of calls that were denied or against the rules (at most 40),
//   - 10 for each consecutive failure after the first (at most 30),
//   - 10 for each repetition of the same error after the second (at most 30),
//   - 10 for each consecutive call that the user stopped (at most 30),
//   - 5 for each compaction after the second (at most 20),
//   - 10 for each fired trigger that counts repeated calls (at most 20),
//   - a fifth of the drift.
func (f Figures) Health() int {
	sum := f.Drift() / driftShare
	for _, p := range healthPoints {
		sum += p.valueFor(f)
	}
	return max(100-sum, 0)
}

// Outputs counts the tool outputs in an agent's context, and those that no longer hold.
type Outputs struct{ All, Stale int }

// Level returns the level of the share of stale outputs. As with drift, few calls count as fewCalls.
func (o Outputs) Level() string { return Level(100 * o.Stale / max(o.All, fewCalls)) }

// String returns the level with the counts.
func (o Outputs) String() string {
	s := "s"
	if o.All == 1 {
		s = ""
	}
	return fmt.Sprintf("%s (%d tool output%s in context, %d stale)", o.Level(), o.All, s, o.Stale)
}

// Outputs returns the counts of the session's last prompt or denial.
func (f Figures) Outputs() Outputs { return Outputs{f.Counters.Outputs, f.Counters.StaleOutputs} }

// Levels of a figure between 0 and 100, for agents.
const (
	LevelLow    = "low"
	LevelMedium = "medium"
	LevelHigh   = "high"
)

// UnhealthyBelow is the health below which a session gets an explanation.
const UnhealthyBelow = 70

// Level returns the level of a figure between 0 and 100: low below 40, high from 80.
func Level(figure int) string {
	switch {
	case figure < 40:
		return LevelLow
	case figure < 80:
		return LevelMedium
	}
	return LevelHigh
}

// DriftText returns the level of the drift with its figure and its reasons.
func (f Figures) DriftText() string {
	text := fmt.Sprintf("%s (%d)", Level(f.Drift()), f.Drift())
	if why := f.DriftReasons(); len(why) > 0 {
		text += ": " + strings.Join(why, "; ")
	}
	return text
}

// DriftReasons explains the drift. The texts do not change with every call.
func (f Figures) DriftReasons() []string {
	if !f.Working {
		return nil
	}
	return reasons(driftPoints[:], f)
}

// HealthReasons explains the health, without drift.
func (f Figures) HealthReasons() []string { return reasons(healthPoints[:], f) }

// reasons returns the explanations of the rows of a table by which a session gets points.
func reasons(table []points, f Figures) []string {
	var list []string
	for _, p := range table {
		if p.valueFor(f) > 0 {
			list = append(list, p.reason)
		}
	}
	return list
}

// oneIf returns 1 for true and 0 for false.
func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}
