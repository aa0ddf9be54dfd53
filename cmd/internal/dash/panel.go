package dash

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// page collects the rows of a pane with text.
type page struct {
	rows  []row
	width int
}

// head adds a heading with a note, after an empty row unless it is the first.
func (p *page) head(text, note string) {
	if len(p.rows) > 0 {
		p.rows = append(p.rows, textRow(plain, ""))
	}
	p.rows = append(p.rows, heading(text, note))
}

// para adds a wrapped text. The lines after the first are indented.
func (p *page) para(l look, first, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		wrapped := terminal.Wrap(line, max(p.width-len([]rune(first))-3, 10), "")
		for part := range strings.SplitSeq(wrapped, "\n") {
			p.rows = append(p.rows, row{cells: []cell{{" " + first, l, 0}, {part, plain, rest}}})
			first = strings.Repeat(" ", len([]rune(first)))
		}
	}
}

// link adds a row for an object that can be opened.
func (p *page) link(about string, sign cell, text, right string) {
	p.rows = append(p.rows, row{id: "link/" + about, object: about, right: right, cells: []cell{sign, {text, plain, rest}}})
}

// taskRows returns details of the object in the task's pane.
func (m *model) taskRows(width int) []row {
	kind, name, _ := strings.Cut(m.paneObject, "/")
	p := &page{width: width}
	if m.paneObject == "" {
		return []row{textRow(quiet, "Press Enter to open the selection.")}
	}
	if t := m.state.task(name); kind == "task" && t != nil {
		m.taskPage(p, t)
		return p.rows
	}
	p.head(m.paneObject, "")
	m.needPage(p)
	if s := m.state.session(name); kind == "session" && s != nil {
		p.head("IT DOES", "")
		p.para(plain, "  ", activity(s))
		if s.Task != "" {
			p.link("task/"+s.Task, cell{"   ", plain, 3}, "task/"+s.Task, "")
		}
		p.head("HOW WELL", fmt.Sprintf("%s %d", m.health(s.Health), s.Health))
		for _, why := range s.Components {
			p.para(quiet, "  ", why)
		}
		p.para(quiet, "  ", fmt.Sprintf("%d turns, %d calls, %d denied, %d compactions, %s tokens", s.Turns, s.Calls, s.Denials, s.Compactions, tokens(s.Tokens)))
		if m.detail != nil {
			m.remarkPage(p)
		}
	} else {
		m.objectPage(p)
	}
	return p.rows
}

// needPage adds the needs of the object and the proposed actions.
func (m *model) needPage(p *page) {
	for i := range m.state.Needs {
		n := &m.state.Needs[i]
		if n.Object != m.paneObject {
			continue
		}
		p.head("NEEDS YOU", "")
		p.para(signLook(n.Sign), " "+m.draw(n.Sign)+" ", n.Text)
		p.para(quiet, "   ", n.Why)
		for _, a := range n.Do {
			p.para(plain, "   ", a.Command)
		}
	}
}

// taskPage adds a task's dependencies, criteria, comments and checkpoints.
func (m *model) taskPage(p *page, t *queries.DashTask) {
	sign := m.state.sign(t)
	p.rows = append(p.rows, row{cells: []cell{{m.draw(sign) + " ", signLook(sign), 2}, {t.Title, strong, rest}}})
	note := "task/" + t.Name + " · " + t.Phase
	if t.Priority != "" {
		note += " · " + t.Priority
	}
	if m.state.layoutOf(t.Plan).critical[t.Name] {
		note += " · critical path"
	}
	p.rows = append(p.rows, textRow(quiet, note))
	m.needPage(p)
	m.waitPage(p, t)
	if m.detail == nil {
		return
	}
	object, status := m.spec()
	checkpoints := status.Checkpoints
	m.proofPage(p, object, status)
	m.remarkPage(p)
	if len(checkpoints.Last) > 0 {
		p.head("CHECKPOINTS", fmt.Sprint(checkpoints.Count))
		for i := len(checkpoints.Last) - 1; i >= 0; i-- {
			c := checkpoints.Last[i]
			p.rows = append(p.rows, row{since: c.Time.Time, cells: []cell{{" ", plain, 1}, {records.Summary(c), plain, rest}}})
		}
	}
}

// waitPage adds a task's dependencies and the number of its dependents.
func (m *model) waitPage(p *page, t *queries.DashTask) {
	if len(t.Waits) > 0 && !isEnded(t) {
		p.head("WHY IT WAITS", "")
		for _, name := range t.Waits {
			about := name
			if !strings.Contains(name, "/") {
				about = "task/" + name
			}
			sign, right := attention.SignWaits, ""
			if first := m.state.task(name); first != nil {
				sign, right = m.state.sign(first), m.taskState(first)
			}
			p.link(about, cell{" " + m.draw(sign) + " ", signLook(sign), 3}, name, right)
		}
	}
	if n := len(m.state.openDependents(t.Name)); n > 0 && !isEnded(t) {
		p.rows = append(p.rows, textRow(quiet, " "+tasksText(n)+" for it"))
	}
}

// tasksText returns the number of tasks that wait, as text.
func tasksText(n int) string {
	if n == 1 {
		return "1 task waits"
	}
	return fmt.Sprintf("%d tasks wait", n)
}

// spec returns the shown task and its status.
func (m *model) spec() (*resources.Task, *resources.TaskStatus) {
	var whole struct {
		Status resources.TaskStatus `json:"status"`
	}
	_ = json.Unmarshal(m.detail.Object, &whole) // an unreadable status is not shown
	if e, err := m.detail.Entry(); err == nil {
		if t, ok := e.Object.(*resources.Task); ok {
			return t, &whole.Status
		}
	}
	return &resources.Task{}, &whole.Status
}

// proofPage adds a task's criteria: verified evidence and missing evidence.
func (m *model) proofPage(p *page, t *resources.Task, status *resources.TaskStatus) {
	p.head("PROVES IT DONE", "")
	if t.Spec.ExpectedOutput != "" {
		p.para(quiet, " ", t.Spec.ExpectedOutput)
	}
	for _, item := range t.Spec.Evidence {
		sign := attention.SignReady
		if t.Spec.Result != nil && slices.Contains(t.Spec.Result.Verified, item) {
			sign = attention.SignDone
		}
		p.para(quiet, " "+m.draw(sign)+" ", item.String())
	}
	if missing := resources.FindCondition(status.Conditions, resources.EvidenceMissing); missing != nil && missing.Status == resources.True {
		p.para(bad, " "+m.draw(attention.SignFailed)+" ", missing.Message)
	}
	if t.Spec.Result != nil {
		p.para(good, " "+m.draw(attention.SignDone)+" ", t.Spec.Result.Evidence)
	}
	if len(t.Spec.Paths) > 0 {
		p.para(quiet, " writes only ", strings.Join(t.Spec.Paths, " "))
	}
	if t.Spec.AssignedTo != "" {
		p.para(quiet, " assigned to ", t.Spec.AssignedTo)
	}
}

// remarkPage adds the comments on the object.
func (m *model) remarkPage(p *page) {
	remarks := m.detail.Remarks
	if len(remarks) == 0 {
		return
	}
	p.head("COMMENTS", fmt.Sprint(len(remarks)+m.detail.MoreRemarks))
	for i := range remarks {
		r := &remarks[i]
		p.rows = append(p.rows, row{id: "comment/" + r.Name, object: m.paneObject, since: r.Time.Time, cells: []cell{{" " + r.Author, strong, 0}, {"  " + r.Type, quiet, rest}}})
		p.para(plain, "  ", r.Body)
		p.para(quiet, "  "+m.draw(attention.SignReady)+" ", r.State)
	}
}

// objectPage adds an object that is not a task, as JSON.
func (m *model) objectPage(p *page) {
	if m.detail == nil {
		return
	}
	if m.detail.Problem != nil {
		p.para(bad, "  ", cmp.Or(m.detail.Problem.Reason, "it cannot be read"))
	}
	p.json(m.detail.Object)
	m.remarkPage(p)
}

// json adds an object as indented JSON.
func (p *page) json(object json.RawMessage) {
	var all any
	if json.Unmarshal(object, &all) != nil {
		return
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		p.rows = append(p.rows, textRow(plain, line))
	}
}
