package dash

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// gateRows returns the rows of denied calls, newest first.
func (m *model) gateRows() []row {
	var rows []row
	for i := range m.state.Denied {
		e := &m.state.Denied[i]
		v := e.Violation
		if !m.wantsCall(e) {
			continue
		}
		l := bad
		if e.Reason != resources.ReasonDenied {
			l = waiting
		}
		rows = append(rows, row{
			id: deniedRow(e), object: "session/" + v.Session, event: i + 1, since: e.Time.Time,
			cells: []cell{{" " + e.Verdict(), l, 13}, {firstRunes(v.Session, 10) + " ", strong, 12}, {v.Rule + " ", quiet, 16}, {v.Call, plain, rest}},
		})
	}
	head, all := []row{heading("CALLS AGAINST THE RULES", fmt.Sprint(len(m.state.Denied)))}, len(m.state.Denied)
	if m.gateFilter != "" {
		head = []row{heading("CALLS AGAINST THE RULES", fmt.Sprintf("%d of %d", len(rows), all)), textRow(quiet, "  only: "+m.gateFilter+"   Esc shows all")}
	}
	if all == 0 {
		rows = append(rows, textRow(quiet, "  no call was against the rules"))
	}
	return append(head, rows...)
}

// wantsCall reports whether a denied call matches the filter.
func (m *model) wantsCall(e *resources.Event) bool {
	v := e.Violation
	for word := range strings.FieldsSeq(m.gateFilter) {
		fields := map[string]any{"verdict": e.Verdict(), "session": v.Session, "agent": v.Agent, "rule": v.Rule, "task": v.Task, "tool": v.Tool, "call": v.Call}
		if !matchesWord(word, fields, e.Verdict(), v.Session, v.Agent, v.Rule, v.Task, v.Tool, v.Call) {
			return false
		}
	}
	return true
}

// callRows returns details of the selected denied call: its denial, and the agent's next action.
func (m *model) callRows(width int) []row {
	p := &page{width: width}
	e := m.selectedDenial()
	if e == nil {
		return nil
	}
	v := e.Violation
	for _, part := range [][3]string{{"CALL", v.Rule, v.Call}, {"WHAT", "", e.Message}, {"WHY", "", v.Why}, {"USE INSTEAD", "", v.UseInstead}, {"EVIDENCE", "", v.Evidence}} {
		if part[2] != "" {
			p.head(part[0], part[1])
			p.para(quiet, "  ", part[2])
		}
	}
	m.nextPage(p, e)
	p.head("WHO", "")
	p.para(quiet, "  ", strings.TrimSpace("session/"+v.Session+" "+v.Agent))
	if v.Task != "" {
		p.link("task/"+v.Task, cell{"   ", plain, 3}, "task/"+v.Task, "")
	}
	return p.rows
}
