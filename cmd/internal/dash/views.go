package dash

import (
	"strings"
)

// show returns the action of a key that shows a screen.
func show(screen int) func(*model) []effect {
	return func(m *model) []effect {
		m.screen, m.opened = screen, false
		m.focus = m.layout()[0].pane
		m.focusVisible()
		m.selectTask("")
		return m.moved()
	}
}

// open opens the selected object: a plan on the screen of the plan, any other object in the pane
// for details.
func open(m *model) []effect {
	about := m.subject()
	if about == "" {
		return nil
	}
	if kind, name, _ := strings.Cut(about, "/"); kind == "workplan" {
		m.chosen = name
		return show(planScreen)(m)
	}
	changed := about != m.paneObject
	m.opened = true
	if m.focusVisible(); !changed {
		m.focus = taskPane
		return m.load(true)
	}
	m.paneObject, m.detail = about, nil
	m.lists[taskPane] = list{}
	m.focus = taskPane
	m.focusVisible()
	return m.load(true)
}

// back closes the details, removes the filter or the focused chain, or returns to the first
// screen, one step for each call.
func back(m *model) []effect {
	switch {
	case m.opened:
		m.opened = false
		m.focus = m.layout()[0].pane
		m.focusVisible()
		m.selectTask(m.taskOf(m.paneObject))
		return m.moved()
	case m.gateFilter != "" && m.screen == gateScreen:
		m.gateFilter = ""
	case m.filter != "" && m.screen == planScreen:
		m.filter = ""
	case m.chainTask != "" && m.screen == planScreen:
		m.chainTask = ""
	case m.screen != nowScreen:
		return show(nowScreen)(m)
	}
	m.focusVisible()
	return m.moved()
}

// toggleFold shows or hides the tasks that have ended.
func toggleFold(m *model) []effect {
	m.fold = !m.fold
	m.build()
	return nil
}

// focusChain shows only the chain of the selected task, or all tasks again.
func focusChain(m *model) []effect {
	if m.chainTask == "" {
		m.chainTask = m.taskOf(m.subject())
	} else {
		m.chainTask = ""
	}
	m.build()
	return nil
}

// find filters the plan or the denied calls. On the memory screen it searches.
func find(m *model) []effect {
	if m.screen == gateScreen {
		m.findCall()
		return nil
	}
	if m.screen == memoryScreen {
		m.dialog = &asking{title: "Search mems for:", then: func(text string) []effect { return m.showVerb("mem", "search", "--", text) }}
		return nil
	}
	d := &asking{title: "Only tasks with: words, area=web (a label), status.phase=blocked (empty: all)", optional: true}
	d.line.setText(m.filter)
	d.then = func(text string) []effect {
		m.filter = text
		if m.screen == nowScreen && !m.shows(planPane) {
			m.screen = planScreen
		}
		m.focus = planPane
		m.focusVisible()
		m.selectTask("")
		return m.moved()
	}
	m.dialog = d
	return nil
}

// findCall prompts for the words that filter the denied calls.
func (m *model) findCall() {
	d := &asking{title: "Only calls with these words, or fields as agent=NAME rule=NAME task=NAME (empty: all)", optional: true}
	d.line.setText(m.gateFilter)
	d.then = func(text string) []effect {
		m.gateFilter, m.focus = text, gatePane
		m.focusVisible()
		return m.moved()
	}
	m.dialog = d
}

// allKeys opens a window with the commands that are available now.
func allKeys(m *model) []effect {
	d := &menu{title: "KEYS", all: m.possible()}
	d.narrow()
	m.dialog = d
	return nil
}

// goTo prompts for an object or a verb.
func goTo(m *model) []effect {
	m.dialog = &asking{title: "Go to a task, plan or kind/name, or run a verb of idumb:", then: m.goText}
	return nil
}

// goText opens the object of a text, or runs it as a verb with arguments.
func (m *model) goText(text string) []effect {
	words := splitWords(text)
	if len(words) == 0 {
		return nil
	}
	if words[0] == "idumb" && len(words) > 1 {
		words = words[1:]
	}
	switch {
	case m.Host.Has(words[0]):
		return m.showVerb(words...)
	case len(words) > 1:
		m.say("there is no verb "+words[0], true)
		return nil
	}
	return m.jump(words[0])
}

// jump opens the object of a word: kind/name, a name, or a part of a task's name.
func (m *model) jump(word string) []effect {
	about := word
	if !strings.Contains(word, "/") && m.state != nil {
		about = ""
		for i := range m.state.Tasks {
			if name := m.state.Tasks[i].Name; name == word || about == "" && strings.Contains(name, word) {
				about = "task/" + name
			}
		}
		for i := range m.state.Plans {
			if m.state.Plans[i].Name == word {
				m.chosen = word
				return show(planScreen)(m)
			}
		}
	}
	if about == "" {
		m.say("there is no task, plan or verb "+word, true)
		return nil
	}
	m.paneObject, m.detail, m.opened, m.focus = about, nil, true, taskPane
	m.lists[taskPane] = list{}
	m.focusVisible()
	return m.load(true)
}

// splitWords splits a line into words, with quotes.
func splitWords(line string) (words []string) {
	var word strings.Builder
	var quote rune
	begun := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && r == ' ':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}
