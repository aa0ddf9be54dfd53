package dash

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
)

// command is the action of a key.
type command struct {
	keys    []string
	name    string // short description for the footer and the list of keys
	enabled func(*model) bool
	do      func(*model) []effect
	foot    bool // shown in the footer
}

// always is the condition of commands that are always available.
func always(*model) bool { return true }

// onScreen returns the condition of commands that belong to one screen.
func onScreen(screen int) func(*model) bool { return func(m *model) bool { return m.screen == screen } }

// commands returns the key bindings: first answers and comments, then other acts, then the
// dashboard's commands.
func commands(table []acts.Act) []command {
	rank := func(a acts.Act) int {
		switch {
		case a.Name == "answer":
			return 0
		case a.Detached:
			return 1
		}
		return 2
	}
	table = slices.DeleteFunc(table, func(a acts.Act) bool { return a.Key == "" || a.Form })
	table = slices.SortedStableFunc(slices.Values(table), func(a, b acts.Act) int { return cmp.Compare(rank(a), rank(b)) })
	all := make([]command, len(table))
	for i, a := range table {
		all[i] = commandOf(a)
	}
	return slices.Concat(all, []command{
		{keys: []string{"e"}, name: "edit in $EDITOR", enabled: func(m *model) bool { return m.subject() != "" }, do: edit},
		{keys: []string{"J"}, name: "JSON of it", enabled: func(m *model) bool { return m.subject() != "" }, do: raw},
	}, views(), moves())
}

// commandOf returns the command of an act. By default it prompts for the argument and runs the verb.
func commandOf(a acts.Act) command {
	c := command{keys: []string{a.Key}, name: strings.ToLower(a.Label), foot: a.Often}
	c.enabled = func(m *model) bool { return m.target(a) != "" }
	c.do = func(m *model) []effect { return m.perform(a) }
	switch a.Name {
	case "start":
		c.enabled = func(m *model) bool { // without another worker
			return m.target(a) != "" && m.state.Owners[m.taskOf(m.subject())] == ""
		}
	case "answer":
		c.name, c.do = "answer: take the first proposal", answer
		c.enabled = func(m *model) bool { return m.need() != nil && len(m.need().Do) > 0 }
	case "hold":
		c.enabled = func(m *model) bool { return m.target(a) != "" && len(m.holding(a)) == 0 }
		c.do = func(m *model) []effect { return m.hold(a) }
	case "release":
		c.enabled = func(m *model) bool { return len(m.holding(a)) > 0 }
		c.do = func(m *model) []effect {
			return m.runVerb(append(append([]string{"comment"}, m.holding(a)...), "--", "Released.")...)
		}
	case "allow":
		c.enabled, c.do = func(m *model) bool { return m.Host.Has("allow") && allowCommand(m, false) != nil }, allow
	case "fine":
		c.name, c.do = "mark as fine", dismiss
		c.enabled = func(m *model) bool { return m.need() != nil || allowCommand(m, true) != nil }
	case "adopt":
		c.enabled, c.do = func(m *model) bool { return m.hasTodos() }, adopt
	case "undo":
		c.enabled, c.do = always, undo
	}
	return c
}

// views returns the commands that change the view.
func views() []command {
	return []command{
		{keys: []string{"enter"}, name: "open", enabled: always, do: open, foot: true},
		{keys: []string{"esc"}, name: "back", enabled: always, do: back},
		{keys: []string{"g"}, name: "view: graph, outline or board", enabled: onScreen(planScreen), do: nextView, foot: true},
		{keys: []string{"f"}, name: "focus: only its chain", enabled: onScreen(planScreen), do: focusChain, foot: true},
		{keys: []string{"z"}, name: "fold completed tasks", enabled: func(m *model) bool { return m.screen == planScreen && m.viewed() != asBoard }, do: toggleFold, foot: true},
		{keys: []string{"/"}, name: "find", enabled: always, do: find, foot: true},
		{keys: []string{":", "ctrl-k"}, name: "go to anything or run a verb", enabled: always, do: goTo, foot: true},
		{keys: []string{"G"}, name: "Go: start the controller", enabled: func(m *model) bool { return m.state != nil && !m.state.Live }, do: startController, foot: true},
		{keys: []string{"?"}, name: "keys", enabled: always, do: allKeys, foot: true},
		{keys: []string{"q", "ctrl-c"}, name: "quit", enabled: always, do: func(m *model) []effect { m.quit = true; return nil }, foot: true},
		{keys: []string{"ctrl-z"}, name: "suspend", enabled: always, do: func(m *model) []effect { m.suspend = true; return nil }},
		{keys: []string{"1"}, name: "Now", enabled: always, do: show(nowScreen)},
		{keys: []string{"2"}, name: "Plan", enabled: always, do: show(planScreen)},
		{keys: []string{"3"}, name: "Gate", enabled: always, do: show(gateScreen)},
		{keys: []string{"4"}, name: "Memory", enabled: always, do: show(memoryScreen)},
	}
}

// moves returns the commands that move the selection.
func moves() []command {
	by := func(k string) func(*model) []effect {
		return func(m *model) []effect { moveBy(&m.lists[m.focus], k); return m.moved() }
	}
	turn := func(by int) func(*model) []effect {
		return func(m *model) []effect { m.next(by); return m.moved() }
	}
	return []command{
		{keys: []string{"up", "k"}, name: "up", enabled: always, do: by("up")},
		{keys: []string{"down", "j"}, name: "down", enabled: always, do: by("down")},
		{keys: []string{"pgup"}, name: "a page up", enabled: always, do: by("pgup")},
		{keys: []string{"pgdn"}, name: "a page down", enabled: always, do: by("pgdn")},
		{keys: []string{"home"}, name: "first", enabled: always, do: by("home")},
		{keys: []string{"end"}, name: "last", enabled: always, do: by("end")},
		{keys: []string{"tab", "right", "l"}, name: "next part or pane", enabled: always, do: turn(1)},
		{keys: []string{"backtab", "left"}, name: "part or pane before", enabled: always, do: turn(-1)},
	}
}

// press runs the command of a key.
func (m *model) press(k string) []effect {
	if m.dialog != nil {
		return m.dialog.key(m, k)
	}
	m.message = ""
	for _, c := range m.commands {
		if slices.Contains(c.keys, k) && c.enabled(m) {
			return c.do(m)
		}
	}
	return nil
}

// possible returns the commands that are available now.
func (m *model) possible() (all []command) {
	for _, c := range m.commands {
		if c.enabled(m) {
			all = append(all, c)
		}
	}
	return all
}

// moved rebuilds the panes that depend on the selection.
func (m *model) moved() []effect {
	m.rebuild(callPane, memPane)
	if m.screen == memoryScreen && m.focus == memoryPane && !m.opened {
		about := m.subject()
		if about == "" || about == m.paneObject || m.loading {
			return nil
		}
		m.paneObject, m.detail, m.loading = about, nil, true
		return []effect{func() any {
			d, err := m.Host.Describe(m.ctx, about)
			return loaded{about, d, err}
		}}
	}
	return append(m.load(false), m.loadNext()...)
}

// click selects the row at a position, and opens it if it is selected already.
func (m *model) click(x, y int) []effect {
	if m.dialog != nil {
		return nil
	}
	if y == 0 {
		for i, end := range m.tabs() {
			if x < end {
				return show(i)(m)
			}
		}
		return nil
	}
	for _, p := range m.layout() {
		l := &m.lists[p.pane]
		at := l.top + y - p.y
		if x < p.x || x >= p.x+p.width || y < p.y || y >= p.y+p.height {
			continue
		}
		m.focus = p.pane
		if at >= 0 && at < len(l.rows) && l.rows[at].id != "" {
			if l.selected == at {
				return open(m)
			}
			l.selected = at
		}
		return m.moved()
	}
	return nil
}

// wheel scrolls the pane under the mouse.
func (m *model) wheel(x, y, by int) {
	switch d := m.dialog.(type) {
	case *pager:
		d.list.scroll(by)
		return
	case *confirming:
		d.list.scroll(by)
		return
	}
	for _, p := range m.layout() {
		if x >= p.x && x < p.x+p.width && y >= p.y && y < p.y+p.height {
			m.lists[p.pane].scroll(by)
		}
	}
}
