package dash

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// memoryRows returns the mems to review, most urgent first, and the false paths.
func (m *model) memoryRows() []row {
	rows := []row{heading("MEMORY TO REVIEW", fmt.Sprint(len(m.state.Memory)))}
	for i := range m.state.Memory {
		rows = append(rows, m.memoryRow(&m.state.Memory[i], attention.SignSuspect))
	}
	if len(m.state.Memory) == 0 {
		rows = append(rows, textRow(quiet, "  no mems to review.  / searches"))
	}
	if len(m.state.Avoid) > 0 {
		rows = append(rows, textRow(plain, ""), heading("FALSE PATHS", fmt.Sprint(len(m.state.Avoid))))
	}
	for i := range m.state.Avoid {
		rows = append(rows, m.memoryRow(&m.state.Avoid[i], attention.SignAbandoned))
	}
	return rows
}

// memoryRow returns the row of a mem or anchor with its review item.
func (m *model) memoryRow(d *queries.MemoryFinding, sign attention.Sign) row {
	r := row{
		id: d.Object + "/" + d.Reason + string(sign), object: d.Object,
		cells: []cell{{" " + m.draw(sign) + " ", signLook(sign), 3}, {strings.TrimPrefix(d.Object, "mem/") + " ", strong, 20}, {d.Text, plain, rest}},
	}
	if d.Confidence > 0 {
		r.right = fmt.Sprint(d.Confidence)
	}
	return r
}

// memRows returns details of the selected mem.
func (m *model) memRows(width int) []row {
	p := &page{width: width}
	r := m.lists[memoryPane].current()
	if r == nil {
		return nil
	}
	p.head(r.object, "")
	for i := range m.state.Memory {
		if d := &m.state.Memory[i]; d.Object == r.object {
			p.para(waiting, " "+m.draw(attention.SignSuspect)+" ", d.Text)
		}
	}
	if m.paneObject == r.object && m.detail != nil {
		m.memPage(p)
	}
	return p.rows
}

// memPage adds a mem's content, citations and comments.
func (m *model) memPage(p *page) {
	e, err := m.detail.Entry()
	if err != nil {
		return
	}
	mem, is := e.Object.(*resources.Mem)
	if !is {
		m.objectPage(p)
		return
	}
	s := &mem.Spec
	p.head("IT SAYS", strings.TrimSpace(s.Type+" "+s.TopicKey))
	p.para(plain, "  ", s.Content)
	for i := range m.detail.Differences {
		d := &m.detail.Differences[i]
		p.head("THEN AND NOW", d.Cites)
		looks := map[byte]look{'-': bad, '+': good}
		for _, line := range d.Lines {
			l, marked := looks[line[0]]
			if !marked {
				l = quiet
			}
			p.para(l, "  "+line[:2], line[2:])
		}
	}
	if len(s.Evidence) > 0 {
		p.head("IT CITES", "")
	}
	for _, cited := range s.Evidence {
		p.para(quiet, "  ", strings.TrimSpace(cited.Cites()+" "+cited.Note))
	}
	if s.Supersedes != "" {
		p.head("IN THE PLACE OF", "")
		p.link("mem/"+s.Supersedes, cell{"   ", plain, 3}, s.Supersedes, "")
	}
	m.remarkPage(p)
}
