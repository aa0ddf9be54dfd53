package dash

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/serve/questions"
)

// large is a plan of so many tasks, each of which waits for the two before it.
func large(n int) State {
	s := State{Live: true, Dash: questions.Dash{Overview: questions.Overview{Plans: []questions.PlanStanding{{Name: "p", Title: "P", Total: n}}}}}
	name := func(i int) string { return fmt.Sprintf("t%05d", i) }
	for i := range n {
		t := questions.DashTask{Name: name(i), Plan: "p", Title: "Task " + name(i), Phase: "blocked"}
		if i > 1 {
			t.Needs = []string{name(i - 1), name(i - 2)}
		}
		s.Tasks = append(s.Tasks, t)
	}
	return s
}

// Of 10,000 tasks those are drawn that are in sight: a key is answered within a frame. The least of some
// keys counts, for the machine may be busy.
func TestALargePlan(t *testing.T) {
	began := time.Now()
	d := newDesk(t, 140, 40, colourful, large(10_000))
	d.types("2")
	d.lines()
	t.Log("first screen", time.Since(began))
	for _, k := range []string{"down", "pgdn", "end", "home"} {
		least := time.Hour
		for range 5 {
			began := time.Now()
			d.types(k)
			d.paint(d.canvas)
			d.canvas.screen.Show()
			least = min(least, time.Since(began))
		}
		t.Log(k, least)
		assert.Less(t, least, 100*time.Millisecond, k)
	}
	began = time.Now()
	d.settles(d.take(large(10_000)))
	t.Log("another state", time.Since(began))
}
