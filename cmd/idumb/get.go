package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// getFlags holds the flags of idumb get.
type getFlags struct {
	output         string
	labels, fields string
	path           string
	sortBy         string
	labelColumns   []string
	noHeaders      bool
	showKind       bool
	showLabels     bool
	ignoreNotFound bool
	watch          bool
	watchOnly      bool
	watchEvents    bool
	asOf           asOf

	object, session, rule, holder string // for records
	since                         duration
}

func newGet(a *app) *cobra.Command {
	var g getFlags
	c := newCommand("get", nil, func(c *cobra.Command, args []string) error { return a.get(c, &g, args) })
	c.ValidArgsFunction = a.completeObjects(completeLists)
	f := c.Flags()
	f.StringVarP(&g.output, "output", "o", "", "wide, json, yaml, name, jsonpath=..., custom-columns=..., go-template=...")
	f.StringVarP(&g.labels, "selector", "l", "", "only resources with these labels: a=b,c!=d,e in (f,g),!h")
	f.StringVar(&g.fields, "field-selector", "", "only resources with these fields: status.phase=blocked,spec.priority!=low")
	f.StringVar(&g.path, "path", "", "only tasks, anchors and mems about this file or directory, or files below it")
	f.StringVar(&g.sortBy, "sort-by", "", "a field to sort by: .spec.priority")
	f.StringSliceVarP(&g.labelColumns, "label-columns", "L", nil, "labels to show as separate columns")
	f.BoolVar(&g.noHeaders, "no-headers", false, "omit the column headers")
	f.BoolVar(&g.showKind, "show-kind", false, "print names with their kind: task.idumb.dev/foo")
	f.BoolVar(&g.showLabels, "show-labels", false, "add a column with all labels")
	f.BoolVar(&g.ignoreNotFound, "ignore-not-found", false, "do not report missing resources as errors")
	f.BoolVarP(&g.watch, "watch", "w", false, "watch for changes")
	f.BoolVar(&g.watchOnly, "watch-only", false, "print changes only, not the current resources")
	f.BoolVar(&g.watchEvents, "output-watch-events", false, "with -w: print the event type: ADDED, MODIFIED, DELETED")
	for _, known := range [...]string{"output-watch-events", "show-kind", "watch-only"} { // to users of kubectl
		_ = f.MarkHidden(known)
	}
	f.StringVar(&g.object, "for", "", "only events about this resource: task/login-form")
	f.Var(&g.since, "since", "only violations of the last 90m, 24h or 7d (default: all stored violations)")
	f.StringVar(&g.session, "session", "", "only violations of this session")
	f.StringVar(&g.rule, "rule", "", "only violations of this rule: write-gate")
	f.StringVar(&g.holder, "as", "", "only shell rules of this role (default: of all roles)")
	a.completeFlagNames(c, "session", resources.Sessions)
	a.completeFlagNames(c, "as", resources.Roles)
	g.asOf.declare(f)
	f.Lookup("as-of").Usage = "list mems as of this date: 2026-11-21, or an RFC 3339 time"
	completeFlag(c, "output", "wide", "json", "yaml", "name", "jsonpath=", "custom-columns=", "go-template=")
	return c
}

// view is a parsed request for objects.
type view struct {
	request kindRequest
	find    queries.Find
	printer printers.Printer
	ignore  bool // missing objects are not an error
}

// get runs idumb get for resources, records and computed records.
func (a *app) get(c *cobra.Command, g *getFlags, args []string) error {
	ctx := c.Context()
	if len(args) > 0 {
		if record, is := recordOf(args[0]); is {
			return a.getRecords(c, g, record, args[1:])
		}
		if err := refuseRecordFlags(c); err != nil {
			return err
		}
		if kind, is := computedOf(args[0]); is {
			if err := refuseOthers(c, "--%s does not apply to computed records; use --field-selector or -o jsonpath", computedFlags(kind)); err != nil {
				return err
			}
			return a.showComputed(ctx, kind, g, args[1:])
		}
	}
	if g.path != "" {
		g.path = strings.TrimSuffix(a.fileFromRoot(g.path), "/")
	}
	if g.watchEvents && !g.watch && !g.watchOnly {
		return errors.New("--output-watch-events requires -w")
	}
	v, err := g.view(a.bareTasks(args), a.colour)
	if err != nil {
		return err
	}
	at, err := g.asOf.time()
	if err != nil {
		return err
	}
	if g.watch || g.watchOnly {
		if !at.IsZero() {
			return errors.New("cannot use --as-of with -w")
		}
		if v.request.Several() {
			return errors.New("you may only specify a single resource type with --watch; start one for each")
		}
		if v.find.SortBy != "" {
			a.errf("warning: --watch requested, --sort-by will be ignored for watch events received\n")
		}
		p := watchPrinter{view: v, silent: g.watchOnly}
		p.follower = follower{app: a, find: v.find, rows: !v.printer.Format.NeedsDocument(), step: p.print}
		return p.follow(ctx)
	}
	by := a.answers(ctx, kindsFor(v.request)...)
	if !at.IsZero() {
		if err := v.checkAsOf(); err != nil {
			return err
		}
		by.lookBack(at, nil)
	}
	return a.show(by, v)
}

// checkAsOf returns an error unless all kinds are mems: only mems record what was known when.
func (v *view) checkAsOf() error {
	for _, kind := range v.request.AllKinds() {
		if kind.Plural != resources.Mems {
			return fmt.Errorf("--as-of supports only mems; use git log -- .idumb/%s for earlier versions", kind.Plural)
		}
	}
	return nil
}

// view converts the flags and arguments of idumb get to a request for objects.
func (g *getFlags) view(args []string, colour terminal.ColourMode) (v *view, err error) {
	v = &view{ignore: g.ignoreNotFound}
	if v.request, err = parseRequest(args); err != nil {
		return nil, err
	}
	if _, err = selectors.ParseLabels(g.labels); err != nil {
		return nil, err
	}
	fields, err := selectors.ParseFields(g.fields)
	if err != nil {
		return nil, err
	}
	if err = v.checkFields(fields, g.sortBy); err != nil {
		return nil, err
	}
	if len(v.request.Keys) > 0 && (g.labels != "" || fields != nil || g.path != "") {
		return nil, errors.New("name cannot be provided when a selector is specified")
	}
	v.find = queries.Find{Kinds: plurals(v.request.Kinds), Keys: v.request.Keys, Labels: g.labels, Fields: g.fields, Path: g.path, SortBy: g.sortBy}
	if _, err = v.find.Choice(); err != nil {
		return nil, err
	}
	format, err := printers.ParseFormat(g.output)
	v.printer = printers.Printer{
		Format: format, Colour: colour, NoHeaders: g.noHeaders, ShowLabels: g.showLabels, LabelColumns: g.labelColumns,
		Actions: g.watchEvents, Qualified: v.request.Several() || g.showKind,
	}
	return v, err
}

// notFound returns the error for named objects that do not exist, or nil.
func (v *view) notFound(missing []string) error {
	var errs []error
	for _, text := range missing {
		kind, name, _ := strings.Cut(text, "/")
		errs = append(errs, apierrors.NotFound(resources.Key{Kind: kind, Name: name}))
	}
	if v.ignore {
		return nil
	}
	return errors.Join(errs...)
}

// show prints the found objects. Without objects, lists are printed empty and tables as a notice.
func (a *app) show(by answers, v *view) error {
	if v.printer.Format.NeedsDocument() {
		return a.showObjects(by, v)
	}
	found, err := ask[queries.Tables](by, queries.AskTables, v.printer.Shape().Values(v.find.Values()))
	if err != nil {
		return err
	}
	missing := v.notFound(found.Missing)
	if len(found.Tables) == 0 {
		a.sayNothing(v, missing)
	}
	for i := range found.Tables {
		if i > 0 && v.printer.Format.Table() {
			fmt.Fprintln(a.stdout)
		}
		if err := v.printer.PrintTable(a.stdout, &found.Tables[i]); err != nil {
			return errors.Join(err, missing)
		}
	}
	return missing
}

// showObjects prints in a format that needs full objects.
func (a *app) showObjects(by answers, v *view) error {
	objects, hangUp, err := stream[queries.List](by, queries.AskObjects, v.find.Values())
	defer hangUp()
	if err != nil {
		return err
	}
	missing := v.notFound(objects.Missing)
	if objects.Empty && (v.request.One() || missing != nil || len(objects.Missing) > 0 || v.printer.Format.Name == "custom-columns") {
		a.sayNothing(v, missing)
		return missing
	}
	return errors.Join(v.printer.Print(a.stdout, objects, v.request.One()), missing)
}

// sayNothing prints that nothing was found, unless the error about missing objects does.
func (a *app) sayNothing(v *view, missing error) {
	if missing == nil && !(v.ignore && len(v.request.Keys) > 0) {
		a.errf("No resources found\n")
	}
}

// plurals returns the plural names of kinds.
func plurals(kinds []*resources.Kind) []string {
	var names []string
	for _, kind := range kinds {
		names = append(names, kind.Plural)
	}
	return names
}
