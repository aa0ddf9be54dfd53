package main

import (
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// watchPrinter prints the current objects and then their changes.
type watchPrinter struct {
	follower
	view   *view
	silent bool // skip the current objects: --watch-only
	begun  bool
	table  *printers.KindTable
}

// print prints changes. It never returns true without an error.
func (p *watchPrinter) print(changes []change) (bool, error) {
	first := !p.begun
	p.begun = true
	if first {
		if missing := p.view.notFound(p.missing()); missing != nil {
			return true, missing
		}
	}
	if first && p.silent || len(changes) == 0 {
		return false, nil
	}
	switch printer := &p.view.printer; {
	case printer.Format.Table():
		return false, p.printRows(changes)
	case printer.Format.NeedsDocument():
		return false, p.printObjects(changes)
	}
	for _, c := range changes {
		p.app.outf("%s\n", terminal.EscapeLine(qualified(c.key)))
	}
	return false, nil
}

// printRows prints a table row for each change. The headers are printed before the first one.
func (p *watchPrinter) printRows(changes []change) error {
	table := queries.Table{Columns: p.columns}
	if p.view.printer.Format.Name != "wide" {
		table.Columns = p.columns[:table.DefaultColumns()]
	}
	if p.table == nil {
		p.table = p.view.printer.Table(p.app.stdout, changes[0].key.Kind, table.Headers())
	}
	for _, c := range changes {
		c.row.Cells = c.row.Cells[:len(table.Columns)]
		p.table.Add(&c.row, c.action)
	}
	return p.table.Flush()
}

// printObjects prints each change as a separate document.
func (p *watchPrinter) printObjects(changes []change) error {
	printer := &p.view.printer
	for _, c := range changes {
		e, err := queries.Decode(c.object)
		if err != nil {
			return err
		}
		if !printer.Actions {
			if err := p.app.printEntries(printer, true, e); err != nil {
				return err
			}
			printer.NoHeaders = true // print the headers of custom columns only once
			continue
		}
		event := struct {
			Type   string `json:"type"`
			Object any    `json:"object"`
		}{c.action, e.Document()}
		if err := printer.PrintValue(p.app.stdout, event); err != nil {
			return err
		}
	}
	return nil
}

// printEntries prints existing objects in any format except a table.
func (a *app) printEntries(p *printers.Printer, one bool, entries ...*queries.Entry) error {
	if p.Format.NeedsDocument() {
		list := queries.ListOf(entries...)
		return p.Print(a.stdout, &list, one)
	}
	for _, e := range entries {
		a.outf("%s\n", terminal.EscapeLine(qualified(e.Key)))
	}
	return nil
}
