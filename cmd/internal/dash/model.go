package dash

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// Screens.
const (
	nowScreen = iota
	planScreen
	gateScreen
	memoryScreen
	screens
)

// Panes. Each screen shows some of them.
const (
	nowPane = iota
	planPane
	taskPane
	gatePane
	callPane // details of the call that is selected in gatePane
	memoryPane
	memPane   // details of the selected mem
	readyPane // first column of the board
	activePane
	reviewPane
	donePane
	panes
)

// effect is a slow operation. Its result is passed to model.take.
type effect func() any

// model is the state of the screen. It is changed by keys (press) and results (take).
type model struct {
	Options
	ctx      context.Context
	commands []command
	state    *State // nil before the first state

	screen int
	focus  int // pane with the focus
	lists  [panes]list

	paneObject    string               // object of the task's pane, as kind/name
	opened        bool                 // opened by the user: it stays open, and fills a narrow screen
	detail        *queries.Description // details of paneObject; nil until loaded
	loading       bool
	reloadPending bool // paneObject changed while another object was loaded

	dialog  dialog // nil means that keys go to the screen
	message string // shown in the last line until the next key
	failed  bool   // the message is an error

	chosen    string          // selected plan
	filter    string          // filter of the plan
	view      int             // view of the plan that the user selected
	fold      bool            // hide done tasks
	chainTask string          // task that limits the plan to its chain; empty means all tasks
	dismissed map[string]bool // needs that the user dismissed, by name and text

	gateFilter      string                           // filter of the denied calls
	nextCheckpoints map[string]*resources.Checkpoint // checkpoints after denied calls, by their row

	width, height int
	suspend       bool   // Ctrl-Z was pressed
	shell         func() // next function that uses the terminal
	quit          bool
}

// newModel returns the screen before the first state, 80 columns by 24 rows.
func newModel(ctx context.Context, o Options) *model {
	return &model{ctx: ctx, Options: o, commands: commands(acts.All()), fold: true, dismissed: map[string]bool{}, nextCheckpoints: map[string]*resources.Checkpoint{}, width: 80, height: 24}
}

// loaded is the details of an object.
type loaded struct {
	object string
	detail *queries.Description
	err    error
}

// done is the result of a verb.
type done struct {
	verb, output string
	err          error
	wantsOutput  bool // the user requested the output
}

// take processes a new state or the result of an effect.
func (m *model) take(v any) []effect {
	switch v := v.(type) {
	case State:
		m.state = &v
		m.build()
		return append(m.load(true), m.loadNext()...)
	case followed:
		if v.did != nil {
			m.nextCheckpoints[v.id] = v.did
			m.rebuild(callPane)
		}
	case loaded:
		m.loading = false
		if v.object == m.paneObject {
			m.detail = v.detail
			if v.err != nil {
				m.say(v.err.Error(), true)
			}
			m.rebuild(taskPane, memPane)
		}
		if m.reloadPending {
			return m.load(true)
		}
	case done:
		m.finish(v)
	case proposed:
		p := newPager("idumb "+strings.Join(v.args, " "), hardWrap(strings.TrimSpace(v.output), max(m.width-10, 20)))
		p.foot = "Enter does it   Esc does nothing"
		m.dialog = &confirming{*p, func() []effect { return m.runVerb(v.args...) }}
	}
	return nil
}

// finish shows the result of a verb: in the last line, or in a window if it is long.
func (m *model) finish(v done) {
	text := strings.TrimSpace(v.output)
	if v.err != nil {
		text = strings.TrimSpace(text + "\n" + v.err.Error())
	}
	if v.err != nil && len(text) > m.width-2 {
		text = terminal.Wrap(text, max(m.width-10, 20), "")
	}
	lines := strings.Split(text, "\n")
	if len(lines) > 1 && (v.wantsOutput || v.err != nil) {
		m.say("", false)
		m.dialog = newPager("idumb "+v.verb, lines)
		return
	}
	m.say(cmp.Or(strings.Join(lines, "; "), v.verb+": done"), v.err != nil)
}

// say shows a text in the last line, as an error if failed is true.
func (m *model) say(text string, failed bool) { m.message, m.failed = text, failed }

// load loads the object of the task's pane if it changed, or if anew is true.
func (m *model) load(anew bool) []effect {
	about := m.wanted()
	if about == m.paneObject && !anew {
		return nil
	}
	if about != m.paneObject {
		m.paneObject, m.detail = about, nil
		m.lists[taskPane] = list{}
		m.rebuild(taskPane)
	}
	if m.reloadPending = m.loading; m.reloadPending || about == "" || !m.shows(taskPane) {
		return nil
	}
	m.loading = true
	return []effect{func() any {
		d, err := m.Host.Describe(m.ctx, about)
		return loaded{about, d, err}
	}}
}

// wanted returns the object for the task's pane: the opened object, otherwise the selected task.
func (m *model) wanted() string {
	if m.opened || m.focus == taskPane {
		return m.paneObject
	}
	if t := m.taskOf(m.subject()); t != "" {
		return "task/" + t
	}
	return m.paneObject
}

// subject returns the object that keys act on, as kind/name, empty for none.
func (m *model) subject() string {
	if m.focus == taskPane {
		return m.paneObject
	}
	if r := m.lists[m.focus].current(); r != nil {
		return r.object
	}
	return ""
}

// taskOf returns the task of an object: the task itself, or a session's task, empty for none.
func (m *model) taskOf(about string) string {
	switch kind, name, _ := strings.Cut(about, "/"); {
	case kind == "task":
		return name
	case kind == "session" && m.state != nil && m.state.session(name) != nil:
		return m.state.session(name).Task
	}
	return ""
}

// need returns the selected need, nil for none.
func (m *model) need() *attention.Need {
	if r := m.lists[m.focus].current(); r != nil {
		return r.need
	}
	return nil
}

// build rebuilds the rows of all visible panes.
func (m *model) build() {
	if m.state == nil {
		return
	}
	for _, p := range m.layout() {
		m.lists[p.pane].set(m.rows(p.pane, p.width))
	}
}

// rebuild rebuilds the rows of some panes, because a plan is large and a task's details are small.
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

// rows returns the rows of a pane. While the repository is untrusted, each pane shows how to trust
// it.
func (m *model) rows(pane, width int) []row {
	if n := m.state.untrusted(); n != nil {
		return []row{
			heading("NEEDS YOU", "1"),
			{id: "need/" + n.Name, need: n, cells: []cell{{"   This repository's .idumb is not trusted. Review it first:", strong, rest}}},
			textRow(plain, "   idumb trust --dry-run"),
		}
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

// now returns the time from which ages are computed.
func (m *model) now() time.Time { return m.Options.Now() }
