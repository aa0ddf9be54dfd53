package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
)

// sessionVerbs lists the subcommands of session.
var sessionVerbs = [...]func(*app) *cobra.Command{newSessionShow, newSessionNote, newSessionExport, newSessionClose, newSessionResume, newSessionPrune}

func newSession(a *app) *cobra.Command {
	return withVerbs(newCommand("session", nil, noSubVerb), builtFor(a, sessionVerbs[:]...)...)
}

func newSessionShow(a *app) *cobra.Command {
	var f printFlags
	c := newCommand("session show", cobra.MaximumNArgs(1), func(c *cobra.Command, args []string) error { return a.showSession(c.Context(), &f, args) })
	c.ValidArgsFunction = a.completeNamesOf(resources.Sessions)
	f.declare(c, "json", "yaml", "jsonpath=")
	return c
}

// showSession describes a session with its last export. With -o it prints only the export.
func (a *app) showSession(ctx context.Context, f *printFlags, args []string) error {
	p, err := f.printer(a.colour)
	if err != nil {
		return err
	}
	name, err := a.selectedSession(args)
	if err != nil {
		return err
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	own := hooks.ExportsOf(root, name)
	if p.Format.Name == "" {
		if err := a.describe(ctx, "", []string{resources.Sessions, name}); err != nil {
			return err
		}
	} else if len(own) == 0 {
		return errors.New("no exports of sessions/" + name + " yet; idumb session export " + name + " creates one")
	}
	for _, n := range hooks.NotesOf(root, name) {
		if p.Format.Name == "" {
			a.outf("Note:  %s (%s)\n", terminal.EscapeLine(n.Text), terminal.EscapeLine(n.Author))
		}
	}
	if len(own) == 0 {
		return nil
	}
	e, err := hooks.ReadExport(root, own[len(own)-1])
	if err != nil {
		return err
	}
	if p.Format.Name != "" {
		return (&printers.Printer{Format: p.Format}).PrintValue(a.stdout, e)
	}
	a.outf("Exports:  %d, the newest %s (%s)\n", len(own), own[len(own)-1], e.Reason)
	for _, list := range [...]struct {
		label string
		lines []string
	}{{"Found", e.Findings}, {"Wrote", e.Files}, {"Issue", e.Issues}} {
		for _, line := range list.lines {
			a.outf("%s:  %s\n", list.label, terminal.EscapeLine(line))
		}
	}
	return nil
}

func newSessionNote(a *app) *cobra.Command {
	var session, by string
	c := newCommand("session note", cobra.MinimumNArgs(1), func(_ *cobra.Command, args []string) error {
		text, err := a.textOf(args)
		if err != nil {
			return err
		}
		return a.noteSession(session, by, text)
	})
	c.Flags().StringVar(&session, "session", "", "the session (default: the session that runs this command)")
	c.Flags().StringVar(&by, "by", userName(), "the author of the note")
	c.Flags().Lookup("by").DefValue = "you"
	a.completeFlagNames(c, "session", resources.Sessions)
	return c
}

// noteSession adds a note to a session, which its export will contain.
func (a *app) noteSession(session, by, text string) error {
	name, err := a.selectedSession([]string{session})
	if err != nil {
		return err
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	note := memory.ExportNote{Time: resources.NewTime(a.now()), Author: by, Text: strings.Join(resources.MaskSecrets(strings.Fields(text)), " ")}
	if err := hooks.KeepNote(root, name, note); err != nil {
		return err
	}
	a.outf("session.idumb.dev/%s noted\n", name)
	return nil
}

func newSessionExport(a *app) *cobra.Command {
	c := newCommand("session export", cobra.MaximumNArgs(1), func(c *cobra.Command, args []string) error { return a.exportSession(c.Context(), args) })
	c.ValidArgsFunction = a.completeNamesOf(resources.Sessions)
	return c
}

// exportSession exports the current state of a session and prints the file's name.
func (a *app) exportSession(ctx context.Context, args []string) error {
	w, e, err := a.exportSelected(ctx, args)
	if err != nil {
		return err
	}
	file, err := hooks.KeepExport(w.root, &e, w.now)
	if err == nil {
		a.outf("%s\n", file)
	}
	return err
}

// exportSelected returns an export of the selected session.
func (a *app) exportSelected(ctx context.Context, args []string) (*snapshot, memory.Export, error) {
	name, err := a.selectedSession(args)
	if err != nil {
		return nil, memory.Export{}, err
	}
	return a.exportOf(ctx, name, memory.ExportAsked)
}

// exportOf returns an export of the current state of a session.
func (a *app) exportOf(ctx context.Context, name, reason string) (*snapshot, memory.Export, error) {
	w, err := a.load(ctx)
	if err != nil {
		return nil, memory.Export{}, err
	}
	key := resources.Key{Kind: resources.Sessions, Name: name}
	object, _ := w.snap.Get(key)
	s, ok := object.(*resources.Session)
	if !ok {
		return nil, memory.Export{}, apierrors.NotFound(key)
	}
	e := hooks.ExportOf(w.root, s, w.snap, reason)
	e.NameAnchors(w.snap)
	return w, e, nil
}

// selectedSession returns the named session, or the session of the agent that runs the command.
func (a *app) selectedSession(args []string) (string, error) {
	root, err := a.root()
	if err != nil {
		return "", err
	}
	if len(args) == 0 || args[0] == "" {
		if agent, found := callers.AgentOf(root, os.Getpid()); found && agent.Session != "" {
			return agent.Session, nil
		}
		return "", errors.New("this command does not run in an agent's session; name a session: idumb get sessions lists all sessions")
	}
	key, err := namedOf(resources.Sessions, args[0], args[0]+" is not a session; idumb get sessions lists all sessions")
	if err == nil && !root.HasObject(key) {
		err = apierrors.NotFound(key)
	}
	return key.Name, err
}
