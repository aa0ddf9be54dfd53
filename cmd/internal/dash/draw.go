package dash

import (
	"fmt"
	"strings"
)

// names returns the names of the screens for the top line.
func (m *model) names() [screens]string {
	names := [screens]string{"1 Now", "2 Plan", "3 Gate", "4 Memory"}
	if m.state == nil {
		return names
	}
	for i, n := range [screens]int{len(m.state.Needs), 0, len(m.state.Denied), len(m.state.Memory)} {
		if n > 0 {
			names[i] += fmt.Sprintf(" %d", n)
		}
	}
	return names
}

// location returns the repository and worktree for the top line.
func (m *model) location() string {
	where := " iDumb  " + m.Repository
	if m.Worktree != "" {
		where += " (" + m.Worktree + ")"
	}
	return firstRunes(where, max(m.width/4, 16)) + "  "
}

// tabs returns the columns where the names of the screens end.
func (m *model) tabs() (ends [screens]int) {
	x := canvas{unicode: m.Unicode}.wide(m.location())
	for i, name := range m.names() {
		x += len(name) + 3
		ends[i] = x
	}
	return ends
}

// paint draws the full screen.
func (m *model) paint(c canvas) {
	c.screen.HideCursor()
	if m.width < 20 || m.height < 6 {
		c.screen.Clear()
		c.text(0, 0, m.width, "too small", c.style(plain, false))
		return
	}
	m.head(c)
	for _, p := range m.layout() {
		m.lists[p.pane].draw(c, p.area, m.now(), m.focus == p.pane && m.dialog == nil)
		if p.x > 0 {
			c.bar(p.x-1, p.y, p.height)
		}
		if p.y > 2 {
			c.rule(0, p.y-1, m.width)
		}
	}
	if m.state == nil {
		c.text(0, 2, m.width, " reading ...", c.style(quiet, false))
	}
	m.foot(c)
	if m.dialog != nil {
		m.dialog.draw(m, c)
	}
}

// head draws the top line: the repository, the screens, and the controller's state.
func (m *model) head(c canvas) {
	c.text(0, 0, m.width, m.location(), c.style(strong, false))
	x := c.wide(m.location())
	for i, name := range m.names() {
		c.text(x, 0, min(len(name)+2, m.width-x), " "+name+" ", c.style(strong, i == m.screen))
		x += len(name) + 3
	}
	text, l := m.alive()
	if x+c.wide(text)+1 > m.width { // the mode is shown elsewhere too
		_, text, _ = strings.Cut(text, " ")
	}
	if taken := c.wide(text) + 1; x+taken <= m.width {
		c.text(m.width-taken, 0, taken, text, c.style(l, false))
	}
	c.text(0, 1, m.width, "", c.style(plain, false))
	if len(m.layout()) > 1 && m.layout()[1].x > 0 {
		c.rule(0, 1, m.width)
	}
}

// alive describes the mode of the gate, and whether and how fast a controller answers.
func (m *model) alive() (string, look) {
	dot := "●"
	if !m.Unicode {
		dot = "*"
	}
	switch {
	case m.state == nil:
		return "", quiet
	case m.state.Live:
		return fmt.Sprintf("%s %s live %dms", m.state.Mode, dot, m.state.Took.Milliseconds()), good
	case m.state.Since.IsZero():
		return m.state.Mode + " no controller", waiting
	}
	return m.state.Mode + " controller gone " + m.state.Since.Format("15:04"), bad
}

// foot draws the last two lines: a rule, and the last message or the available keys.
func (m *model) foot(c canvas) {
	y := m.height - 2
	c.rule(0, y, m.width)
	if m.message != "" {
		l := plain
		if m.failed {
			l = bad
		}
		c.text(0, y+1, m.width, " "+m.message, c.style(l, false))
		return
	}
	c.text(0, y+1, m.width, " "+m.keys(c), c.style(quiet, false))
}

// keys lists the available keys that fit, and always the keys for all keys and to quit.
func (m *model) keys(c canvas) string {
	const last = "? keys  q quit"
	var shown []string
	taken := c.wide(last) + 2
	for _, cmd := range m.possible() {
		key := cmd.keys[0]
		if key == "enter" && m.Unicode {
			key = "↵"
		}
		name, _, _ := strings.Cut(cmd.name, ":")
		if cmd.keys[0] == ":" {
			name = "go"
		}
		text := key + " " + name
		if need := c.wide(text) + 2; cmd.foot && key != "?" && key != "q" && taken+need <= m.width-1 {
			shown, taken = append(shown, text), taken+need
		}
	}
	return strings.Join(append(shown, last), "  ")
}
