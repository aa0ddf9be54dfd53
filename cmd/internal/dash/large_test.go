package dash

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// large is a plan of so many tasks, each of which waits for the two before it.
func large(n int) State {
	s := State{Live: true, Dash: queries.Dash{Overview: queries.Overview{Plans: []queries.PlanProgress{{Name: "p", Title: "P", Total: n}}}}}
	name := func(i int) string { return fmt.Sprintf("t%05d", i) }
	for i := range n {
		t := queries.DashTask{Name: name(i), Plan: "p", Title: "Task " + name(i), Phase: "blocked"}
		if i > 1 {
			t.Needs = []string{name(i - 1), name(i - 2)}
		}
		s.Tasks = append(s.Tasks, t)
	}
	return s
}

// Of 10,000 tasks those are drawn that are in sight: a key makes as much as it does of 1,000, and a page one thing
// more for each task that waits for the one that it shows.
func TestALargePlan(t *testing.T) {
	made := func(n int) map[string]float64 {
		d := newDesk(t, 140, 40, colourful, large(n))
		d.types("2")
		d.lines()
		allocations := map[string]float64{}
		for _, key := range []string{"down", "pgdn", "end", "home"} {
			allocations[key] = testing.AllocsPerRun(50, func() {
				d.types(key)
				d.paint(d.canvas)
				d.canvas.screen.Show()
			})
		}
		d.settles(d.take(large(n))) // another state
		return allocations
	}
	few, many := made(1_000), made(10_000)
	t.Log(few, many)
	for key, waiting := range map[string]float64{"down": 10_000, "pgdn": 10_000, "end": 0, "home": 0} {
		assert.Less(t, many[key], 1.2*(few[key]+waiting), key)
	}
}
