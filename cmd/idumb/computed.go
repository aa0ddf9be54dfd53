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

// computed is what get shows besides objects: what the working tree says of itself, and what
// follows from objects.
type computed struct {
	words []string // plural first
	show  func(a *app, ctx context.Context, g *getFlags, args []string) error
}

// allComputed is the one table of them.
func allComputed() []computed {
	return []computed{
		{[]string{"technologies", "technology", "tech"}, showTechnologies},
		{[]string{"documents", "document", "docs", "doc"}, showDocuments},
		{[]string{"sources", "source", "src"}, showSources},
		{[]string{"symbols", "symbol", "sym"}, showSymbols},
		{[]string{"needs", "need"}, showNeeds},
		{[]string{"graphs", "graph"}, showGraphs},
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
		return nil, nil, errors.New("what is computed has no labels and is not watched: use --field-selector, or -o jsonpath")
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
	for _, line := range scope.LeftOut() {
		a.errf("%s\n", line)
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

// places are files and folders that somebody names, from the root.
func (a *app) places(args []string) url.Values {
	v := url.Values{}
	for _, arg := range args {
		v.Add("name", a.fileFromRoot(arg))
	}
	return v
}

func showSources(a *app, ctx context.Context, g *getFlags, args []string) error {
	table := recordTable[code.SourceRecord]{
		headers: []string{"PATH", "LANGUAGE", "LINES", "EXPORTS", "IMPORTS", "DEPENDENTS", "TESTS", "KNOT", "WORKSPACE", "OWNERS"}, always: 7, nothing: "No files of code found",
		name: func(r code.SourceRecord) string { return "source/" + r.Metadata.Name },
		row: func(r code.SourceRecord) []string {
			s := &r.Status
			return []string{s.Path, s.Language, strconv.Itoa(s.Lines), strconv.Itoa(len(s.Exports)), strconv.Itoa(len(s.Imports)), strconv.Itoa(s.Dependents.Own), strconv.Itoa(s.Dependents.Test), strconv.Itoa(s.Knot), s.Workspace, strings.Join(s.Owners, ",")}
		},
	}
	return showComputed(a, g, table, func() ([]code.SourceRecord, inventory.Scope, error) {
		found, err := ask[code.Sources](a.answers(ctx), code.AskSources, a.places(args))
		return found.Items, found.Scope, err
	})
}

func showTechnologies(a *app, ctx context.Context, g *getFlags, args []string) error {
	table := recordTable[code.TechnologyRecord]{
		headers: []string{"NAME", "CATEGORY", "VERSION", "ROLE", "WORKSPACE", "EVIDENCE", "THROUGH"}, always: 6, nothing: "No technologies found",
		name: func(r code.TechnologyRecord) string { return "technology/" + r.Metadata.Name },
		row: func(r code.TechnologyRecord) []string {
			s := &r.Status
			return []string{s.Name, s.Category, s.Version, s.Role, s.Dir, firstOf(s.Evidence), s.Through}
		},
	}
	return showComputed(a, g, table, func() ([]code.TechnologyRecord, inventory.Scope, error) {
		found, err := ask[code.Technologies](a.answers(ctx), code.AskTechnologies, url.Values{"name": args})
		return found.Items, inventory.Scope{}, err
	})
}

func showDocuments(a *app, ctx context.Context, g *getFlags, args []string) error {
	table := recordTable[code.DocumentRecord]{
		headers: []string{"PATH", "CLASS", "STATE", "FRAMEWORK", "SECTIONS", "BOXES", "TITLE"}, always: 6, nothing: "No documents found",
		name: func(r code.DocumentRecord) string { return "document/" + r.Metadata.Name },
		row: func(r code.DocumentRecord) []string {
			s, boxes := &r.Status, ""
			if all := s.BoxesDone + s.BoxesOpen; all > 0 {
				boxes = strconv.Itoa(s.BoxesDone) + "/" + strconv.Itoa(all)
			}
			return []string{s.Path, s.Class, s.State, s.Framework, strconv.Itoa(len(s.Sections)), boxes, s.Title}
		},
	}
	return showComputed(a, g, table, func() ([]code.DocumentRecord, inventory.Scope, error) {
		found, err := ask[code.Documents](a.answers(ctx), code.AskDocuments, a.places(args))
		return found.Items, inventory.Scope{}, err
	})
}

func firstOf(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}
