package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Drift and health are defined here and nowhere else. Both are sums of points from one
// table each, so that whoever asks why gets an answer. The governance documents name the
// figures (`<governance drift turns violations health>`), what a drift warning looks at (what was
// recorded in the session) and what a stalled session shows (the same error again, the person
// stepping in, compaction upon compaction); the points are ours.

// Figures are what drift and health of a session are computed from.
type Figures struct {
	Counters resources.SessionCounters
	Working  bool // the session is on a task that is active: only then is there anything to stray from
	Broken   bool // something that the task depends on was abandoned
	Stale    bool // nothing was recorded for that task for longer than its staleAfter
	Circles  int  // triggers that calls which come again have set off

	next time.Time // when Stale may change by itself; zero: it does not
}

// FiguresOf collects a session's figures.
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

// points is one row of a table: how much it counts, at most, and for what.
type points struct {
	most  int
	count func(Figures) int
	why   string // the same for any number of points, so that a text changes seldom
}

func (p points) of(f Figures) int { return min(max(p.count(f), 0), p.most) }

// driftPoints is how far a session strayed from its task.
var driftPoints = [...]points{
	{50, func(f Figures) int { return 10 * (f.Counters.QuietTurns - 2) }, "turn after turn nothing was recorded for its task"},
	{25, func(f Figures) int { return 25 * oneIf(f.Stale) }, "its task is stale"},
	{25, func(f Figures) int { return f.refused() }, "many of its calls are against the rules"},
	{30, func(f Figures) int { return 10 * (f.Counters.Repeats - 2) }, "the same error comes again whatever it changes"},
	{20, func(f Figures) int { return 10 * f.Circles }, "it goes round in circles"},
}

// healthPoints is what went wrong in a session, drift aside.
var healthPoints = [...]points{
	{40, func(f Figures) int { return 2 * f.refused() }, "many of its calls are against the rules"},
	{30, func(f Figures) int { return 10 * (f.Counters.Failures - 1) }, "one call after the other fails"},
	{30, func(f Figures) int { return 10 * (f.Counters.Repeats - 2) }, "the same error comes again whatever it changes"},
	{30, func(f Figures) int { return 10 * f.Counters.Cancels }, "the person stopped its calls"},
	{20, func(f Figures) int { return 5 * (f.Counters.Compactions - 2) }, "it was compacted again and again"},
	{20, func(f Figures) int { return 10 * f.Circles }, "it goes round in circles"},
}

// driftShare is the part of drift that counts against health: one point in five.
const driftShare = 5

// fewCalls is the number of calls that a younger session is taken to have made, so that
// its first denial is not all there is.
const fewCalls = 20

// refused is how many of a hundred calls were denied, or would have been.
func (f Figures) refused() int {
	c := f.Counters
	return 100 * (c.Denials + c.Violations) / max(c.ToolCalls, fewCalls)
}

// Drift is how far a session strayed from its task, 0 to 100: 10 for each turn beyond
// the second since something was last recorded for it (50 at most), 25 if the task is stale, and
// the percentage of calls against the rules (25 at most), 10 for each time beyond the second
// that the same error came (30 at most), and 10 for each trigger that calls which come again have set
// off (20 at most). 0 for a session that is on no active task.
func (f Figures) Drift() int {
	if !f.Working {
		return 0
	}
	sum := 0
	for _, p := range driftPoints {
		sum += p.of(f)
	}
	return min(sum, 100)
}

// Health is 100 minus what went wrong: twice the percentage of calls against the rules (40
// at most), 10 for each failure in a row beyond the first (30 at most), 10 for each time beyond the
// second that the same error came (30 at most), 10 for each trigger that calls which come again
// have set off (20 at most), 10 for each call in a row that the person stopped (30 at most), 5 for
// each compaction beyond the second (20 at most), and a fifth of the drift. Never less than 0.
func (f Figures) Health() int {
	sum := f.Drift() / driftShare
	for _, p := range healthPoints {
		sum += p.of(f)
	}
	return max(100-sum, 0)
}

// Levels of a figure between 0 and 100, as texts for agents give them.
const (
	LevelLow    = "low"
	LevelMedium = "medium"
	LevelHigh   = "high"
)

// Unwell is the health below which a session is told why.
const Unwell = 70

// Level says a figure between 0 and 100 in a word: low below 40, high from 80 on.
func Level(figure int) string {
	switch {
	case figure < 40:
		return LevelLow
	case figure < 80:
		return LevelMedium
	}
	return LevelHigh
}

// DriftReasons says what the drift consists of, in words that do not change with every call.
func (f Figures) DriftReasons() []string {
	if !f.Working {
		return nil
	}
	return reasons(driftPoints[:], f)
}

// HealthReasons says what went wrong, drift aside.
func (f Figures) HealthReasons() []string { return reasons(healthPoints[:], f) }

func reasons(table []points, f Figures) []string {
	var list []string
	for _, p := range table {
		if p.of(f) > 0 {
			list = append(list, p.why)
		}
	}
	return list
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}
