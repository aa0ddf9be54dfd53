package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/stuck"
	"github.com/idumb-dev/idumb/cmd/internal/terminal"
	"github.com/idumb-dev/idumb/resources"
)

const nextDoc = `Show the tasks that may be started now, best first, and why they stand there.

Tasks of active plans come before those of drafts; then priority counts, then how
many tasks a task unblocks, then age. Tasks that are planned ahead are left out.
When none is ready, next says what stands in the way.`

type nextFlags struct {
	output    string
	plan      string
	limit     int
	noHeaders bool
}

func newNext(a *app) *cobra.Command {
	var f nextFlags
	c := &cobra.Command{
		Use: "next [flags]", Short: "Show the tasks that may be started, best first", Long: nextDoc, Args: cobra.NoArgs,
		Example: "  idumb next\n  idumb next --plan user-auth -o name\n  idumb start $(idumb next --limit 1 -o name)",
		RunE:    func(c *cobra.Command, _ []string) error { return a.next(c.Context(), &f) },
	}
	c.Flags().StringVarP(&f.output, "output", "o", "", "wide, json, yaml, name, jsonpath=...")
	c.Flags().StringVar(&f.plan, "plan", "", "only tasks of this plan")
	c.Flags().IntVar(&f.limit, "limit", 0, "at most so many; 0: all of them")
	c.Flags().BoolVar(&f.noHeaders, "no-headers", false, "leave out the names of the columns")
	completeFlag(c, "output", "wide", "json", "yaml", "name", "jsonpath=")
	a.completeFlagNames(c, "plan", resources.WorkPlans)
	return c
}

func (a *app) next(ctx context.Context, f *nextFlags) error {
	format, err := printers.ParseFormat(f.output, "json", "jsonpath", "name", "wide", "yaml")
	if err != nil {
		return err
	}
	w, err := a.load(ctx, planning[:]...)
	if err != nil {
		return err
	}
	plan := strings.TrimPrefix(f.plan, "workplan/")
	if plan != "" {
		if err := w.mustExist(resources.Key{Kind: resources.WorkPlans, Name: plan}); err != nil {
			return err
		}
	}
	proposed := w.proposed(plan, f.limit)
	p := &printers.Printer{Format: format, NoHeaders: f.noHeaders, Now: w.now}
	switch {
	case format.NeedsDocument():
		return p.PrintItems(a.stdout, items(w.nextDocuments(proposed)))
	case len(proposed) == 0:
		a.errf("%s", terminal.Escape(stuck.Explain(w.snap, plan)))
		return nil
	case format.Name == "name":
		for _, n := range proposed {
			a.outf("%s\n", qualified(resources.Key{Kind: resources.Tasks, Name: n.Name}))
		}
		return nil
	}
	return a.nextTable(p, w, proposed)
}

func (w *world) proposed(plan string, limit int) []resources.NextTask {
	limit = max(limit, 0)
	if plan != "" {
		return resources.NextInPlanOf(plan, w.snap, limit)
	}
	return resources.NextTasks(w.snap, limit)
}

func (a *app) nextTable(p *printers.Printer, w *world, proposed []resources.NextTask) error {
	headers := []string{"NAME", "PLAN", "PRIORITY", "WHY"}
	wide := p.Format.Name == "wide"
	if wide {
		headers = append(headers, "ASSIGNED-TO", "AGE", "TITLE")
	}
	t := printers.NewTable(a.stdout, len(headers))
	if !p.NoHeaders {
		t.Header(headers...)
	}
	t.Grow(len(proposed))
	for _, n := range proposed {
		task, _ := w.snap.Task(n.Name)
		t.Cell(n.Name)
		t.Cell(n.Plan)
		t.Cell(priority(task))
		t.Cell(n.Why)
		if wide {
			t.Cell(task.Spec.AssignedTo)
			t.Cell(printers.Age(task.Created(), w.now))
			t.Cell(task.Spec.Title)
		}
	}
	return t.Flush()
}

func priority(t *resources.Task) string {
	if t.Spec.Priority == "" {
		return "normal"
	}
	return t.Spec.Priority
}

// nextDocument is a proposed task as -o json prints it.
type nextDocument struct {
	Name           string `json:"name"`
	Plan           string `json:"plan"`
	Title          string `json:"title,omitempty"`
	Priority       string `json:"priority"`
	ExpectedOutput string `json:"expectedOutput"`
	AssignedTo     string `json:"assignedTo,omitempty"`
	Unblocks       int    `json:"unblocks"`
	Why            string `json:"why"`
}

func (w *world) nextDocuments(proposed []resources.NextTask) []nextDocument {
	documents := make([]nextDocument, 0, len(proposed))
	for _, n := range proposed {
		task, _ := w.snap.Task(n.Name)
		documents = append(documents, nextDocument{
			Name: n.Name, Plan: n.Plan, Title: task.Spec.Title, Priority: priority(task), ExpectedOutput: task.Spec.ExpectedOutput,
			AssignedTo: task.Spec.AssignedTo, Unblocks: resources.Unblocks(n.Name, w.snap), Why: n.Why,
		})
	}
	return documents
}
