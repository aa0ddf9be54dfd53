package dash

import "slices"

// Minimal widths of a screen with several panes.
const (
	twoPanes   = 100
	threePanes = 130
)

// placed is a pane with its area.
type placed struct {
	pane int
	area
}

// layout returns the visible panes, between the top line and the two bottom lines.
func (m *model) layout() []placed {
	body := area{0, 2, m.width, max(m.height-4, 1)}
	if m.opened && m.width < twoPanes {
		return []placed{{taskPane, body}}
	}
	switch m.screen {
	case planScreen:
		if m.viewed() == asBoard {
			return m.board(body)
		}
		if m.width >= twoPanes {
			return body.splitColumns(pair{planPane, m.width - 42}, pair{taskPane, 41})
		}
		return []placed{{planPane, body}}
	case gateScreen:
		return m.detailed(body, gatePane, callPane)
	case memoryScreen:
		return m.detailed(body, memoryPane, memPane)
	}
	switch {
	case m.width >= threePanes:
		left, right := max(46, m.width/3-2), max(35, m.width/4)
		return body.splitColumns(pair{nowPane, left}, pair{planPane, m.width - left - right - 2}, pair{taskPane, right})
	case m.opened:
		return body.splitColumns(pair{nowPane, m.width - 42}, pair{taskPane, 41})
	}
	return []placed{{nowPane, body}}
}

// pair is a pane with its width.
type pair struct{ pane, width int }

// splitColumns places panes in a row, with a line between them.
func (a area) splitColumns(all ...pair) (places []placed) {
	x := a.x
	for _, p := range all {
		places = append(places, placed{p.pane, area{x, a.y, p.width, a.height}})
		x += p.width + 1
	}
	return places
}

// detailed places a list and the details of its selection: in a row, or above each other on a
// narrow screen.
func (m *model) detailed(body area, listed, detail int) []placed {
	switch {
	case m.opened:
		return body.splitColumns(pair{listed, m.width - 42}, pair{taskPane, 41})
	case m.width >= twoPanes:
		right := m.width * 45 / 100
		return body.splitColumns(pair{listed, m.width - right - 1}, pair{detail, right})
	}
	upper := max(body.height/2, 1)
	return []placed{
		{listed, area{0, body.y, m.width, upper}},
		{detail, area{0, body.y + upper + 1, m.width, max(body.height-upper-1, 1)}},
	}
}

// shows reports whether a pane is visible.
func (m *model) shows(pane int) bool {
	return slices.ContainsFunc(m.layout(), func(p placed) bool { return p.pane == pane })
}

// focusVisible moves the focus into a visible pane.
func (m *model) focusVisible() {
	if !m.shows(m.focus) {
		m.focus = m.layout()[0].pane
	}
	m.build()
}

// next moves the focus to the next or previous pane. In a pane with several parts it moves to the
// next or previous part.
func (m *model) next(by int) {
	places := m.layout()
	if m.lists[m.focus].section(by) {
		return
	}
	for i, p := range places {
		if p.pane == m.focus {
			m.focus = places[(i+by+len(places))%len(places)].pane
			break
		}
	}
	l := &m.lists[m.focus]
	if by > 0 || len(places) == 1 {
		l.selected = l.near(0)
	}
	l.show()
}
