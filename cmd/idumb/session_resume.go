package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

func newSessionResume(a *app) *cobra.Command {
	c := newCommand("session resume", cobra.ExactArgs(1), func(c *cobra.Command, args []string) error { return a.resumeSession(c.Context(), args) })
	c.ValidArgsFunction = a.completeNamesOf(resources.Sessions)
	return c
}

// resumeSession prints the information to continue a session's work: its state, attempts, findings
// and the next step. It also lifts the halt of the session.
func (a *app) resumeSession(ctx context.Context, args []string) error {
	w, e, err := a.exportSelected(ctx, args)
	if err != nil {
		return err
	}
	if own := hooks.ExportsOf(w.root, e.Record); len(own) > 0 && e.Task == "" { // the record may have lost its task
		if last, err := hooks.ReadExport(w.root, own[len(own)-1]); err == nil {
			e = *last
		}
	}
	for _, line := range resumption(&e) {
		a.outf("%s\n", terminal.EscapeLine(line))
	}
	return a.liftHalt(ctx, resources.Key{Kind: resources.Sessions, Name: e.Record})
}

// liftHalt resets the raised triggers of a session, like the user's next prompt.
func (a *app) liftHalt(ctx context.Context, key resources.Key) error {
	repo, err := a.writer(&writeFlags{dryRun: "none"})
	if err != nil {
		return err
	}
	var lifted []string
	_, err = repo.One(ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		s := *o.(*resources.Session)
		lifted, s.Spec.Raised = s.Spec.Raised, nil
		return &s, nil
	})
	if err != nil || len(lifted) == 0 {
		return err
	}
	a.errf("lifted: %s\n", terminal.EscapeLine(strings.Join(lifted, ", ")))
	root, err := a.root()
	if err == nil {
		hooks.Backend{}.OpenGate(root, callers.Caller{Session: key.Name}, os.Environ(), a.now()).BeginTurn()
	}
	return err
}

// resumption returns the lines that tell an agent where the exported session stood: its task, its last
// changes, failed commands, files, findings, notes and open issues, and the commands to go on with.
func resumption(e *memory.Export) []string {
	lines := []string{"Continue the work of session " + e.Record + "."}
	add := func(label string, list ...string) {
		for _, text := range list {
			if text = strings.Join(strings.Fields(text), " "); text != "" {
				lines = append(lines, label+": "+text)
			}
		}
	}
	if len(e.Chain) > 0 {
		add("Task", strings.Join(e.Chain, " > ")+" ["+e.TaskPhase+"]")
	}
	for _, c := range e.Last {
		add("Did", records.Summary(c))
	}
	for _, c := range e.Commands {
		if c.Succeeded != nil && !*c.Succeeded {
			add("Failed", fmt.Sprintf("%s (%d times)", c.Line, max(1, c.Times)))
		}
	}
	add("Wrote", strings.Join(e.Files, ", "))
	add("Found", e.Findings...)
	for _, n := range e.Notes {
		add("Note", n.Text)
	}
	add("Halted by", strings.Join(e.Triggers, ", "))
	add("Open", e.Issues...)
	add("Last words", e.LastMessage)
	if e.Task != "" {
		lines = append(lines, "Next: `idumb start "+e.Task+"`, then `idumb context --task "+e.Task+"`.")
	}
	return lines
}
