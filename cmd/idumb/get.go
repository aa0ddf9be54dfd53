package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/cmd/internal/naming"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/selectors"
	"github.com/idumb-dev/idumb/resources"
)

const getDoc = `Show objects: those of one kind or several, or some by name.

Phases are computed from the files, so the answer is the same with and without a
running controller. Besides the kinds of idumb api-resources, get knows
checkpoints [TASK] and events: records that only grow.

-o takes wide, json, yaml, name, jsonpath=TEMPLATE and custom-columns=SPEC.`

const getExample = `  idumb get tasks                               # all tasks
  idumb get task login-form -o yaml             # one, with its status
  idumb get wp,tasks -o wide                    # two kinds, with more columns
  idumb get tasks -l area=web --field-selector status.phase=blocked
  idumb get tasks --sort-by=.spec.priority
  idumb get tasks -o jsonpath='{range .items[*]}{.metadata.name}{"\n"}{end}'
  idumb get tasks -w                            # go on, with each change`

// getFlags are the flags of get.
type getFlags struct {
	output         string
	labels, fields string
	sortBy         string
	labelColumns   []string
	noHeaders      bool
	showLabels     bool
	ignoreNotFound bool
	watch          bool
	watchOnly      bool
	watchEvents    bool
	asOf           asOf
}

func newGet(a *app) *cobra.Command {
	var g getFlags
	c := &cobra.Command{
		Use: "get (KIND[,KIND...]|all|KIND NAME...|KIND/NAME...) [flags]", Short: "Show objects", Long: getDoc, Example: getExample,
		RunE:              func(c *cobra.Command, args []string) error { return a.get(c.Context(), &g, args) },
		ValidArgsFunction: a.completeObjects(completeLists),
	}
	f := c.Flags()
	f.StringVarP(&g.output, "output", "o", "", "wide, json, yaml, name, jsonpath=..., custom-columns=...")
	f.StringVarP(&g.labels, "selector", "l", "", "only objects with these labels: a=b,c!=d,e in (f,g),!h")
	f.StringVar(&g.fields, "field-selector", "", "only objects with these fields: status.phase=blocked,spec.priority!=low")
	f.StringVar(&g.sortBy, "sort-by", "", "a field to sort by: .spec.priority")
	f.StringSliceVarP(&g.labelColumns, "label-columns", "L", nil, "labels to show as columns of their own")
	f.BoolVar(&g.noHeaders, "no-headers", false, "leave out the names of the columns")
	f.BoolVar(&g.showLabels, "show-labels", false, "add a column with all labels")
	f.BoolVar(&g.ignoreNotFound, "ignore-not-found", false, "an object that does not exist is no error")
	f.BoolVarP(&g.watch, "watch", "w", false, "go on, with each change")
	f.BoolVar(&g.watchOnly, "watch-only", false, "changes only, not what is there now")
	f.BoolVar(&g.watchEvents, "output-watch-events", false, "with -w: say what happened: ADDED, MODIFIED, DELETED")
	g.asOf.declare(f)
	f.Lookup("as-of").Usage = "mems as they were known then: 2026-11-21, or an RFC 3339 time"
	completeFlag(c, "output", "wide", "json", "yaml", "name", "jsonpath=", "custom-columns=")
	return c
}

// view is a request to see objects, with its flags read.
type view struct {
	request naming.Request
	labels  selectors.Labels
	fields  selectors.Fields
	sort    *sorter
	printer printers.Printer
	ignore  bool // objects that do not exist are no error
	brief   bool // of tasks only what a table shows is looked at
}

func (a *app) get(ctx context.Context, g *getFlags, args []string) error {
	if len(args) > 0 {
		if record := recordOf(args[0]); record != "" {
			return a.getRecords(ctx, g, record, args[1:])
		}
	}
	v, err := g.view(args)
	if err != nil {
		return err
	}
	if g.watch || g.watchOnly {
		if g.asOf.text != "" {
			return errors.New("--as-of looks back, and -w ahead; give one of them")
		}
		return a.getWatching(ctx, g, v)
	}
	w, err := a.loadFor(ctx, v.request)
	if err != nil {
		return err
	}
	if err := g.lookBack(w, v); err != nil {
		return err
	}
	v.brief = v.fields == nil && v.sort == nil && !v.printer.Format.NeedsDocument()
	found, missing := v.find(w)
	return errors.Join(a.show(w, v, found, missing), missing)
}

// lookBack honours --as-of: of all kinds, only mems say what was known when.
func (g *getFlags) lookBack(w *world, v *view) error {
	at, err := g.asOf.time()
	if err != nil || at.IsZero() {
		return err
	}
	for _, kind := range v.request.Kinds {
		if kind.Plural != resources.Mems {
			return fmt.Errorf("--as-of is for mems: nothing else says what was known when; git log -- .idumb/%s does", kind.Plural)
		}
	}
	for _, key := range v.request.Keys {
		if key.Kind != resources.Mems {
			return fmt.Errorf("--as-of is for mems: nothing else says what was known when; git log -- .idumb/%s does", key.Kind)
		}
	}
	w.snap, w.now = w.snap.AsOf(at), at
	return nil
}

// view reads the flags and arguments.
func (g *getFlags) view(args []string) (v *view, err error) {
	v = &view{ignore: g.ignoreNotFound}
	if v.request, err = naming.Parse(args); err != nil {
		return nil, err
	}
	if v.labels, err = selectors.ParseLabels(g.labels); err != nil {
		return nil, err
	}
	if v.fields, err = selectors.ParseFields(g.fields); err != nil {
		return nil, err
	}
	if err = v.knows(g.sortBy); err != nil {
		return nil, err
	}
	if len(v.request.Keys) > 0 && (v.labels != nil || v.fields != nil) {
		return nil, errors.New("name cannot be provided when a selector is specified")
	}
	if v.sort, err = newSorter(g.sortBy); err != nil {
		return nil, err
	}
	format, err := printers.ParseFormat(g.output)
	v.printer = printers.Printer{
		Format: format, NoHeaders: g.noHeaders, ShowLabels: g.showLabels, LabelColumns: g.labelColumns,
		Actions: g.watchEvents, Qualified: v.request.Several(),
	}
	return v, err
}

// find returns the objects that are meant, and for those that were named and are
// not there one joined error.
func (v *view) find(w *world) ([]*printers.Entry, error) {
	var found []*printers.Entry
	var missing []error
	for _, kind := range v.request.Kinds {
		found = append(found, w.entries(kind.Plural, v.brief)...)
	}
	for _, key := range v.request.Keys {
		if e := w.entry(key); e != nil {
			found = append(found, e)
		} else if !v.ignore {
			missing = append(missing, failure.NotFound(key))
		}
	}
	return v.filter(found), errors.Join(missing...)
}

func (v *view) filter(entries []*printers.Entry) []*printers.Entry {
	if v.labels == nil && v.fields == nil {
		return entries
	}
	kept := entries[:0]
	for _, e := range entries {
		if v.labels.Matches(e.Labels()) && (v.fields == nil || v.fields.Matches(e.Document())) {
			kept = append(kept, e)
		}
	}
	return kept
}

// show prints what was found. A list of nothing is a list, a table of nothing a notice.
func (a *app) show(w *world, v *view, found []*printers.Entry, missing error) error {
	p := v.printer
	p.Now = w.now
	if p.Format.NeedsDocument() {
		w.join(found...)
	}
	v.sort.sort(found)
	document := p.Format.NeedsDocument() && p.Format.Name != "custom-columns"
	switch {
	case len(found) == 0 && (missing != nil || v.ignore && len(v.request.Keys) > 0):
		return nil
	case len(found) == 0 && !(document && !v.request.One()):
		a.errf("No resources found\n")
		return nil
	case document || !p.Format.Table():
		return p.Print(a.stdout, found, v.request.One())
	}
	return a.showTables(&p, found)
}

// showTables prints one table for each kind, with an empty line between them.
func (a *app) showTables(p *printers.Printer, found []*printers.Entry) error {
	for start := 0; start < len(found); {
		end := start
		for end < len(found) && found[end].Key.Kind == found[start].Key.Kind {
			end++
		}
		if start > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := p.Print(a.stdout, found[start:end], false); err != nil {
			return err
		}
		start = end
	}
	return nil
}

// recordOf returns the kind of record that a word names, "" for none.
func recordOf(word string) string {
	switch word {
	case resources.CheckpointsKind, "checkpoint", "cp":
		return resources.CheckpointsKind
	case resources.EventsKind, "event", "ev":
		return resources.EventsKind
	}
	return ""
}
