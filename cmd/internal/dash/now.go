package dash

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// nowRows returns the rows of the first screen: the user's needs, the agents, the plan's progress
// and the events since the user's last look.
func (m *model) nowRows(width int) []row {
	rows := m.needRows(width)
	rows = append(rows, textRow(plain, ""))
	rows = append(rows, m.agentRows(width)...)
	rows = append(rows, m.todoRows()...)
	rows = append(rows, m.treeRows()...)
	if m.width < threePanes || m.screen != nowScreen {
		rows = append(rows, textRow(plain, ""))
		rows = append(rows, m.standingRows(width)...)
	}
	rows = append(rows, m.otherPlans()...)
	return append(append(rows, textRow(plain, "")), m.sinceRows()...)
}

// twoLines is the minimal width of a pane that shows a need on one line.
const twoLines = 60

// needRows returns the needs of the user, most urgent first.
func (m *model) needRows(width int) []row {
	var rows []row
	count := 0
	for i := range m.state.Needs {
		n := &m.state.Needs[i]
		if m.dismissed[n.Name+"\x00"+n.Text] {
			continue
		}
		count++
		sign := cell{" " + m.draw(n.Sign) + " ", signLook(n.Sign), 3}
		who := cell{n.Subject + ": ", strong, 0}
		r := row{id: "need/" + n.Name, object: n.Object, need: n, since: n.Since.Time}
		if width < twoLines {
			r.cells = []cell{sign, {n.Subject, strong, rest}}
			rows = append(rows, r, row{cells: []cell{{"   " + n.Text, plain, rest}}})
			continue
		}
		r.cells = []cell{sign, who, {n.Text, plain, rest}}
		if rows = append(rows, r); n.Why != "" && m.height > 28 {
			rows = append(rows, row{cells: []cell{{"     " + n.Why, quiet, rest}}})
		}
	}
	if len(rows) == 0 {
		next := ""
		if len(m.state.Next) > 0 {
			next = m.state.Next[0].Name
		}
		rows = []row{textRow(plain, "  "+attention.Nothing(next))}
	}
	named := func(n attention.Need) bool { return strings.Contains(n.Text, m.state.HiddenReason) }
	if m.state.HiddenReason != "" && !slices.ContainsFunc(m.state.Needs, named) {
		rows = append(rows, textRow(plain, "  Not all plans are visible here: "+m.state.HiddenReason), textRow(quiet, "     "+m.state.Follow))
	}
	return append([]row{heading("NEEDS YOU", strconv.Itoa(count))}, rows...)
}

// untrusted returns the need to trust the repository, nil if the user trusted it before.
func (s *State) untrusted() *attention.Need {
	for i := range s.Needs {
		if n := &s.Needs[i]; n.Rank == attention.Untrusted && n.Text == queries.NotTrusted {
			return n
		}
	}
	return nil
}

// draw returns a sign in the terminal's character set.
func (m *model) draw(s attention.Sign) string { return s.Draw(m.Unicode) }

// agentRows returns a row for each live session: its agent, work and health.
func (m *model) agentRows(width int) []row {
	rows := []row{heading("AGENTS", strconv.Itoa(len(m.state.Sessions)))}
	for i := range m.state.Sessions {
		t := &m.state.Sessions[i]
		sign := m.state.agentSign(t)
		r := row{id: "session/" + t.Name, object: "session/" + t.Name, since: t.LastSeenAt.Time}
		if t.LastCall != nil {
			r.since = t.LastCall.At.Time
		}
		mark, who, does := cell{" " + m.draw(sign) + " ", signLook(sign), 3}, cell{agent(t) + " ", strong, 17}, cell{activity(t), plain, rest}
		task := cell{cmp.Or(t.Task, "-") + " ", plain, 13}
		figures := cell{fmt.Sprintf(" %s %3d  t%-3d %5s", m.health(t.Health), t.Health, t.Turns, tokens(t.Tokens)), quiet, 0}
		if width >= twoLines {
			r.cells = []cell{mark, who, task, does, figures}
			rows = append(rows, r)
			continue
		}
		r.cells = []cell{mark, who, task}
		rows = append(rows, r, row{cells: []cell{{"   ", plain, 0}, does}}, row{cells: []cell{{"  ", plain, 0}, figures}})
	}
	if len(m.state.Sessions) == 0 {
		rows = append(rows, m.noAgentRows()...)
	}
	return rows
}

// noAgentRows returns the text without sessions: the agents with hooks, or how to install hooks.
func (m *model) noAgentRows() []row {
	whole, wrong := m.Host.Hooks()
	if len(whole)+len(wrong) == 0 {
		return []row{textRow(plain, "  No agent is at work. To hold one to the plan:"), textRow(plain, "  idumb hook install claude | opencode | codex | copilot | gemini")}
	}
	rows := []row{textRow(plain, "  No agent is at work.")}
	if len(whole) > 0 {
		rows = []row{textRow(plain, "  No agent is at work. Held to the plan once they are: "+strings.Join(whole, ", "))}
	}
	for _, what := range wrong {
		rows = append(rows, textRow(waiting, "  "+what))
	}
	return rows
}

// maxTodosLeft is the maximal number of open items of a list, besides the current one.
const maxTodosLeft = 2

// todoRows returns the to-do lists of agents in all worktrees: the current item, and what is left.
func (m *model) todoRows() (rows []row) {
	if len(m.state.Todos) > 0 {
		rows = []row{textRow(plain, ""), heading("TO-DO LISTS", strconv.Itoa(len(m.state.Todos)))}
	}
	for i := range m.state.Todos {
		t := &m.state.Todos[i]
		r := row{id: "todo/" + t.Metadata.Name, since: t.Status.UpdatedAt.Time, cells: []cell{{"   " + t.Status.Agent + " ", strong, 0}, {t.Status.Summary, plain, rest}}}
		if t.Status.Worktree == "" {
			r.object = "session/" + t.Metadata.Name
		}
		rows = append(rows, r)
		left := 0
		for _, item := range slices.Concat(t.Status.Items, t.Status.Steps) {
			switch {
			case item.State == resources.TodoActive:
				rows = append(rows, textRow(working, "     > "+item.Text))
			case item.IsOpen() && left < maxTodosLeft:
				left++
				rows = append(rows, textRow(plain, "     - "+item.Text))
			}
		}
	}
	return rows
}

// maxTreeNeeds is the maximal number of needs of another worktree.
const maxTreeNeeds = 2

// treeRows returns the repository's other worktrees with a running controller, their first needs
// and the command to go there.
func (m *model) treeRows() (rows []row) {
	if len(m.state.Trees) > 0 {
		rows = []row{textRow(plain, ""), heading("OTHER WORKTREES", strconv.Itoa(len(m.state.Trees)))}
	}
	for i := range m.state.Trees {
		t := &m.state.Trees[i]
		rows = append(rows, row{id: "tree/" + t.Root, cells: []cell{{"   " + t.Name + ": ", strong, 0}, {t.Summary(), plain, rest}}})
		for _, n := range firstOf(t.Needs, maxTreeNeeds) {
			rows = append(rows, row{since: n.Since.Time, cells: []cell{{"     " + m.draw(n.Sign) + " ", signLook(n.Sign), 7}, {n.Subject + ": " + n.Text, plain, rest}}})
		}
		if len(t.Needs) > 0 {
			rows = append(rows, textRow(quiet, "     idumb -C "+t.Root+" dash"))
		}
	}
	return rows
}

// activity describes a session's activity in a few words.
func activity(t *queries.Top) string {
	switch {
	case t.WaitsFor == resources.WaitsForInput:
		return "waits for your prompt"
	case t.WaitsFor != "":
		return "waits for you: " + t.WaitsFor
	case t.LastCall != nil:
		return strings.TrimSpace(t.LastCall.Tool + " " + t.LastCall.Target)
	}
	return "-"
}

// health draws a session's health as five blocks.
func (m *model) health(percent int) string {
	full, empty := "▰", "▱"
	if !m.Unicode {
		full, empty = "#", "."
	}
	n := min(max((percent+10)/20, 0), 5)
	return strings.Repeat(full, n) + strings.Repeat(empty, 5-n)
}

// tokens formats the size of a conversation, "-" if its host does not report it.
func tokens(n int) string {
	switch {
	case n <= 0:
		return "-"
	case n < 1000:
		return strconv.Itoa(n)
	}
	return strconv.Itoa(n/1000) + "k"
}

// standingRows returns the plan in three lines: its progress, a sign for each task, and the next
// task.
func (m *model) standingRows(width int) []row {
	p := m.state.plan(m.chosen)
	if p == nil {
		return []row{
			heading("PLAN", ""), textRow(plain, "  There is no plan yet. To make one:"),
			textRow(plain, `  idumb create workplan site --title "A site" --accept "It is up" --state active`),
			textRow(plain, `  idumb create task first --plan site --title "Begin" --expect "It has begun"`),
		}
	}
	active := p.ByPhase[resources.TaskActive]
	r := row{id: "workplan/" + p.Name, object: "workplan/" + p.Name, right: fmt.Sprintf("%d/%d done  %d active", p.ByPhase[resources.TaskCompleted], p.Total, active)}
	r.cells = []cell{{"PLAN ", strong, 0}, {p.Name, strong, 0}, {"  " + p.Title, plain, rest}}
	rows := append([]row{r}, m.stageRows(p.Name, width)...)
	next := "no task is ready"
	if len(m.state.Next) > 0 {
		next = m.draw(attention.SignReady) + " " + m.state.Next[0].Name + " (" + m.state.Next[0].Plan + ")"
	}
	last := row{cells: []cell{{"  next   ", quiet, 0}, {next, plain, rest}}}
	if n := len(m.state.layoutOf(p.Name).critical); n > 0 {
		last.right = "critical path " + strconv.Itoa(n)
	}
	return append(rows, last)
}

// otherPlans returns the active plans except the shown one.
func (m *model) otherPlans() (rows []row) {
	shown := m.state.plan(m.chosen)
	for i := range m.state.Plans {
		p := &m.state.Plans[i]
		if p == shown {
			continue
		}
		rows = append(rows, row{
			id: "workplan/" + p.Name, object: "workplan/" + p.Name, right: fmt.Sprintf("%d/%d done", p.ByPhase[resources.TaskCompleted], p.Total),
			cells: []cell{{"PLAN ", quiet, 0}, {p.Name, strong, 0}, {"  " + p.Title, plain, rest}},
		})
	}
	return rows
}

// stageRows returns a sign for each task of a plan, by stage.
func (m *model) stageRows(plan string, width int) []row {
	var names []string
	signs := map[string][]attention.Sign{}
	for _, t := range m.state.layoutOf(plan).tasks {
		if signs[t.Stage] == nil {
			names = append(names, t.Stage)
		}
		signs[t.Stage] = append(signs[t.Stage], m.state.sign(t))
	}
	var rows []row
	r, taken := row{}, 0
	for _, name := range names {
		label := cmp.Or(name, "tasks")
		if need := len(label) + len(signs[name]) + 4; taken > 0 && taken+need > width-2 {
			rows, r, taken = append(rows, r), row{}, 0
		}
		r.cells = append(r.cells, cell{"  " + label + " ", quiet, 0})
		for _, s := range firstOf(signs[name], max(width-len(label)-6, 1)) {
			r.cells = append(r.cells, cell{m.draw(s), signLook(s), 1})
		}
		taken += len(label) + len(signs[name]) + 4
	}
	if taken > 0 {
		rows = append(rows, r)
	}
	return rows
}

// firstOf returns at most most elements from the beginning.
func firstOf[T any](all []T, most int) []T { return all[:min(len(all), most)] }

// maxEvents is the maximal number of events.
const maxEvents = 100

// sinceRows returns the events since the user's last look, newest first.
func (m *model) sinceRows() []row {
	title, note := "SINCE YOU LOOKED", age(m.LookedAt, m.now())
	if m.LookedAt.IsZero() {
		title, note = "LATELY", ""
	}
	var rows []row
	for i := len(m.state.Events) - 1; i >= 0 && len(rows) < maxEvents; i-- {
		e := &m.state.Events[i]
		if !e.Time.After(m.LookedAt) {
			continue
		}
		sign := eventSign(e)
		rows = append(rows, row{
			id: fmt.Sprintf("event/%d/%s/%s", e.Time.UnixNano(), e.Object, e.Reason), object: e.Object, since: e.Time.Time,
			cells: []cell{{" " + m.draw(sign) + " ", signLook(sign), 3}, {strings.TrimPrefix(e.Object, "task/") + " ", strong, 0}, {e.Message, plain, rest}},
		})
	}
	if len(rows) == 0 {
		rows = []row{textRow(quiet, "  nothing")}
	}
	return append([]row{heading(title, note)}, rows...)
}

func eventSign(e *resources.Event) attention.Sign {
	switch {
	case e.Violation != nil:
		return attention.SignWaits
	case e.Type == resources.Warning:
		return attention.SignFailed
	case e.Reason == "Completed":
		return attention.SignDone
	}
	return attention.SignActive
}
