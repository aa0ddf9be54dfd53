package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate/evidence"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

// How much of each part of the status is shown: all of it fits a screen.
const (
	shownPlans   = 3
	shownWorking = 5
	shownNeeds   = 6
	shownDenied  = 3
	shownNext    = 3
	shownTitle   = 60 // characters
	// lately is how far back denials are shown.
	lately = 24 * time.Hour
)

// statusDocument is the whole of it, as -o json prints it.
type statusDocument struct {
	questions.Overview
	Denied []violationDocument `json:"denied"` // of the last 24 hours, the newest first
}

func newStatus(a *app) *cobra.Command {
	var f printFlags
	c := newCommand("status", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return a.status(c.Context(), &f) })
	f.declare(c, "json", "yaml", "jsonpath=")
	return c
}

func (a *app) status(ctx context.Context, f *printFlags) error {
	p, err := f.printer()
	if err != nil {
		return err
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	a.lookAtActive(ctx)
	overview, err := ask[questions.Overview](a.answers(ctx), questions.AskOverview, nil)
	if err != nil {
		return err
	}
	s := statusDocument{overview, append([]violationDocument{}, a.violationsOf(root, &violationsFlags{since: lately})...)}
	slices.Reverse(s.Denied)
	if len(s.Plans) == 1 {
		s.Plans[0].Focus = false // it goes without saying
	}
	if !p.Format.Table() {
		return p.PrintValue(a.stdout, s)
	}
	a.tellStatus(&s)
	return nil
}

// lookAtActive sees what was done for active tasks and is in no log yet. Where that cannot be
// written down, as in a checkout that is only read, it is not seen.
func (a *app) lookAtActive(ctx context.Context) {
	active, err := a.tasksFound(ctx, questions.Find{Kinds: []string{resources.Tasks}, Fields: "spec.state=" + resources.TaskActive})
	if err != nil || !slices.ContainsFunc(active, evidence.AsksForFiles) {
		return
	}
	repo, err := a.writer(&writeFlags{dryRun: "none"})
	if err != nil {
		return
	}
	for _, t := range active {
		if evidence.AsksForFiles(t) {
			repo.Look(ctx, t.Metadata.Name)
		}
	}
}

// tellStatus prints the screen.
func (a *app) tellStatus(s *statusDocument) {
	if s.Mode != resources.DefaultConfig().Mode {
		a.outf("mode %s: nothing is denied\n\n", s.Mode)
	}
	if len(s.Plans)+len(s.Working)+len(s.Needs)+len(s.Next) == 0 && s.Stuck == "" {
		a.outf("Nothing is planned. Begin with: idumb add \"...\"\n")
	}
	part(a, "Plans", s.Plans, shownPlans, "idumb tree", (*app).tellPlan)
	part(a, "Working", s.Working, shownWorking, "idumb get tasks --field-selector spec.state=active", (*app).tellWorking)
	part(a, "Needs you", s.Needs, shownNeeds, "idumb status -o yaml", (*app).tellNeed)
	part(a, fmt.Sprintf("Denied in the last %d hours: %d", int(lately.Hours()), len(s.Denied)), s.Denied, shownDenied, "idumb violations", (*app).tellDenied)
	part(a, "Next", s.Next, shownNext, "idumb next", (*app).tellNext)
	if s.Stuck != "" {
		a.outf("%s; idumb next says why\n", terminal.EscapeLine(s.Stuck))
	}
}

// part prints the first of some lines below a heading, and where the rest is to be seen.
func part[T any](a *app, heading string, all []T, most int, rest string, tell func(*app, *T)) {
	if len(all) == 0 {
		return
	}
	if terminal.Colour(a.stdout) {
		heading = "\x1b[1m" + heading + "\x1b[0m"
	}
	a.outf("%s\n", heading)
	for i := range all[:min(len(all), most)] {
		tell(a, &all[i])
	}
	if more := len(all) - most; more > 0 {
		a.outf("  and %d more: %s\n", more, rest)
	}
	a.outf("\n")
}

// linef prints a line of a part, of which the data cannot do anything to the terminal.
func (a *app) linef(format string, args ...any) {
	a.outf("  %s\n", strings.TrimRight(terminal.EscapeLine(fmt.Sprintf(format, args...)), " "))
}

func (a *app) tellPlan(p *questions.PlanStanding) {
	var parts []string
	for _, phase := range [...]string{resources.TaskActive, resources.TaskReview, resources.TaskBlocked, resources.TaskPlanned, resources.TaskFailed} {
		if n := p.ByPhase[phase]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, phase))
		}
	}
	open := ""
	if len(parts) > 0 {
		open = " (" + strings.Join(parts, ", ") + ")"
	}
	focus := ""
	if p.Focus {
		focus = "  in focus"
	}
	a.linef("%s [%s]  %d/%d done%s  %s%s", p.Name, p.Phase, p.ByPhase[resources.TaskCompleted], p.Total, open, short(p.Title), focus)
}

func (a *app) tellWorking(w *questions.Working) {
	last := ""
	if w.Last != nil {
		last = fmt.Sprintf("  last, %s ago: %s", questions.Age(w.Last.Time.Time, a.now()), short(records.Summary(*w.Last)))
	}
	a.linef("%s [%s]  %s%s", w.Task, w.Phase, strings.Join(w.By, ", "), last)
}

func (a *app) tellNeed(n *questions.Need) {
	a.linef("%s: %s", n.Object, n.What)
	if n.Remedy != "" {
		a.linef("    %s", n.Remedy)
	}
}

func (a *app) tellDenied(v *violationDocument) {
	verdict := ""
	if v.Verdict != "denied" {
		verdict = v.Verdict + ", "
	}
	a.linef("%s ago  %s%s  %s", questions.Age(v.Time.Time, a.now()), verdict, v.Rule, short(v.Call))
}

func (a *app) tellNext(n *questions.NextDocument) {
	a.linef("%s  %s  %s", n.Name, n.Why, short(n.Title))
}

// short is a text in at most shownTitle characters.
func short(text string) string {
	if runes := []rune(text); len(runes) > shownTitle {
		return strings.TrimSpace(string(runes[:shownTitle-1])) + "…"
	}
	return text
}
