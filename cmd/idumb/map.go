package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/show/describe"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/resources/project/projectdiff"
)

// mapVerbs lists the subcommands of map.
var mapVerbs = [...]func(*app) *cobra.Command{newMapDeps, newMapWhy, newMapCycles, newMapTodos, newMapCheck, newMapDiff}

func newMap(a *app) *cobra.Command {
	return withVerbs(a.newPrinted("map", a.projectMap, "json", "yaml", "jsonpath="), builtFor(a, mapVerbs[:]...)...)
}

// projectMap prints an overview of the project.
func (a *app) projectMap(ctx context.Context, p *printers.Printer) error {
	o, err := ask[code.Overview](a.answers(ctx), code.AskProject, url.Values{})
	if err != nil {
		return err
	}
	if p.Format.NeedsDocument() {
		return p.PrintValue(a.stdout, o)
	}
	if err := describe.PrintMap(a.stdout, &o, a.now()); err != nil {
		return err
	}
	a.sayLeftOut(o.Scope)
	return nil
}

// mapFlags are the flags of the subcommands of map.
type mapFlags struct {
	printFlags
	dependents, dependencies bool
	depth                    int
	limit                    int
}

// newMapList returns a subcommand of map that prints records.
func newMapList[R any](name string, args cobra.PositionalArgs, table recordTable[R], declare func(*cobra.Command, *mapFlags), find func(context.Context, *mapFlags, []string) ([]R, error)) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		var f mapFlags
		c := newCommand(name, args, func(c *cobra.Command, args []string) error {
			p, err := f.printer(a.colour)
			if err != nil {
				return err
			}
			found, err := find(c.Context(), &f, args)
			if err != nil {
				return err
			}
			return table.print(a, p, found)
		})
		f.declare(c, "wide", "json", "yaml", "jsonpath=")
		if declare != nil {
			declare(c, &f)
		}
		return c
	}
}

// steps returns the table in which idumb map deps and why print imports.
func steps() recordTable[code.Step] {
	return recordTable[code.Step]{
		headers: []string{"DEPTH", "FILE", "IMPORTS", "KIND", "NAMES"}, always: 4, nothing: "No imports found",
		row: func(s code.Step) []string {
			return []string{strconv.Itoa(s.Depth), s.From + ":" + strconv.Itoa(s.Line), s.To, s.Kind, strings.Join(s.Names, ",")}
		},
	}
}

// newMapDeps returns the verb that lists the files that a file imports, or that import it, up to a
// distance.
func newMapDeps(a *app) *cobra.Command {
	declare := func(c *cobra.Command, f *mapFlags) {
		c.Flags().BoolVar(&f.dependents, "up", false, "list files that import PATH")
		c.Flags().BoolVar(&f.dependencies, "down", false, "list files that PATH imports (default)")
		c.Flags().IntVar(&f.depth, "depth", 1, "the maximum distance in imports")
		c.MarkFlagsMutuallyExclusive("up", "down")
	}
	return newMapList("map deps", cobra.ExactArgs(1), steps(), declare, func(ctx context.Context, f *mapFlags, args []string) ([]code.Step, error) {
		if f.depth < 1 {
			return nil, errors.New("--depth must be at least 1")
		}
		direction := "down"
		if f.dependents {
			direction = "up"
		}
		found, err := ask[code.Steps](a.answers(ctx), code.AskDeps, url.Values{"path": {a.fileFromRoot(args[0])}, "direction": {direction}, "depth": {strconv.Itoa(f.depth)}})
		return found.Items, err
	})(a)
}

// newMapWhy returns the verb that prints the chain of imports from one file to another.
func newMapWhy(a *app) *cobra.Command {
	return newMapList("map why", cobra.ExactArgs(2), steps(), nil, func(ctx context.Context, _ *mapFlags, args []string) ([]code.Step, error) {
		found, err := ask[code.Steps](a.answers(ctx), code.AskWhy, url.Values{"from": {a.fileFromRoot(args[0])}, "to": {a.fileFromRoot(args[1])}})
		return found.Items, err
	})(a)
}

// newMapCycles returns the verb that lists the import cycles.
func newMapCycles(a *app) *cobra.Command {
	table := recordTable[code.ImportCycle]{
		headers: []string{"FILES", "CUT", "FREES", "SHORTEST CYCLE"}, always: 4, nothing: "No import cycles found",
		row: func(k code.ImportCycle) []string {
			return []string{strconv.Itoa(k.Size), fmt.Sprintf("%s:%d -> %s", k.Cut.From, k.Cut.Line, k.Cut.To), strconv.Itoa(k.Freed), strings.Join(k.Cycle, " -> ")}
		},
	}
	declare := func(c *cobra.Command, f *mapFlags) {
		c.Flags().IntVar(&f.limit, "max", 0, "exit with 1 if there are more import cycles than this, for CI (default: no check)")
	}
	var c *cobra.Command
	c = newMapList("map cycles", cobra.NoArgs, table, declare, func(ctx context.Context, f *mapFlags, _ []string) ([]code.ImportCycle, error) {
		found, err := ask[code.ImportCycles](a.answers(ctx), code.AskCycles, url.Values{})
		if err == nil && c.Flags().Changed("max") && len(found.Items) > f.limit {
			err = fmt.Errorf("%d import cycles found, --max allows %d; idumb map cycles lists them", len(found.Items), f.limit)
		}
		return found.Items, err
	})(a)
	return c
}

// newMapTodos returns the verb that lists the TODO comments.
func newMapTodos(a *app) *cobra.Command {
	table := recordTable[code.Todo]{
		headers: []string{"PLACE", "WORD", "TEXT", "SYMBOL", "AUTHOR", "TASK", "CODE"}, always: 4, nothing: "No TODO comments found",
		row: func(t code.Todo) []string {
			return []string{t.Path + ":" + strconv.Itoa(t.Line), t.Word, t.Text, t.Symbol, t.Author, t.Task, t.Code}
		},
	}
	return newMapList("map todos", cobra.ArbitraryArgs, table, nil, func(ctx context.Context, _ *mapFlags, args []string) ([]code.Todo, error) {
		found, err := ask[code.Todos](a.answers(ctx), code.AskTodos, a.askedFor(code.Places, args))
		return found.Items, err
	})(a)
}

// newMapDiff returns the verb that lists how the working tree differs from a commit: technologies,
// documents, exported declarations, import cycles and new findings.
func newMapDiff(a *app) *cobra.Command {
	table := recordTable[projectdiff.Change]{
		headers: []string{"KIND", "CHANGE", "NAME", "BEFORE", "AFTER"}, always: 5, nothing: "No differences found",
		row: func(c projectdiff.Change) []string { return []string{c.Kind, c.What, c.Name, c.Old, c.New} },
	}
	var since string
	declare := func(c *cobra.Command, _ *mapFlags) {
		c.Flags().StringVar(&since, "since", "HEAD", "the commit, branch or tag to compare with")
	}
	return newMapList("map diff", cobra.NoArgs, table, declare, func(ctx context.Context, _ *mapFlags, _ []string) ([]projectdiff.Change, error) {
		found, err := ask[code.TreeDiff](a.answers(ctx), code.AskDrift, url.Values{"since": {since}})
		return found.Items, err
	})(a)
}
