package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/tools"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// Limits of the parts of the status: together they fit a screen.
const (
	maxPlans   = 3
	maxWorking = 5
	maxNeeds   = 5
	maxDenied  = 3
	maxNext    = 3
	maxTrees   = 5
	maxTodos   = 5
	// maxTodoItems is the maximum number of open items that are shown of a list.
	maxTodoItems = 5
	maxTitle     = 60 // in characters
)

// statusDocument is the status in the form of -o json.
type statusDocument struct {
	queries.Overview
	Denied []queries.Violation `json:"denied"`          // of the last 24 hours, newest first
	Trees  []serve.Tree        `json:"trees,omitempty"` // other working trees of the repository with a running controller
	// Unsynced is a notice that the team's plans are not exchanged, because no controller is running. It may be empty.
	Unsynced string `json:"unsynced,omitempty"`
}

func newStatus(a *app) *cobra.Command {
	return a.newPrinted("status", a.status, "json", "yaml", "jsonpath=")
}

// status runs idumb status: it prints plans, active tasks, needs of the user, recent denials and
// next tasks.
func (a *app) status(ctx context.Context, p *printers.Printer) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	a.recordEvidence(ctx)
	overview, err := ask[queries.Overview](a.answers(ctx), queries.AskOverview, a.readerValues())
	if err != nil {
		return err
	}
	s := statusDocument{overview, append([]queries.Violation{}, a.violationsOf(root, &getFlags{since: duration(records.Recent)})...), serve.Trees(ctx, root), a.unsynced(ctx, root)}
	slices.Reverse(s.Denied)
	if len(s.Plans) == 1 {
		s.Plans[0].Focus = false // obvious
	}
	if !p.Format.Table() {
		return p.PrintValue(a.stdout, s)
	}
	a.tellStatus(&s)
	return nil
}

// unsynced returns a notice with the time of the last exchange with the team, if this clone shares plans and no
// controller is running. Otherwise it returns "".
func (a *app) unsynced(ctx context.Context, root layout.Root) string {
	if !planvisibility.Look(root, os.Getenv).Followed || tools.TeamNote(ctx, root) == "" {
		return ""
	}
	last := "never"
	if notes := sync.ReadNotes(sync.Folder(layout.CommonDir(layout.GitDir(string(root))))); !notes.Last.IsZero() {
		last = queries.Age(notes.Last.Time, a.now()) + " ago"
	}
	return "Last exchange with the team: " + last + ". No controller is running in this clone, so nothing is sent or received: idumb up starts one, idumb sync now exchanges once"
}

// recordEvidence records evidence of active tasks that is not in a log yet. If it cannot write, as in
// a read-only checkout, the evidence is not shown.
func (a *app) recordEvidence(ctx context.Context) {
	active, err := a.tasksFound(ctx, queries.Find{Kinds: []string{resources.Tasks}, Fields: "spec.state=" + resources.TaskActive})
	if err != nil || !slices.ContainsFunc(active, mutate.AsksForFiles) {
		return
	}
	repo, err := a.writer(&writeFlags{dryRun: "none"})
	if err != nil {
		return
	}
	for _, t := range active {
		if mutate.AsksForFiles(t) {
			repo.Look(ctx, t.Metadata.Name)
		}
	}
}

// tellStatus prints the document of idumb status as text, one part after the other.
func (a *app) tellStatus(s *statusDocument) {
	if s.Mode != resources.DefaultConfig().Mode {
		a.outf("mode %s: calls are not denied\n\n", s.Mode)
	}
	if s.HiddenReason != "" {
		a.outf("Not all plans are visible here: %s (%s)\n\n", s.HiddenReason, s.Follow)
	}
	if s.Unsynced != "" {
		a.outf("%s\n\n", s.Unsynced)
	}
	if len(s.Plans)+len(s.Working)+len(s.Needs)+len(s.Next)+len(s.Todos) == 0 && s.NoReadyReason == "" {
		if s.HiddenReason != "" {
			a.outf("No plan is visible here.\n")
		} else {
			a.outf("No plans or tasks yet. Start with: idumb add \"...\"\n")
		}
	} else if len(s.Needs) == 0 {
		a.outf("%s\n\n", terminal.EscapeLine(attention.Nothing(s.next())))
	}
	part(a, "Needs you", s.Needs, maxNeeds, "idumb get needs", a.needLines)
	part(a, "Plans", s.Plans, maxPlans, "idumb tree", planLines)
	nobody := func(w queries.ActiveTask) bool { return len(w.Workers) == 0 }
	active := "idumb get tasks --field-selector spec.state=active"
	part(a, "Working", slices.DeleteFunc(slices.Clone(s.Working), nobody), maxWorking, active, a.workingLines)
	part(a, "Active without an agent", slices.DeleteFunc(slices.Clone(s.Working), func(w queries.ActiveTask) bool { return !nobody(w) }), maxWorking, active, a.workingLines)
	part(a, fmt.Sprintf("%s in the last %d hours: %d", verdictsIn(s.Denied), int(records.Recent.Hours()), len(s.Denied)), s.Denied, maxDenied, "idumb get violations", a.deniedLines)
	partOf(a, "Next", s.Next, max(s.Ready, len(s.Next)), maxNext, "idumb next", nextLines)
	part(a, "To-do lists of agents", s.Todos, maxTodos, "idumb get todos", todoLines)
	part(a, "Other worktrees", s.Trees, maxTrees, "git worktree list", treeLines)
	if s.NoReadyReason != "" {
		a.outf("%s\n", terminal.EscapeLine(s.NoReadyReason))
	}
}

// verdictsIn returns the heading for a list of violations: the verdict that all of them share, or
// "Violations" if they differ.
func verdictsIn(all []queries.Violation) string {
	words := map[string]string{}
	for i := range all {
		words[all[i].Verdict] = ""
	}
	for _, c := range [...]struct{ verdict, heading string }{{"denied", "Denied"}, {"would deny", "Would have been denied"}, {"got through", "Got through"}} {
		if _, only := words[c.verdict]; only && len(words) == 1 {
			return c.heading
		}
	}
	return "Violations"
}

// part prints a heading, the first items with their lines of cells, and the command for the rest.
func part[T any](a *app, heading string, all []T, most int, rest string, lines func(*T) [][]string) {
	partOf(a, heading, all, len(all), most, rest, lines)
}

// partOf is like part for the first items of a longer list. total is its length.
func partOf[T any](a *app, heading string, all []T, total, most int, rest string, lines func(*T) [][]string) {
	if len(all) == 0 {
		return
	}
	if a.colour.For(a.stdout) {
		heading = "\x1b[1m" + heading + "\x1b[0m"
	}
	a.outf("%s\n", heading)
	var rows [][]string
	for i := range all[:min(len(all), most)] {
		rows = append(rows, lines(&all[i])...)
	}
	a.inColumns(rows)
	if more := total - most; more > 0 {
		a.outf("  and %d more: %s\n", more, rest)
	}
	a.outf("\n")
}

// inColumns prints rows of cells, escaped. Columns that are empty in all rows are omitted.
func (a *app) inColumns(rows [][]string) {
	var widths []int
	for _, row := range rows {
		widths = append(widths, make([]int, max(0, len(row)-len(widths)))...)
		for i, cell := range row {
			row[i] = terminal.EscapeLine(cell)
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			if widths[i] > 0 {
				line += fmt.Sprintf("  %-*s", widths[i], cell)
			}
		}
		a.outf("%s\n", strings.TrimRight(line, " "))
	}
}

// planLines returns the row of a plan: name, progress, title, focus.
func planLines(p *queries.PlanProgress) [][]string {
	var parts []string
	for _, phase := range [...]string{resources.TaskActive, resources.TaskReview, resources.TaskBlocked, resources.TaskPlanned, resources.TaskFailed, resources.PhaseInvalid} {
		if n := p.ByPhase[phase]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, phase))
		}
	}
	open, focus := "", ""
	if len(parts) > 0 {
		open = " (" + strings.Join(parts, ", ") + ")"
	}
	if p.Focus {
		focus = "in focus"
	}
	return [][]string{{p.Name + " [" + p.Phase + "]", fmt.Sprintf("%d/%d done%s", p.ByPhase[resources.TaskCompleted], p.Total, open), shortTitle(p.Title), focus}}
}

// workingLines returns the row of a task in work: name, agents, claim, last checkpoint.
func (a *app) workingLines(w *queries.ActiveTask) [][]string {
	last := ""
	if w.Last != nil {
		last = fmt.Sprintf("last, %s ago: %s", queries.Age(w.Last.Time.Time, a.now()), shortTitle(records.Summary(*w.Last)))
	}
	by := strings.Join(w.Workers, ", ")
	if by == "" && w.Phase == resources.TaskActive {
		by = "continue: idumb start " + w.Task
	}
	return [][]string{{w.Task + " [" + w.Phase + "]", cmp.Or(by, "no agent on this machine"), w.Held, last}}
}

// next returns the name of the next task, empty for none.
func (s *statusDocument) next() string {
	if len(s.Next) == 0 {
		return ""
	}
	return s.Next[0].Name
}

// needLines returns the rows of something that needs the user: the text, then the first command or
// the reason.
func (a *app) needLines(n *attention.Need) [][]string {
	age := ""
	if !n.Since.IsZero() {
		age = queries.Age(n.Since.Time, a.now()) + " ago"
	}
	text := n.Sign.Draw(terminal.Unicode()) + " " + n.Subject + ": " + n.Text
	if age != "" {
		text += " (" + age + ")"
	}
	lines := [][]string{{text}}
	switch {
	case len(n.Do) > 0:
		lines = append(lines, []string{"    " + n.Do[0].Command})
	case n.Why != "":
		lines = append(lines, []string{"    " + n.Why})
	}
	return lines
}

// deniedLines returns the row of a denial: age, rule, call.
func (a *app) deniedLines(v *queries.Violation) [][]string {
	rule := v.Rule
	if v.Verdict != "denied" {
		rule = v.Verdict + ", " + rule
	}
	return [][]string{{queries.Age(v.Time.Time, a.now()) + " ago", rule, shortTitle(v.Call)}}
}

// todoLines describes the to-do list of an agent and its open items.
func todoLines(r *queries.TodoRecord) [][]string {
	lines := [][]string{{r.Status.Agent, r.Status.Summary}}
	shown := 0
	for _, t := range slices.Concat(r.Status.Items, r.Status.Steps) {
		if !t.IsOpen() {
			continue
		}
		if shown++; shown > maxTodoItems {
			lines = append(lines, []string{"    ..."})
			break
		}
		sign := "    - "
		if t.State == resources.TodoActive {
			sign = "    > "
		}
		lines = append(lines, []string{sign + shortTitle(t.Text)})
	}
	return lines
}

// treeLines describes the state of another working tree and its first need.
func treeLines(t *serve.Tree) [][]string {
	lines := [][]string{{t.Name + ": " + t.Summary()}}
	for i := range t.Needs[:min(1, len(t.Needs))] {
		n := &t.Needs[i]
		lines = append(lines, []string{"    " + n.Sign.Draw(terminal.Unicode()) + " " + n.Subject + ": " + n.Text}, []string{"    idumb -C " + t.Root + " status"})
	}
	return lines
}

// shortTitle returns a text cut to maxTitle characters.
func shortTitle(text string) string { return resources.Shortened(text, maxTitle, "…") }

// nextLines returns the row of a task that can be started: name, reason, title.
func nextLines(n *queries.NextDocument) [][]string {
	return [][]string{{n.Name, n.Reason, shortTitle(n.Title)}}
}
