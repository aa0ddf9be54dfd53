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
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/serve/questions/computed"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// computedOf is the computed kind that a word names.
func computedOf(word string) (computed.Kind, bool) {
	return computed.Named(computed.Kinds(terminal.Unicode()), word)
}

// computedFlags are the flags of get that a computed kind takes, besides -o and --no-headers.
func computedFlags(k computed.Kind) string {
	if k.Question.Name == questions.AskNeeds {
		return "field-selector watch watch-only output-watch-events"
	}
	return "field-selector"
}

// computedPrinter reads the flags of get as far as they are for what is computed.
func (g *getFlags) computedPrinter() (*printers.Printer, selectors.Fields, error) {
	fields, err := selectors.ParseFields(g.fields)
	if err != nil {
		return nil, nil, err
	}
	format, err := printers.ParseFormat(g.output, "json", "jsonpath", "name", "wide", "yaml")
	return &printers.Printer{Format: format, NoHeaders: g.noHeaders}, fields, err
}

// computedTable is the table of a computed kind, of which the records are Rs; ages are counted to now.
func computedTable[R any](k computed.Kind, now time.Time) recordTable[R] {
	return recordTable[R]{
		headers: k.Headers(), always: k.Always(), nothing: k.Nothing,
		name: func(r R) string { return k.Singular + "/" + k.NameOf(r) },
		row:  func(r R) []string { return k.Cells(r, now) },
	}
}

// showComputed prints records of a computed kind: of those that the arguments name, or of all, those that
// the fields select.
func (a *app) showComputed(ctx context.Context, k computed.Kind, g *getFlags, args []string) error {
	if k.Question.Name == questions.AskNeeds {
		return showNeeds(a, ctx, g, args) // which can be watched
	}
	p, fields, err := g.computedPrinter()
	if err != nil {
		return err
	}
	answer, err := a.answers(ctx).askComputed(k, a.askedFor(k.Takes, args))
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

// askedFor are the parameters of a question about what somebody names: files as they are called from the root.
func (a *app) askedFor(takes computed.Takes, args []string) url.Values {
	v := url.Values{}
	for _, arg := range args {
		file, name, cites := strings.Cut(arg, "#")
		switch {
		case takes == computed.Citations && cites:
			arg = a.fileFromRoot(file) + "#" + name
		case takes == computed.Places, takes == computed.Citations && strings.ContainsAny(arg, "/."):
			arg = a.fileFromRoot(arg)
		}
		v.Add("name", arg)
	}
	return v
}

// sayLeftOut says what an answer does not cover, if that is anything.
func (a *app) sayLeftOut(scope inventory.Scope) {
	for _, line := range scope.LeftOut() {
		a.errf("%s\n", line)
	}
}
