package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// reviewFlags holds the flags of idumb review.
type reviewFlags struct {
	asOf
	printFlags
	stale bool
}

// reviewed lists the kinds of review.
var reviewed = [...]string{resources.Tasks, resources.WorkPlans, resources.Anchors, resources.Mems, resources.Artifacts}

// newReview returns the command that lists objects to review.
func newReview(a *app) *cobra.Command {
	var f reviewFlags
	c := newCommand("review", cobra.MaximumNArgs(1), func(c *cobra.Command, args []string) error { return a.review(c, &f, args) })
	c.ValidArgs = []string{"tasks", "plans", "anchors", "mems", "artifacts"}
	f.printFlags.declare(c, "wide", "json", "yaml", "name", "jsonpath=")
	c.Flags().Lookup("no-headers").Usage = wideHeaders
	f.asOf.declare(c.Flags())
	c.Flags().BoolVar(&f.stale, "stale", false, "only stale and fading mems, lowest confidence first")
	return c
}

// review runs idumb review: it prints what needs a decision of the user, limited to the kinds in
// args.
func (a *app) review(c *cobra.Command, f *reviewFlags, args []string) error {
	p, err := f.printer(a.colour)
	if err != nil {
		return err
	}
	kinds, err := reviewKinds(args)
	if err != nil {
		return err
	}
	only := func(of ...string) bool {
		return len(kinds) > 0 && !slices.ContainsFunc(kinds, func(kind string) bool { return !slices.Contains(of, kind) })
	}
	memory := only(resources.Mems, resources.Anchors)
	asked := url.Values{"all": {"true"}}
	switch {
	case f.stale && len(kinds) > 0 && !only(resources.Mems):
		return errors.New("--stale supports only mems: idumb review mems --stale")
	case f.asOf.text != "" && len(kinds) > 0 && !memory:
		return errors.New("--as-of supports only mems and anchors")
	case f.stale:
		asked = url.Values{"stale": {"true"}}
	case memory || f.asOf.text != "":
		asked = nil
	case only(resources.Artifacts):
		asked = url.Values{"artifacts": {"true"}}
	default:
		a.recordEvidence(c.Context())
	}
	all, err := ask[[]queries.ReviewItem](a.memAnswers(c, &f.asOf), queries.AskReviewItems, asked)
	if err != nil {
		return err
	}
	if len(kinds) > 0 {
		all = slices.DeleteFunc(all, func(n queries.ReviewItem) bool { return !slices.Contains(kinds, n.Key.Kind) })
	}
	return a.printConcerns(p, all)
}

// reviewKinds parses KIND[,KIND...], the kinds to review. Without an argument it returns nil, which
// means all.
func reviewKinds(args []string) (kinds []string, err error) {
	if len(args) == 0 {
		return nil, nil
	}
	for word := range strings.SplitSeq(args[0], ",") {
		kind, err := kindOfWord(word)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(reviewed[:], kind.Plural) {
			return nil, fmt.Errorf("cannot review %s; use tasks, plans, anchors, mems or artifacts", kind.Plural)
		}
		kinds = append(kinds, kind.Plural)
	}
	return kinds, nil
}
