package dash

import (
	"strings"
)

// dialog is a window above the screen that receives the keys. It closes itself.
type dialog interface {
	key(m *model, k string) []effect
	draw(m *model, c canvas)
}

// asking prompts for a line of text.
type asking struct {
	title        string
	label        string // label of the text; empty if the title is sufficient
	consequences string // consequences; empty if obvious
	choices      []string
	optional     bool // may be empty
	line         editor
	then         func(text string) []effect
}

// key implements dialog: Enter accepts the text, Tab completes a choice, Esc closes the window.
func (d *asking) key(m *model, k string) []effect {
	switch k {
	case "esc", "ctrl-c":
		m.dialog = nil
		m.say("nothing was done", false)
	case "enter":
		text := strings.TrimSpace(d.line.String())
		if text == "" && !d.optional {
			return nil
		}
		m.dialog = nil
		return d.then(d.choice(text))
	case "tab":
		d.line.setText(d.choice(d.line.String()))
	default:
		d.line.key(k)
	}
	return nil
}

// choice returns the choice with the prefix text, otherwise text.
func (d *asking) choice(text string) string {
	for _, c := range d.choices {
		if text != "" && strings.HasPrefix(c, text) {
			return c
		}
	}
	return text
}

// draw implements dialog: it draws the title, the label, the choices and the line of input.
func (d *asking) draw(m *model, c canvas) {
	lines := []string{d.title}
	for _, line := range [...]string{d.label, d.consequences} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	if len(d.choices) > 0 {
		lines = append(lines, strings.Join(d.choices, " · "))
	}
	a := m.window(c, len(lines)+2)
	for i, line := range lines {
		l := plain
		if i > 0 && line == d.consequences {
			l = bad
		}
		c.text(a.x, a.y+i, a.width, line, c.style(l, false))
	}
	c.text(a.x, a.y+len(lines), 2, "> ", c.style(strong, false))
	d.line.draw(c, a.x+2, a.y+len(lines), a.width-2)
	c.text(a.x, a.y+len(lines)+1, a.width, "Enter does it   Esc does nothing", c.style(quiet, false))
}

// pager shows a text.
type pager struct {
	title string
	foot  string
	list  list
}

// newPager returns a window with a title and lines.
func newPager(title string, lines []string) *pager {
	p := &pager{title: title, foot: "Esc closes"}
	for _, line := range lines {
		p.list.rows = append(p.list.rows, textRow(plain, strings.ReplaceAll(line, "\t", "  ")))
	}
	p.list.selected = -1
	return p
}

// key implements dialog: Esc, Enter and q close the window, other keys scroll.
func (d *pager) key(m *model, k string) []effect {
	switch k {
	case "esc", "enter", "q", "ctrl-c":
		m.dialog = nil
	default:
		moveBy(&d.list, k)
	}
	return nil
}

// draw implements dialog: it draws the title, the visible lines and the footer.
func (d *pager) draw(m *model, c canvas) {
	a := m.window(c, min(len(d.list.rows)+2, m.height-6))
	c.text(a.x, a.y, a.width, d.title, c.style(strong, false))
	d.list.draw(c, area{a.x, a.y + 1, a.width, a.height - 2}, m.now(), false)
	c.text(a.x, a.y+a.height-1, a.width, d.foot, c.style(quiet, false))
}

// confirming shows a full text before an action.
type confirming struct {
	pager
	then func() []effect
}

// key implements dialog: Enter does it, Esc and q close the window, other keys scroll.
func (d *confirming) key(m *model, k string) []effect {
	switch k {
	case "enter":
		m.dialog = nil
		return d.then()
	case "esc", "q", "ctrl-c":
		m.dialog = nil
		m.say("nothing was done", false)
	default:
		moveBy(&d.list, k)
	}
	return nil
}

// menu lists commands. Typed text filters it, Enter runs a command.
type menu struct {
	title string
	all   []command
	line  editor
	list  list
}

// narrow shows the commands that contain the typed text.
func (d *menu) narrow() {
	var rows []row
	for i := range d.all {
		cmd := &d.all[i]
		if text := strings.ToLower(cmd.keys[0] + " " + cmd.name); strings.Contains(text, strings.ToLower(d.line.String())) {
			rows = append(rows, row{id: cmd.name, cells: []cell{{" " + strings.Join(cmd.keys, " "), strong, 18}, {cmd.name, plain, rest}}})
		}
	}
	d.list.set(rows)
}

// key implements dialog: Enter runs the selected command, other keys select or narrow the list.
func (d *menu) key(m *model, k string) []effect {
	switch k {
	case "esc", "ctrl-c":
		m.dialog = nil
	case "up", "down", "pgup", "pgdn":
		moveBy(&d.list, k)
	case "enter":
		m.dialog = nil
		if r := d.list.current(); r != nil {
			for i := range d.all {
				if d.all[i].name == r.id {
					return d.all[i].do(m)
				}
			}
		}
	default:
		if d.line.key(k) {
			d.narrow()
		}
	}
	return nil
}

// draw implements dialog: it draws the title, the filter and the commands that match it.
func (d *menu) draw(m *model, c canvas) {
	a := m.window(c, min(len(d.all)+3, m.height-4))
	c.text(a.x, a.y, a.width, d.title, c.style(strong, false))
	c.text(a.x, a.y+1, 2, "/ ", c.style(quiet, false))
	d.list.draw(c, area{a.x, a.y + 2, a.width, a.height - 3}, m.now(), true)
	d.line.draw(c, a.x+2, a.y+1, a.width-2)
	c.text(a.x, a.y+a.height-1, a.width, "Enter does it   Esc closes", c.style(quiet, false))
}

// window clears a centered window with a number of lines, and returns the area inside its frame.
func (m *model) window(c canvas, lines int) area {
	width := min(m.width-4, 100)
	lines = max(min(lines, m.height-4), 1)
	a := area{(m.width - width) / 2, max((m.height-lines-2)/2, 0), width, lines + 2}
	for i := range a.height {
		c.text(a.x, a.y+i, a.width, "", c.style(plain, false))
		c.bar(a.x, a.y+i, 1)
		c.bar(a.x+a.width-1, a.y+i, 1)
	}
	c.rule(a.x, a.y, a.width)
	c.rule(a.x, a.y+a.height-1, a.width)
	return area{a.x + 2, a.y + 1, a.width - 4, lines}
}

// moveBy moves the selection of a list by a key. It returns false for other keys.
func moveBy(l *list, k string) bool {
	pageful := max(l.height-1, 1)
	switch k {
	case "up", "k":
		l.move(-1)
	case "down", "j":
		l.move(1)
	case "pgup":
		l.move(-pageful)
	case "pgdn":
		l.move(pageful)
	case "home":
		l.move(-len(l.rows))
	case "end":
		l.move(len(l.rows))
	default:
		return false
	}
	return true
}
