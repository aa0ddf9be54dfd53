package main

import (
	"errors"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/controller/serve/questions"
)

// newReview makes the verb that lists what somebody should look at or, with names, hands tasks in.
func newReview(a *app) *cobra.Command {
	c := newMove(lifecycle.Review)(a)
	handIn, propose := c.RunE, c.ValidArgsFunction
	var f concernFlags
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return handIn(c, args)
		}
		if given := c.Flags().Changed; given("evidence") || given("tests") || given("file") || given("dry-run") {
			return errors.New("name the task that is handed in for review: idumb review TASK")
		}
		f.formats = concernFormats[:]
		f.output, _ = c.Flags().GetString("output")
		return a.reviewAll(c, &f)
	}
	c.ValidArgsFunction = propose
	c.Flags().BoolVar(&f.noHeaders, "no-headers", false, wideHeaders)
	c.Flags().Lookup("output").Usage = "print the list as " + strings.Join(concernFormats[:], ", ") + "; of a task that is handed in: json, yaml or name"
	completeFlag(c, "output", concernFormats[:]...)
	return c
}

func (a *app) reviewAll(c *cobra.Command, f *concernFlags) error {
	p, err := f.printer()
	if err != nil {
		return err
	}
	a.lookAtActive(c.Context())
	all, err := ask[[]questions.Concern](a.answers(c.Context()), questions.AskConcerns, url.Values{"all": {"true"}})
	if err != nil {
		return err
	}
	return a.printConcerns(p, all)
}
