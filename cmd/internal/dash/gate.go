package dash

import (
	"fmt"

	"github.com/idumb-dev/idumb/resources"
)

// gateRows are the calls against the rules, the newest first.
func (m *model) gateRows() []row {
	rows := []row{heading("CALLS AGAINST THE RULES", fmt.Sprint(len(m.state.Denied)))}
	for i := range m.state.Denied {
		e := &m.state.Denied[i]
		v := e.Violation
		l := bad
		if e.Reason != resources.ReasonDenied {
			l = waiting
		}
		rows = append(rows, row{
			id: fmt.Sprintf("denied/%d/%s", e.Time.UnixNano(), v.Session), about: "session/" + v.Session, event: i + 1, since: e.Time.Time,
			cells: []cell{{" " + verdict(e), l, 13}, {firstRunes(v.Session, 10) + " ", strong, 12}, {v.Rule + " ", quiet, 16}, {v.Call, plain, rest}},
		})
	}
	if len(m.state.Denied) == 0 {
		rows = append(rows, said(quiet, "  no call was against the rules"))
	}
	return rows
}

// verdict is what the gate did about a call.
func verdict(e *resources.Event) string {
	switch e.Reason {
	case resources.ReasonDenied:
		return "denied"
	case resources.ReasonGotThrough:
		return "got through"
	}
	return "would deny"
}

// callRows are what the agent was told of the call that is selected.
func (m *model) callRows(width int) []row {
	p := &page{width: width}
	r := m.lists[gatePane].current()
	if r == nil || r.event == 0 || r.event > len(m.state.Denied) {
		return nil
	}
	e := &m.state.Denied[r.event-1]
	v := e.Violation
	p.head("WHAT", "")
	p.para(quiet, "  ", v.Call)
	p.head("WHY", v.Rule)
	p.para(quiet, "  ", e.Message)
	p.head("WHO", "")
	p.para(quiet, "  ", "session/"+v.Session)
	if v.Task != "" {
		p.link("task/"+v.Task, cell{"   ", plain, 3}, "task/"+v.Task, "")
	}
	return p.rows
}
