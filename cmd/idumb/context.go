package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// contextFlags holds the flags of idumb context.
type contextFlags struct {
	task, session       string
	explain, deliveries bool
	output              string
}

func newContext(a *app) *cobra.Command {
	var f contextFlags
	c := newCommand("context", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return a.context(c.Context(), &f) })
	c.Flags().StringVar(&f.task, "task", "", "the context of a session with this task")
	c.Flags().StringVar(&f.session, "session", "", "the context of this session")
	c.Flags().BoolVar(&f.explain, "explain", false, "list each entry and why it is included or left out")
	c.Flags().BoolVar(&f.deliveries, "log", false, "print the updates that the session received, or all sessions")
	addOldName(c, "log", "told")
	for _, name := range [...]string{"log", "told"} {
		c.MarkFlagsMutuallyExclusive(name, "explain")
		c.MarkFlagsMutuallyExclusive(name, "task")
	}
	c.Flags().StringVarP(&f.output, "output", "o", "", "with --explain: json, yaml, jsonpath=...")
	a.completeFlagNames(c, "task", resources.Tasks)
	a.completeFlagNames(c, "session", resources.Sessions)
	return c
}

// context runs idumb context: it prints the context of a reader, with --explain its entries with
// reasons, or with --log the updates that a session received.
func (a *app) context(ctx context.Context, f *contextFlags) error {
	format, err := printers.ParseFormat(f.output, "json", "jsonpath", "yaml")
	if err != nil {
		return err
	}
	if f.output != "" && !f.explain {
		return errors.New("-o requires --explain; the context itself is text")
	}
	if f.deliveries {
		return a.printDeliveryLog(strings.TrimPrefix(f.session, "session/"))
	}
	parameters := a.readerValues()
	parameters.Set("task", strings.TrimPrefix(f.task, "task/"))
	if f.session != "" {
		parameters = queries.WithSession(parameters, strings.TrimPrefix(f.session, "session/"))
	}
	if f.explain {
		parameters.Set("explain", "true")
	}
	by := a.answers(ctx)
	answer, err := ask[queries.Context](by, queries.AskContext, parameters)
	if err != nil {
		return err
	}
	if answer.Overflow != "" {
		a.errf("Warning: %s\n", answer.Overflow)
	}
	switch {
	case !f.explain:
		_, err = io.WriteString(a.stdout, answer.Text)
		return err
	case format.Name != "":
		return (&printers.Printer{Format: format}).PrintValue(a.stdout, answer.Explain)
	}
	return a.explainPack(&answer.Explain)
}

// explainPack prints a table of a context's entries, with the reason why each is included or left
// out, and the size.
func (a *app) explainPack(p *queries.PackDocument) error {
	t := printers.NewTable(a.stdout, 5)
	t.Header("SECTION", "ENTRY", "IN", "TOKENS", "WHY")
	for _, e := range p.Entries {
		in := "no"
		if e.Included {
			in = "yes"
		}
		t.Row(e.Section, e.ID, in, strconv.Itoa(e.Tokens), strings.TrimPrefix(strings.TrimPrefix(e.Reason, "in: "), "out: "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	ceiling := fmt.Sprintf("%d tokens or %d characters", p.Budget.Tokens, p.Budget.Characters)
	if p.Budget.Limit > 0 {
		ceiling += fmt.Sprintf(", %d characters at most", p.Budget.Limit)
	}
	a.errf("%d tokens, %d characters; the limit is %s\n", p.Tokens, p.Characters, ceiling)
	return nil
}

// printDeliveryLog prints the delivery log of a session, or of all sessions if session is empty.
func (a *app) printDeliveryLog(session string) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	sessions := []string{session}
	if session == "" {
		if sessions, err = toldSessions(root); err != nil {
			return err
		}
	}
	for _, name := range sessions {
		key := resources.Key{Kind: resources.Sessions, Name: name}
		if err := store.CheckName(store.DeliveryLogName(name)); err != nil {
			return apierrors.NotFound(key)
		}
		log, _, err := root.Read(layout.DeliveryLogPath(name), layout.MaxSpec)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return fmt.Errorf("no updates of %s; idumb get sessions lists live sessions", key)
		case err != nil:
			return err
		case session == "":
			fmt.Fprintf(a.stdout, "## %s\n", key)
		}
		if _, err := io.WriteString(a.stdout, terminal.Escape(string(log))); err != nil {
			return err
		}
	}
	return nil
}

// toldSessions returns the sessions with a delivery log, sorted.
func toldSessions(root layout.Root) ([]string, error) {
	files, err := root.Names(layout.Dir + "/" + store.SessionsFolder)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	var sessions []string
	for _, file := range files {
		if name, isLog := strings.CutSuffix(file, ".log"); isLog {
			sessions = append(sessions, name)
		}
	}
	slices.Sort(sessions)
	return sessions, nil
}
