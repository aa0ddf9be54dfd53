package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

// What can happen to an object, as --output-watch-events says it.
const (
	added    = "ADDED"
	modified = "MODIFIED"
	deleted  = "DELETED"
)

// getWatching is get -w.
func (a *app) getWatching(ctx context.Context, g *getFlags, v *view) error {
	if v.request.Several() {
		return errors.New("you may only specify a single resource type with --watch; start one for each")
	}
	files, err := a.open()
	if err != nil {
		return err
	}
	a.warnWithoutController(files.Root())
	if v.find.SortBy != "" {
		a.errf("warning: --watch requested, --sort-by will be ignored for watch events received\n")
	}
	f := follower{app: a, view: v, silent: g.watchOnly, shown: map[resources.Key]*questions.Entry{}, prints: map[resources.Key]string{}}
	return a.follow(ctx, files, f.step)
}

// follower prints what changes from one look to the next.
type follower struct {
	app    *app
	view   *view
	silent bool // the first look is not printed: --watch-only
	begun  bool
	table  *printers.KindTable
	shown  map[resources.Key]*questions.Entry
	prints map[resources.Key]string // fingerprints of shown
}

// step compares what there is with what was there, and never is done.
func (f *follower) step(w *world) (bool, error) {
	find := f.view.find
	if f.begun {
		find.SortBy = ""
	}
	found, err := find.In(w.source())
	if err != nil {
		return true, err
	}
	if missing := f.view.notFound(questions.Names(found.Missing)); !f.begun && missing != nil {
		return true, missing
	}
	var changes []change
	now := map[resources.Key]bool{}
	for _, e := range found.Entries {
		now[e.Key] = true
		if action := f.note(w, e); action != "" {
			changes = append(changes, change{action, e})
		}
	}
	for key, e := range f.shown {
		if !now[key] {
			changes = append(changes, change{deleted, e})
			delete(f.shown, key)
			delete(f.prints, key)
		}
	}
	quiet := !f.begun && f.silent
	f.begun = true
	if quiet {
		return false, nil
	}
	return false, f.print(w, changes)
}

type change struct {
	action string
	entry  *questions.Entry
}

// note remembers an object and says whether it is new, changed, or neither.
func (f *follower) note(w *world, e *questions.Entry) string {
	print := fingerprint(e, w.snap.Derived(e.Key))
	before, known := f.prints[e.Key]
	f.prints[e.Key], f.shown[e.Key] = print, e
	switch {
	case !known:
		return added
	case before != print:
		return modified
	}
	return ""
}

// fingerprint is the same as long as an object, and what holds about it, is.
func fingerprint(e *questions.Entry, status any) string {
	text := e.Phase()
	if e.Problem != nil {
		text += e.Problem.Error()
	}
	if e.Object != nil {
		text += e.Object.Source().Revision
	}
	if data, err := json.Marshal(status); err == nil {
		text += string(data)
	}
	return text
}

func (f *follower) print(w *world, changes []change) error {
	p := &f.view.printer
	if !p.Format.Table() {
		return f.printEach(w, changes)
	}
	if len(changes) == 0 {
		return nil
	}
	plural := changes[0].entry.Key.Kind
	columns := p.Shape().Columns(plural)
	if f.table == nil {
		f.table = p.Table(f.app.stdout, plural, questions.Headers(columns))
	}
	for _, c := range changes {
		f.table.Add(questions.RowOf(c.entry, columns, w.now), c.action)
	}
	return f.table.Flush()
}

// printEach prints each change as a document of its own.
func (f *follower) printEach(w *world, changes []change) error {
	p := &f.view.printer
	for _, c := range changes {
		if p.Format.NeedsDocument() && c.action != deleted {
			c.entry = questions.SeenEntryOf(w.source(), c.entry.Key)
		}
		if !p.Actions {
			if err := f.app.printEntries(p, true, c.entry); err != nil {
				return err
			}
			p.NoHeaders = true // of custom columns: once is enough
			continue
		}
		event := struct {
			Type   string `json:"type"`
			Object any    `json:"object"`
		}{c.action, c.entry.Document()}
		if err := p.PrintValue(f.app.stdout, event); err != nil {
			return err
		}
	}
	return nil
}

// printEntries prints objects that are there already, in any format but a table.
func (a *app) printEntries(p *printers.Printer, one bool, entries ...*questions.Entry) error {
	if p.Format.NeedsDocument() {
		return p.Print(a.stdout, printers.ObjectsOf(entries...), one)
	}
	for _, e := range entries {
		a.outf("%s\n", terminal.EscapeLine(qualified(e.Key)))
	}
	return nil
}
