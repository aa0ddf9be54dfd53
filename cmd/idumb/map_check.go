package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/resources/project/lint"
)

// checkFlags holds the flags of idumb map check.
type checkFlags struct {
	printFlags
	since string
	fail  bool
}

func newMapCheck(a *app) *cobra.Command {
	var f checkFlags
	c := newCommand("map check", nil, func(c *cobra.Command, args []string) error { return a.mapCheck(c.Context(), &f, args) })
	f.declare(c, "wide", "json", "yaml", "jsonpath=")
	c.Flags().StringVar(&f.since, "since", "", "only findings that are new since this commit, branch or tag")
	c.Flags().BoolVar(&f.fail, "fail", false, "exit with 1 if a finding is listed")
	return c
}

// mapCheck prints where the working tree contradicts itself.
func (a *app) mapCheck(ctx context.Context, f *checkFlags, paths []string) error {
	p, err := f.printer(a.colour)
	if err != nil {
		return err
	}
	for i, path := range paths {
		paths[i] = a.fileFromRoot(path)
	}
	found, err := ask[code.Check](a.answers(ctx), code.AskCheck, url.Values{"path": paths, "since": {f.since}})
	if err != nil {
		return err
	}
	table := recordTable[lint.Finding]{
		headers: []string{"RULE", "PLACE", "WORDS", "IS", "SYMBOL", "EVIDENCE"}, always: 4, nothing: "No contradictions found",
		row: func(r lint.Finding) []string {
			return []string{r.Rule, placeOf(r), r.Words, r.Is, r.Symbol, r.Evidence}
		},
		text: func(r lint.Finding) string {
			return fmt.Sprintf("%s  %s\n    %s\n    -> %s", placeOf(r), r.Rule, r.Words, r.Is)
		},
	}
	if err := table.print(a, p, found.Items); err != nil {
		return err
	}
	a.sayLeftOut(found.Scope)
	if f.fail && len(found.Items) > 0 {
		return fmt.Errorf("%d contradictions found; idumb map check lists them", len(found.Items))
	}
	return nil
}

func placeOf(r lint.Finding) string { return r.File + ":" + strconv.Itoa(r.Line) }
