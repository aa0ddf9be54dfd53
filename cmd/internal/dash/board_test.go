package dash

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// boarded is a desk that shows the shop as a board, with a task more in review and one that failed.
func boarded(t *testing.T, width int) *desk {
	s := shop()
	s.Tasks = append(s.Tasks, queries.DashTask{Name: "x-failed", Plan: "accounts", Title: "Broke", Phase: resources.TaskFailed}, queries.DashTask{Name: "y-review", Plan: "accounts", Title: "Handed in", Phase: resources.TaskReview},
		queries.DashTask{Name: "z-ready", Plan: "accounts", Title: "Go on", Phase: resources.TaskPlanned, Ready: true})
	d := newDesk(t, width, 30, colourful, s)
	for d.types("2"); d.viewed() != asBoard; {
		d.types("g")
	}
	return d
}

// Keys go from column to column, and act on what is selected there.
func TestBoardKeys(t *testing.T) {
	d := boarded(t, 100)
	d.types("tab", "tab", "tab")
	before := d.focus
	d.types("tab") // around
	assert.Len(t, map[int]bool{before: true, d.focus: true}, 2)
	d.focus = readyPane
	d.types("down", "s", "right")
	assert.Equal(t, []string{"start|--|task/z-ready"}, d.did)
	assert.Equal(t, activePane, d.focus)
	d.types("right")
	assert.Equal(t, "task/y-review", d.subject())
	d.types("g") // the same task in the next view
	assert.Equal(t, asLanes, d.viewed())
	assert.Equal(t, "task/y-review", d.subject())
	d.types("g", "g")
	assert.Equal(t, []any{reviewPane, "task/y-review"}, []any{d.focus, d.subject()})
	d.types("enter")
	assert.Equal(t, taskPane, d.focus)
	d.types("esc")
	assert.Equal(t, []any{reviewPane, "task/y-review"}, []any{d.focus, d.subject()})
}

// What is sought narrows all columns; nothing of the plan is in two of them or missing.
func TestBoardFindsAndCountsAll(t *testing.T) {
	d := boarded(t, 140)
	seen := map[string]int{}
	for _, c := range columns() {
		for _, r := range d.lists[c.pane].rows {
			if r.id != "" {
				seen[r.id]++
			}
		}
	}
	waiting := d.lists[readyPane].rows[len(d.lists[readyPane].rows)-1].cells[0].text
	assert.Equal(t, fmt.Sprintf("%d more wait", len(d.state.Tasks)-len(seen)), waiting)
	for id, n := range seen {
		assert.Equal(t, 1, n, id)
	}
	d.types("/", "'sign-up", "enter")
	text := strings.Join(d.lines(), "\n")
	assert.Contains(t, text, "only: sign-up")
	assert.Contains(t, text, "1 more wait")
	assert.NotContains(t, text, "Handed in")
	assert.Equal(t, "task/signup-api", d.subject())
}

// Where there is no plan the board says how to make one, and keys do no harm.
func TestBoardWithoutAPlan(t *testing.T) {
	s := shop()
	s.Plans, s.Tasks = nil, nil
	d := newDesk(t, 80, 24, colourful, s)
	d.view = asBoard
	d.types("2", "tab", "down", "enter", "s", "g", "g", "g")
	assert.True(t, slices.ContainsFunc(d.lines(), func(line string) bool { return strings.Contains(line, "There is no plan") }))
	assert.Empty(t, d.did)
}
