package dash

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/needs"
)

// Screens.
const (
	nowScreen = iota
	planScreen
	gateScreen
	memoryScreen
	screens
)

// Panes: each screen shows some of them.
const (
	nowPane = iota
	planPane
	taskPane
	gatePane
	callPane // what is known of the call that is selected in gatePane
	memoryPane
	memPane   // and of the mem
	readyPane // the board, column by column
	activePane
	reviewPane
	donePane
	panes
)

// effect is something that takes time. What it returns is given to model.take.
type effect func() any

// model is all that is on the screen. It is changed by keys (press), by what comes (take), and drawn.
type model struct {
	Options
	ctx      context.Context
	commands []command
	state    *State // nil: nothing came yet

	screen int
	focus  int // a pane
	lists  [panes]list

	about   string                 // what the task's pane shows, as kind/name
	opened  bool                   // by the person: it stays, and takes the screen where that is narrow
	detail  *questions.Description // of about; nil while it is not there
	loading bool
	again   bool // about changed while something else was loaded

	dialog  dialog // nil: keys go to the screen
	message string // in the last line, until the next key
	failed  bool   // it is an error

	chosen string          // plan
	filter string          // of the plan
	view   int             // how the plan is shown, as the person chose it
	fold   bool            // what is done is not shown
	around string          // the task whose chain alone is shown; "": all
	fine   map[string]bool // needs that are fine as they are, by name and words

	gateFilter string                           // of the calls against the rules
	did        map[string]*resources.Checkpoint // what came after them, by their rows

	width, height int
	suspend       bool   // the terminal is wanted by the shell
	shell         func() // what has the terminal for itself next
	quit          bool
}

func newModel(ctx context.Context, o Options) *model {
	return &model{ctx: ctx, Options: o, commands: commands(acts.All()), fold: true, fine: map[string]bool{}, did: map[string]*resources.Checkpoint{}, width: 80, height: 24}
}

// loaded is what is known of an object.
type loaded struct {
	about  string
	detail *questions.Description
	err    error
}

// done is what came of a verb.
type done struct {
	verb, said string
	err        error
	read       bool // what it says is what was wanted
}

// take takes in what came.
func (m *model) take(v any) []effect {
	switch v := v.(type) {
	case State:
		m.state = &v
		m.build()
		return append(m.load(true), m.loadNext()...)
	case followed:
		if v.did != nil {
			m.did[v.id] = v.did
			m.rebuild(callPane)
		}
	case loaded:
		m.loading = false
		if v.about == m.about {
			m.detail = v.detail
			if v.err != nil {
				m.say(v.err.Error(), true)
			}
			m.rebuild(taskPane, memPane)
		}
		if m.again {
			return m.load(true)
		}
	case done:
		m.finish(v)
	case proposed:
		m.propose(v)
	}
	return nil
}

// finish tells what came of a verb: in the last line, or, where that is long, in a window.
func (m *model) finish(v done) {
	text := strings.TrimSpace(v.said)
	if v.err != nil {
		text = strings.TrimSpace(text + "\n" + v.err.Error())
	}
	if v.err != nil && len(text) > m.width-2 {
		text = terminal.Wrap(text, max(m.width-10, 20), "")
	}
	lines := strings.Split(text, "\n")
	if len(lines) > 1 && (v.read || v.err != nil) {
		m.say("", false)
		m.dialog = newPager("idumb "+v.verb, lines)
		return
	}
	m.say(cmp.Or(strings.Join(lines, "; "), v.verb+": done"), v.err != nil)
}

func (m *model) say(text string, failed bool) { m.message, m.failed = text, failed }

// load asks for what the task's pane shows, if that changed, or anew.
func (m *model) load(anew bool) []effect {
	about := m.wanted()
	if about == m.about && !anew {
		return nil
	}
	if about != m.about {
		m.about, m.detail = about, nil
		m.lists[taskPane] = list{}
		m.rebuild(taskPane)
	}
	if m.again = m.loading; m.again || about == "" || !m.shows(taskPane) {
		return nil
	}
	m.loading = true
	return []effect{func() any {
		d, err := m.Host.Describe(m.ctx, about)
		return loaded{about, d, err}
	}}
}

// wanted is what the task's pane is to show: what was opened, or else the task that is selected.
func (m *model) wanted() string {
	if m.opened || m.focus == taskPane {
		return m.about
	}
	if t := m.taskOf(m.subject()); t != "" {
		return "task/" + t
	}
	return m.about
}

// subject is the object that keys are about, as kind/name; "" for none.
func (m *model) subject() string {
	if m.focus == taskPane {
		return m.about
	}
	if r := m.lists[m.focus].current(); r != nil {
		return r.about
	}
	return ""
}

// taskOf is the task that is meant by an object: itself, or what a session works on; "" for none.
func (m *model) taskOf(about string) string {
	kind, name, _ := strings.Cut(about, "/")
	switch {
	case kind == "task":
		return name
	case kind == "session" && m.state != nil && m.state.session(name) != nil:
		return m.state.session(name).Task
	}
	return ""
}

// need is the one that is selected; nil for none.
func (m *model) need() *needs.Need {
	if r := m.lists[m.focus].current(); r != nil {
		return r.need
	}
	return nil
}

// build makes the rows of all panes that are in sight anew.
func (m *model) build() {
	if m.state == nil {
		return
	}
	for _, p := range m.layout() {
		m.lists[p.pane].set(m.rows(p.pane, p.width))
	}
}

// rebuild is build for some panes: a plan is large, and what is known of a task is not.
func (m *model) rebuild(panes ...int) {
	if m.state == nil {
		return
	}
	for _, p := range m.layout() {
		if slices.Contains(panes, p.pane) {
			m.lists[p.pane].set(m.rows(p.pane, p.width))
		}
	}
}

func (m *model) rows(pane, width int) []row {
	if n := m.state.untrusted(); n != nil {
		return trustRows(n)
	}
	switch pane {
	case nowPane:
		return m.nowRows(width)
	case planPane:
		return m.planRows(width)
	case taskPane:
		return m.taskRows(width)
	case gatePane:
		return m.gateRows()
	case callPane:
		return m.callRows(width)
	case memoryPane:
		return m.memoryRows()
	case readyPane, activePane, reviewPane, donePane:
		return m.columnRows(pane)
	}
	return m.memRows(width)
}

// now is the time that ages are counted to.
func (m *model) now() time.Time { return m.Options.Now() }
