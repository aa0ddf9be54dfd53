package dash

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/attention"
	"github.com/idumb-dev/idumb/resources/graphlayout"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// planLayout is the layout of a plan.
type planLayout struct {
	tasks    []*queries.DashTask // in topological order, then by name
	critical map[string]bool     // tasks on the longest remaining path
}

// layoutOf returns the layout of a plan. It is computed once for each state.
func (s *State) layoutOf(plan string) *planLayout {
	if l := s.plans[plan]; l != nil {
		return l
	}
	l := &planLayout{critical: map[string]bool{}}
	rank, critical := graphlayout.Ranks(s.graphTasks(plan))
	for _, name := range critical {
		l.critical[name] = true
	}
	for i := range s.Tasks {
		if s.Tasks[i].Plan == plan {
			l.tasks = append(l.tasks, &s.Tasks[i])
		}
	}
	slices.SortStableFunc(l.tasks, func(a, b *queries.DashTask) int { return cmp.Compare(rank[a.Name], rank[b.Name]) })
	if s.plans == nil {
		s.plans = map[string]*planLayout{}
	}
	s.plans[plan] = l
	return l
}

// planRows returns the rows of the plan: its tasks as lanes or as an outline.
func (m *model) planRows(width int) []row {
	p := m.state.plan(m.chosen)
	if p == nil {
		return m.standingRows(width)
	}
	first := m.standingRows(width)[0]
	first.id, first.object = "", "" // keys act on tasks in this pane
	rows := []row{first, textRow(plain, "")}
	if m.filter != "" {
		rows = append(rows, textRow(quiet, "  only: "+m.filter+"   Esc shows all"))
	}
	if m.chainTask != "" {
		rows = append(rows, textRow(quiet, "  only what leads to and from "+m.chainTask+"   f shows all"))
	}
	if m.viewed() == asOutline {
		return append(rows, m.outlineRows(p.Name)...)
	}
	return append(rows, m.laneRows(p.Name, width)...)
}

// isVisible reports whether a task is visible with the current filter and folding.
func (m *model) isVisible(t *queries.DashTask, chain map[string]bool) bool {
	return (!m.fold || !isEnded(t) || m.filter != "") && m.matchesFilter(t, chain)
}

// matchesFilter reports whether a task matches the filter and the focused chain.
func (m *model) matchesFilter(t *queries.DashTask, chain map[string]bool) bool {
	if chain != nil && !chain[t.Name] {
		return false
	}
	for word := range strings.FieldsSeq(m.filter) {
		if !matches(t, word) {
			return false
		}
	}
	return true
}

// matches reports whether the shown text of a task contains a word, or its fields or labels match
// the word as a selector: area=web.
func matches(t *queries.DashTask, word string) bool {
	if name, _, is := strings.Cut(word, "="); is && !isField(name) {
		labels, err := selectors.ParseLabels(word)
		return err == nil && labels.Matches(t.Labels)
	}
	return matchesWord(word, selectorFields(t), t.Name, t.Title, t.Phase, t.Stage, t.Priority, t.Holder)
}

// isField reports whether a name is a field of an object, not a label.
func isField(name string) bool {
	first, _, deeper := strings.Cut(name, ".")
	return deeper && (first == "metadata" || first == "spec" || first == "status")
}

// matchesWord reports whether one of the texts contains a word. A word with = is a field selector for the
// object, as in --field-selector.
func matchesWord(word string, object any, texts ...string) bool {
	if strings.Contains(word, "=") {
		fields, err := selectors.ParseFields(word)
		return err == nil && fields.Matches(object)
	}
	return strings.Contains(strings.ToLower(strings.Join(texts, "\x00")), strings.ToLower(word))
}

// selectorFields returns the known fields of a task under their names in its file.
func selectorFields(t *queries.DashTask) any {
	return map[string]any{
		"metadata": map[string]any{"name": t.Name, "labels": t.Labels},
		"spec":     map[string]any{"workPlan": t.Plan, "title": t.Title, "phase": t.Stage, "priority": t.Priority},
		"status":   map[string]any{"phase": t.Phase, "ready": t.Ready, "blockedBy": t.Waits},
	}
}

// chainNames returns the names of the tasks in the focused chain, nil for all tasks.
func (m *model) chainNames() map[string]bool {
	if m.chainTask == "" {
		return nil
	}
	return m.state.chain(m.chainTask)
}

// outlineRows returns the tasks of a plan by stage, in plan order.
func (m *model) outlineRows(plan string) (rows []row) {
	chain, stage, hidden := m.chainNames(), "\x00", 0
	for _, t := range m.byStage(plan) {
		if !m.isVisible(t, chain) {
			hidden++
			continue
		}
		if t.Stage != stage {
			stage = t.Stage
			rows = append(rows, textRow(quiet, " "+cmp.Or(stage, "tasks")))
		}
		sign := m.state.sign(t)
		rows = append(rows, row{
			id: "task/" + t.Name, object: "task/" + t.Name, right: m.taskState(t),
			cells: []cell{{"   " + m.draw(sign) + " ", signLook(sign), 5}, {t.Title, plain, rest}},
		})
	}
	return append(rows, m.hiddenRow(hidden)...)
}

// byStage returns the tasks of a plan in plan order, grouped by stage.
func (m *model) byStage(plan string) []*queries.DashTask {
	tasks, first := slices.Clone(m.state.layoutOf(plan).tasks), map[string]int{}
	for i, t := range tasks {
		if _, known := first[t.Stage]; !known {
			first[t.Stage] = i
		}
	}
	slices.SortStableFunc(tasks, func(a, b *queries.DashTask) int { return cmp.Compare(first[a.Stage], first[b.Stage]) })
	return tasks
}

// hiddenRow returns a row with the number of hidden tasks.
func (m *model) hiddenRow(n int) []row {
	switch {
	case n == 0:
		return nil
	case m.filter != "" || m.chainTask != "":
		return []row{textRow(quiet, fmt.Sprintf("   %d others", n))}
	}
	return []row{textRow(quiet, fmt.Sprintf("   %d done: z shows them", n))}
}

// taskState describes a task's worker or dependencies in a few words.
func (m *model) taskState(t *queries.DashTask) string {
	switch {
	case m.state.worker(t) != "":
		return m.state.worker(t)
	case isEnded(t):
		return ""
	case len(t.Waits) == 1:
		return "needs " + firstRunes(t.Waits[0], 16)
	case len(t.Waits) > 1:
		return fmt.Sprintf("waits for %d", len(t.Waits))
	case t.Ready:
		return "ready"
	}
	return t.Phase
}

// laneRows returns the open tasks, a row each, with lines for open dependencies.
func (m *model) laneRows(plan string, width int) (rows []row) {
	chain, hidden, critical := m.chainNames(), 0, m.state.layoutOf(plan).critical
	var tasks []graphlayout.Task
	for _, t := range m.state.graphTasks(plan) {
		if d := m.state.task(t.Name); m.isVisible(d, chain) || isEnded(d) {
			tasks = append(tasks, t)
		} else {
			hidden++
		}
	}
	drawn, left := graphlayout.Lanes(tasks, m.selectedTask(), !m.Unicode)
	lanes := 0
	for _, r := range drawn {
		lanes = max(lanes, len([]rune(r.Prefix))+len([]rune(r.Tail))+2)
	}
	lanes = min(lanes, max(width/2, 8))
	for _, r := range drawn {
		t := m.state.task(r.Task.Name)
		sign := m.state.sign(t)
		titleLook := plain
		if critical[t.Name] { // on the longest remaining path
			titleLook = strong
		}
		taken := len([]rune(r.Prefix)) + 1 + len([]rune(r.Tail))
		rows = append(rows, row{
			id: "task/" + t.Name, object: "task/" + t.Name, right: m.taskState(t),
			cells: []cell{{" ", plain, 1}, {r.Prefix, quiet, 0}, {m.draw(sign), signLook(sign), 1}, {r.Tail, quiet, 0}, {"", plain, max(lanes-taken, 1)}, {t.Title, titleLook, rest}},
		})
	}
	if over := m.doneRow(plan); over != nil && m.filter == "" {
		rows = append([]row{*over}, rows...)
	}
	if len(drawn) == 0 {
		rows = append(rows, textRow(quiet, "   no tasks to show"))
	}
	if left > 0 {
		rows = append(rows, textRow(quiet, fmt.Sprintf("   +%d more: too many lines; select a task to see its chain, or g for the outline", left)))
	}
	return append(rows, m.hiddenRow(hidden)...)
}

// doneRow returns one row with the done tasks, nil if none exists.
func (m *model) doneRow(plan string) *row {
	var names []string
	for _, t := range m.state.layoutOf(plan).tasks {
		if isEnded(t) {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	r := textRow(quiet, fmt.Sprintf(" %s  %d done:  %s", m.draw(attention.SignDone), len(names), strings.Join(firstOf(names, 10), " ")))
	return &r
}

// selectedTask returns the task that is selected in the plan, empty for none.
func (m *model) selectedTask() string {
	if r := m.lists[planPane].current(); r != nil {
		return m.taskOf(r.object)
	}
	return ""
}
