package main

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions/code"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// computed is what get shows besides objects: what the working tree says of itself.
type computed struct {
	words []string // plural first
	show  func(a *app, ctx context.Context, g *getFlags, args []string) error
}

// allComputed is the one table of them.
func allComputed() []computed {
	return []computed{
		{[]string{"symbols", "symbol", "sym"}, showSymbols},
	}
}

// computedOf is how what a word names is shown; nil for none.
func computedOf(word string) func(*app, context.Context, *getFlags, []string) error {
	for _, c := range allComputed() {
		if slices.Contains(c.words, strings.ToLower(word)) {
			return c.show
		}
	}
	return nil
}

// computedPrinter reads the flags of get as far as they are for what is computed.
func (g *getFlags) computedPrinter() (*printers.Printer, selectors.Fields, error) {
	if g.watch || g.watchOnly || g.labels != "" || g.sortBy != "" {
		return nil, nil, errors.New("what is computed of the working tree has no labels and is not watched: use --field-selector, or -o jsonpath")
	}
	fields, err := selectors.ParseFields(g.fields)
	if err != nil {
		return nil, nil, err
	}
	format, err := printers.ParseFormat(g.output, "json", "jsonpath", "name", "wide", "yaml")
	return &printers.Printer{Format: format, NoHeaders: g.noHeaders}, fields, err
}

// showComputed prints records of which a question tells, those that the fields select.
func showComputed[R any](a *app, g *getFlags, table recordTable[R], find func() ([]R, inventory.Scope, error)) error {
	p, fields, err := g.computedPrinter()
	if err != nil {
		return err
	}
	found, scope, err := find()
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(r R) bool { return fields != nil && !fields.Matches(r) })
	if err := table.print(a, p, found); err != nil {
		return err
	}
	a.sayLeftOut(scope)
	return nil
}

// sayLeftOut says what an answer does not cover, if that is anything.
func (a *app) sayLeftOut(scope inventory.Scope) {
	for why, n := range scope.Partial {
		a.errf("not all is known of %d of %d files of code: %s\n", n, scope.Code, why)
	}
}

func showSymbols(a *app, ctx context.Context, g *getFlags, args []string) error {
	for i, arg := range args {
		if file, name, cites := strings.Cut(arg, "#"); cites {
			args[i] = a.fileFromRoot(file) + "#" + name
		} else if strings.ContainsAny(arg, "/.") {
			args[i] = a.fileFromRoot(arg)
		}
	}
	table := recordTable[code.SymbolRecord]{
		headers: []string{"NAME", "KIND", "LINES", "SIGNATURE", "DOC"}, always: 4, nothing: "No symbols found",
		name: func(r code.SymbolRecord) string { return "symbol/" + r.Metadata.Name },
		row: func(r code.SymbolRecord) []string {
			return []string{r.Metadata.Name, r.Status.Kind, strconv.Itoa(r.Status.From) + "-" + strconv.Itoa(r.Status.To), r.Status.Signature, r.Status.Doc}
		},
	}
	return showComputed(a, g, table, func() ([]code.SymbolRecord, inventory.Scope, error) {
		found, err := ask[code.Symbols](a.answers(ctx), code.AskSymbols, url.Values{"name": args})
		return found.Items, found.Scope, err
	})
}
