package dash

import (
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// Views of the plan.
const (
	byWidth = iota // default: lanes, or an outline on a narrow screen
	asLanes
	asOutline
	asBoard
)

// kindsOfView is the number of selectable views.
const kindsOfView = 3

// viewed returns the current view of the plan. A board needs the full screen and a plan.
func (m *model) viewed() int {
	switch planned := m.state != nil && m.state.plan(m.chosen) != nil; {
	case m.view == asBoard && m.screen == planScreen && planned, m.view == asLanes, m.view == asOutline:
		return m.view
	case m.width >= twoPanes:
		return asLanes
	}
	return asOutline
}

// nextView switches to the next view: lanes, outline, board. It keeps the selection.
func nextView(m *model) []effect {
	task := m.taskOf(m.subject())
	m.view = m.viewed()%kindsOfView + asLanes
	m.focusVisible()
	m.selectTask(task)
	return m.moved()
}

// column is a pane of the board.
type column struct {
	pane int
	name string
}

// columns returns the columns of the board. Waiting tasks have no column; the first column counts
// them.
func columns() []column {
	return []column{{readyPane, "READY"}, {activePane, "ACTIVE"}, {reviewPane, "REVIEW"}, {donePane, "DONE"}}
}

// columnOf returns the pane of a task's column, planPane for none. A failed task may be started
// again.
func columnOf(t *queries.DashTask) int {
	switch {
	case isEnded(t):
		return donePane
	case t.Phase == resources.TaskActive:
		return activePane
	case t.Phase == resources.TaskReview:
		return reviewPane
	case t.Ready || t.Phase == resources.TaskFailed || t.Phase == resources.PhaseInvalid:
		return readyPane
	}
	return planPane
}

// board places the columns, and the task next to them on a wide screen.
func (m *model) board(body area) []placed {
	width := m.width
	if width >= threePanes {
		width -= 42
	} else if m.opened {
		return []placed{{taskPane, body}}
	}
	var pairs []pair
	all := columns()
	for i, c := range all {
		pairs = append(pairs, pair{c.pane, width*(i+1)/len(all) - width*i/len(all) - 1})
	}
	if width < m.width {
		pairs = append(pairs, pair{taskPane, 41})
	}
	return body.splitColumns(pairs...)
}

// columnRows returns the rows of a column in the order of the plan, in the done column in reverse.
func (m *model) columnRows(pane int) []row {
	p := m.state.plan(m.chosen)
	var rows []row
	chain, waiting := m.chainNames(), 0
	for _, t := range m.state.layoutOf(p.Name).tasks {
		if !m.matchesFilter(t, chain) {
			continue
		}
		switch at := columnOf(t); at {
		case planPane:
			waiting++
		case pane:
			rows = append(rows, m.cardRow(t))
		}
	}
	if pane == donePane {
		slices.Reverse(rows)
	}
	return slices.Concat(m.columnHead(pane, p, len(rows)), rows, waitingRow(pane, waiting))
}

// cardRow returns the row of a task in its column: its title and its worker, cut to the width.
func (m *model) cardRow(t *queries.DashTask) row {
	sign := m.state.sign(t)
	r := row{id: "task/" + t.Name, object: "task/" + t.Name, cells: []cell{{m.draw(sign) + " ", signLook(sign), 2}, {t.Title, plain, 0}}}
	if who := m.state.worker(t); who != "" && !isEnded(t) {
		r.cells = append(r.cells, cell{" " + who, quiet, rest})
	}
	return r
}

// columnHead returns the header of a column: its name and size, and in the first columns the plan
// and its filter.
func (m *model) columnHead(pane int, p *queries.PlanProgress, n int) []row {
	all := columns()
	at := slices.IndexFunc(all, func(c column) bool { return c.pane == pane })
	first := textRow(strong, "")
	switch {
	case pane == readyPane:
		first = textRow(strong, p.Name)
	case pane == activePane && m.filter != "":
		first = textRow(quiet, "only: "+m.filter)
	case pane == activePane && m.chainTask != "":
		first = textRow(quiet, "only around "+m.chainTask)
	}
	return []row{first, heading(all[at].name, fmt.Sprint(n))}
}

// waitingRow returns a row with the number of waiting tasks, below the ready ones.
func waitingRow(pane, n int) []row {
	if pane != readyPane || n == 0 {
		return nil
	}
	return []row{textRow(quiet, fmt.Sprintf("%d more wait", n))}
}

// selectTask selects a task in the visible pane that lists it, and focuses that pane. If none does,
// and no row of the focused pane can be selected, it focuses the next pane with such a row.
func (m *model) selectTask(task string) {
	if m.screen != planScreen {
		return
	}
	places := m.layout()
	for _, p := range places {
		l := &m.lists[p.pane]
		if at := slices.IndexFunc(l.rows, func(r row) bool { return task != "" && r.id == "task/"+task }); at >= 0 && p.pane != taskPane {
			m.focus, l.selected = p.pane, at
			l.show()
			return
		}
	}
	for range places {
		if m.lists[m.focus].selected >= 0 {
			return
		}
		m.next(1)
	}
}
