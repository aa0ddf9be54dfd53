package dash

import (
	"slices"
	"strings"
)

// command is something that a key does.
type command struct {
	keys []string
	name string // in a few words: in the footer and the list of all keys
	when func(*model) bool
	do   func(*model) []effect
	foot bool // it is worth a place in the last line
}

// always is when a command can always be given.
func always(*model) bool { return true }

// onTask is when a task is selected, or somebody who works on one.
func onTask(m *model) bool { return m.state != nil && m.taskOf(m.subject()) != "" }

// mayStart is onTask, for a task that nobody else works on.
func mayStart(m *model) bool { return onTask(m) && m.state.Taken[m.taskOf(m.subject())] == "" }

// onKind is when an object of a kind is selected.
func onKind(kind string) func(*model) bool {
	return func(m *model) bool { return m.state != nil && strings.HasPrefix(m.subject(), kind+"/") }
}

// on is when one screen is shown.
func on(screen int) func(*model) bool { return func(m *model) bool { return m.screen == screen } }

// commands is the one table of keys.
func commands() []command {
	return slices.Concat([]command{
		{keys: []string{"a"}, name: "answer: what is proposed first", when: func(m *model) bool { return m.need() != nil && len(m.need().Do) > 0 }, do: answer, foot: true},
		{keys: []string{"c"}, name: "comment", when: func(m *model) bool { return commented(m) != "" }, do: comment, foot: true},
		{keys: []string{"y"}, name: "allow once", when: func(m *model) bool { return m.Host.Has("allow") && allowing(m, false) != nil }, do: allow, foot: true},
		{keys: []string{"n"}, name: "fine as it is", when: func(m *model) bool { return m.need() != nil || allowing(m, true) != nil }, do: fineAsItIs},
		{keys: []string{"s"}, name: "start", when: mayStart, do: start, foot: true},
		{keys: []string{"r"}, name: "review: hand in", when: onTask, do: handIn},
		{keys: []string{"C"}, name: "complete", when: onTask, do: complete, foot: true},
		{keys: []string{"x"}, name: "abandon", when: onTask, do: abandon},
		{keys: []string{"p"}, name: "priority", when: onTask, do: priority},
		{keys: []string{"A"}, name: "assign", when: onTask, do: assign},
		{keys: []string{"i"}, name: "intent: work on this", when: func(m *model) bool { return onTask(m) || onKind("workplan")(m) }, do: intent},
		{keys: []string{"h"}, name: "hold or release", when: onTask, do: hold},
		{keys: []string{"R"}, name: "recall", when: onKind("delegation"), do: recall},
		{keys: []string{"t"}, name: "true still", when: onKind("mem"), do: confirm, foot: true},
		{keys: []string{"S"}, name: "supersede", when: onKind("mem"), do: supersede, foot: true},
		{keys: []string{"e"}, name: "edit in $EDITOR", when: func(m *model) bool { return m.subject() != "" }, do: edit},
		{keys: []string{"J"}, name: "JSON of it", when: func(m *model) bool { return m.subject() != "" }, do: raw},
		{keys: []string{"u"}, name: "undo the last change", when: always, do: undo},
	}, views(), moves())
}

// views are the commands that change what is shown.
func views() []command {
	return []command{
		{keys: []string{"enter"}, name: "open", when: always, do: open, foot: true},
		{keys: []string{"esc"}, name: "back", when: always, do: back},
		{keys: []string{"g"}, name: "view: graph, outline or board", when: on(planScreen), do: nextView, foot: true},
		{keys: []string{"f"}, name: "focus: only its chain", when: on(planScreen), do: focusChain, foot: true},
		{keys: []string{"z"}, name: "fold what is done", when: func(m *model) bool { return m.screen == planScreen && m.viewed() != asBoard }, do: toggleFold, foot: true},
		{keys: []string{"/"}, name: "find", when: always, do: find, foot: true},
		{keys: []string{":", "ctrl-k"}, name: "go to anything or run a verb", when: always, do: goTo, foot: true},
		{keys: []string{"G"}, name: "Go: start the controller", when: func(m *model) bool { return m.state != nil && !m.state.Live }, do: startController, foot: true},
		{keys: []string{"?"}, name: "keys", when: always, do: allKeys, foot: true},
		{keys: []string{"q", "ctrl-c"}, name: "quit", when: always, do: func(m *model) []effect { m.quit = true; return nil }, foot: true},
		{keys: []string{"ctrl-z"}, name: "suspend", when: always, do: func(m *model) []effect { m.suspend = true; return nil }},
		{keys: []string{"1"}, name: "Now", when: always, do: show(nowScreen)},
		{keys: []string{"2"}, name: "Plan", when: always, do: show(planScreen)},
		{keys: []string{"3"}, name: "Gate", when: always, do: show(gateScreen)},
		{keys: []string{"4"}, name: "Memory", when: always, do: show(memoryScreen)},
	}
}

// moves are the commands that move.
func moves() []command {
	by := func(k string) func(*model) []effect {
		return func(m *model) []effect { moveBy(&m.lists[m.focus], k); return m.moved() }
	}
	turn := func(by int) func(*model) []effect {
		return func(m *model) []effect { m.next(by); return m.moved() }
	}
	return []command{
		{keys: []string{"up", "k"}, name: "up", when: always, do: by("up")},
		{keys: []string{"down", "j"}, name: "down", when: always, do: by("down")},
		{keys: []string{"pgup"}, name: "a page up", when: always, do: by("pgup")},
		{keys: []string{"pgdn"}, name: "a page down", when: always, do: by("pgdn")},
		{keys: []string{"home"}, name: "first", when: always, do: by("home")},
		{keys: []string{"end"}, name: "last", when: always, do: by("end")},
		{keys: []string{"tab", "right", "l"}, name: "next part or pane", when: always, do: turn(1)},
		{keys: []string{"backtab", "left"}, name: "part or pane before", when: always, do: turn(-1)},
	}
}

// press does what a key is for.
func (m *model) press(k string) []effect {
	if m.dialog != nil {
		return m.dialog.key(m, k)
	}
	m.message = ""
	for _, c := range commands() {
		if slices.Contains(c.keys, k) && c.when(m) {
			return c.do(m)
		}
	}
	return nil
}

// possible are the commands that can be given now.
func (m *model) possible() (all []command) {
	for _, c := range commands() {
		if c.when(m) {
			all = append(all, c)
		}
	}
	return all
}

// moved rebuilds what depends on the selection.
func (m *model) moved() []effect {
	m.rebuild(callPane, memPane)
	if m.screen == memoryScreen && m.focus == memoryPane && !m.opened {
		return m.loadMem()
	}
	return append(m.load(false), m.loadNext()...)
}

// loadMem asks for the mem that is selected.
func (m *model) loadMem() []effect {
	about := m.subject()
	if about == "" || about == m.about || m.loading {
		return nil
	}
	m.about, m.detail, m.loading = about, nil, true
	return []effect{func() any {
		d, err := m.Host.Describe(m.ctx, about)
		return loaded{about, d, err}
	}}
}

// click selects what is at a place; it is where the mouse is as well as where a key went.
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

// wheel scrolls what is under the mouse.
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
