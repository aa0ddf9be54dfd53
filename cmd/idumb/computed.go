package main

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// computedOf returns the computed kind that a word names, and whether there is one.
func computedOf(word string) (code.ComputedKind, bool) {
	return code.ComputedKindNamed(code.ComputedKinds(terminal.Unicode()), word)
}

// computedFlags returns the flags of get for a computed kind, in addition to -o and --no-headers.
func computedFlags(k code.ComputedKind) string {
	if k.Question.Name == queries.AskNeeds {
		return "field-selector watch watch-only output-watch-events"
	}
	return "field-selector"
}

// computedPrinter parses the flags of get for computed kinds.
func (g *getFlags) computedPrinter(colour terminal.ColourMode) (*printers.Printer, selectors.Fields, error) {
	fields, err := selectors.ParseFields(g.fields)
	if err != nil {
		return nil, nil, err
	}
	format, err := printers.ParseFormat(g.output, "json", "jsonpath", "name", "wide", "yaml")
	return &printers.Printer{Format: format, Colour: colour, NoHeaders: g.noHeaders}, fields, err
}

// computedTable returns the table of a computed kind with records of type R. now is the time for
// ages.
func computedTable[R any](k code.ComputedKind, now time.Time) recordTable[R] {
	return recordTable[R]{
		headers: k.Headers(), always: k.DefaultColumns(), nothing: k.EmptyText,
		name: func(r R) string { return k.Singular + "/" + k.NameOf(r) },
		row:  func(r R) []string { return k.Cells(r, now) },
	}
}

// showComputed prints the records of a computed kind that the arguments name, or all, filtered by
// the field selector.
func (a *app) showComputed(ctx context.Context, k code.ComputedKind, g *getFlags, args []string) error {
	if k.Question.Name == queries.AskNeeds {
		return showNeeds(a, ctx, g, args) // which supports --watch
	}
	p, fields, err := g.computedPrinter(a.colour)
	if err != nil {
		return err
	}
	answer, err := a.answers(ctx).askComputed(k, a.askedFor(k.Arguments, args))
	if err != nil {
		return err
	}
	found, scope := k.Records(answer)
	found = slices.DeleteFunc(found, func(r any) bool { return fields != nil && !fields.Matches(r) })
	table := computedTable[any](k, a.now())
	if err := table.print(a, p, found); err != nil {
		return err
	}
	a.sayLeftOut(scope)
	return nil
}

// askedFor returns the parameters of a query for named items. File names are relative to the root.
func (a *app) askedFor(takes code.Arguments, args []string) url.Values {
	v := url.Values{}
	for _, arg := range args {
		switch file, name, cites := strings.Cut(arg, "#"); {
		case takes == code.Citations && cites:
			arg = a.fileFromRoot(file) + "#" + name
		case takes == code.Places, takes == code.Citations && strings.ContainsAny(arg, "/."):
			arg = a.fileFromRoot(arg)
		}
		v.Add("name", arg)
	}
	return v
}

// sayLeftOut prints which files an answer about the working tree does not cover.
func (a *app) sayLeftOut(scope inventory.Scope) {
	for _, line := range scope.Omissions() {
		a.errf("%s\n", line)
	}
}
