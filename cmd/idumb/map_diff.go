package main

import (
	"context"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/resources/project/treediff"
)

// newMapDiff returns the verb that lists how the working tree differs from a commit: technologies,
// documents, exported declarations, import cycles and new findings.
func newMapDiff(a *app) *cobra.Command {
	table := recordTable[treediff.Change]{
		headers: []string{"KIND", "CHANGE", "NAME", "BEFORE", "AFTER"}, always: 5, nothing: "No differences found",
		row: func(c treediff.Change) []string { return []string{c.Kind, c.What, c.Name, c.Old, c.New} },
	}
	var since string
	declare := func(c *cobra.Command, _ *mapFlags) {
		c.Flags().StringVar(&since, "since", "HEAD", "the commit, branch or tag to compare with")
	}
	return newMapList("map diff", cobra.NoArgs, table, declare, func(ctx context.Context, _ *mapFlags, _ []string) ([]treediff.Change, error) {
		found, err := ask[code.TreeDiff](a.answers(ctx), code.AskDrift, url.Values{"since": {since}})
		return found.Items, err
	})(a)
}
