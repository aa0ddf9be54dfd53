package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/show/tree"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// recallFlags holds the flags of idumb mem search.
type recallFlags struct {
	packer.Question
	asOf
	printFlags
}

func newMemSearch(a *app) *cobra.Command {
	var f recallFlags
	c := newCommand("mem search", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		f.Text = strings.Join(args, " ")
		return a.recall(c, &f)
	})
	c.ValidArgsFunction = cobra.NoFileCompletions
	flags := c.Flags()
	flags.IntVar(&f.Most, "limit", 8, "the maximum number of results; 0 means no limit")
	flags.StringVar(&f.Type, "type", "", "only mems of this type")
	flags.StringVar(&f.Shelf, "shelf", "", "only mems of this shelf")
	flags.StringSliceVar(&f.Tags, "tags", nil, "only mems with all of these tags: a,b")
	flags.StringArrayVar(&f.Paths, "path", nil, "a file that the query is about; repeatable")
	flags.BoolVar(&f.History, "all", false, "include replaced, purged and expired mems")
	f.asOf.declare(flags)
	f.printFlags.declare(c, "wide", "json", "yaml", "name", "jsonpath=")
	flags.Lookup("no-headers").Usage = wideHeaders
	completeFlag(c, "type", memTypes()...)
	return c
}

func memTypes() []string {
	return resources.Choices(resources.Mems, "spec.type")
}

// recall runs idumb mem search: it prints the mems that answer a query, and counts the access to
// each.
func (a *app) recall(c *cobra.Command, f *recallFlags) error {
	p, err := f.printer(a.colour)
	if err != nil {
		return err
	}
	if f.Most < 0 || strings.TrimSpace(f.Text) == "" {
		return errors.New("name a query; --limit 0 means no limit")
	}
	if types := memTypes(); f.Type != "" && !slices.Contains(types, f.Type) {
		return fmt.Errorf("unknown mem type %q; use one of %s", f.Type, strings.Join(types, ", "))
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	for i := range f.Paths {
		f.Paths[i] = a.fileFromRoot(f.Paths[i])
	}
	by := a.memAnswers(c, &f.asOf, status.WorkKinds()...) // all kinds that phases and confidence depend on
	found, err := ask[[]queries.Recalled](by, queries.AskRecall, queries.RecallValues(f.Question))
	if err != nil {
		return err
	}
	names := make([]string, 0, len(found))
	for i := range found {
		names = append(names, found[i].Name)
	}
	defer func() {
		if err := mems.CountAccess(root.Scratch(), names, a.now()); requests.IsNoAccess(err) {
			a.errf("cannot record the recall of these mems: %v\n", err)
		}
	}()
	table := recordTable[queries.Recalled]{
		headers: []string{"NAME", "TYPE", "PHASE", "CONFIDENCE", "SCORE", "TITLE", "WHY"}, always: 7, nothing: "No resources found", name: recalledName, text: recalledText,
		row: func(r queries.Recalled) []string {
			return []string{r.Name, r.Type, r.Phase, fmt.Sprint(r.Confidence), fmt.Sprint(r.Score), r.Title, r.Reason}
		},
	}
	return table.print(a, p, found)
}

// recalledName returns a recalled mem as -o name prints it.
func recalledName(r queries.Recalled) string {
	return qualified(resources.Key{Kind: resources.Mems, Name: r.Name})
}

// maxRecalled is the maximal length of a printed mem, in characters.
const maxRecalled = 400

// recalledText formats one answer: the mem, its content, and the reason for its score.
func recalledText(r queries.Recalled) string {
	text := r.Content
	if title := r.Title; title != "" && !strings.HasPrefix(text, title) {
		text = title + ": " + text
	}
	return recalledName(r) + "  " + r.Type + "  " + r.Phase + indented(resources.Shortened(strings.Join(strings.Fields(text), " "), maxRecalled, "...")) + indented(fmt.Sprintf("why: score %d: %s", r.Score, r.Reason))
}

// indented formats a sentence as indented lines below another line.
func indented(text string) string { return "\n  " + terminal.Wrap(terminal.EscapeLine(text), 78, "  ") }

func newMemTree(a *app) *cobra.Command {
	var o tree.MemOptions
	var f asOf
	var output string
	c := newCommand("mem tree", nil, func(c *cobra.Command, args []string) error { return a.memTree(c, o, &f, output, args) })
	c.ValidArgsFunction = a.completeMems()
	c.Flags().BoolVar(&o.History, "all", false, "include replaced, purged and expired mems")
	c.Flags().BoolVar(&o.ASCII, "ascii", false, "draw with |, - and ` (default if the locale is not UTF-8)")
	_ = c.Flags().MarkHidden("ascii")
	c.Flags().StringVarP(&output, "output", "o", "", "print the mems of the tree like get: json, yaml, name, jsonpath=...")
	c.MarkFlagsMutuallyExclusive("output", "ascii")
	f.declare(c.Flags())
	completeFlag(c, "output", "json", "yaml", "name", "jsonpath=")
	return c
}

// memTree runs idumb mem tree: it draws mems by shelf and type, each below the mem that it
// refines, or prints them in another format.
func (a *app) memTree(c *cobra.Command, o tree.MemOptions, f *asOf, output string, args []string) error {
	format, err := printers.ParseFormat(output, "json", "jsonpath", "name", "yaml")
	if err != nil {
		return err
	}
	keys, err := allNamedOf(resources.Mems, args, notMem)
	if err != nil {
		return err
	}
	for _, key := range keys {
		o.Mems = append(o.Mems, key.Name)
	}
	by := a.memAnswers(c, f)
	if format.Name != "" {
		return a.show(by, &view{find: memsDrawn(&o), printer: printers.Printer{Format: format, Colour: a.colour}})
	}
	a.look(&o.Look)
	return a.draw(by, tree.AskMems, o.Values())
}

// memsDrawn returns the selection of the mems in a tree: the named ones, otherwise all that the tree
// shows.
func memsDrawn(o *tree.MemOptions) (find queries.Find) {
	for _, name := range o.Mems {
		find.Keys = append(find.Keys, resources.Key{Kind: resources.Mems, Name: name})
	}
	if len(find.Keys) == 0 {
		find.Kinds = []string{resources.Mems}
		if !o.History {
			find.Fields = memory.ShownPhases()
		}
	}
	return find
}
