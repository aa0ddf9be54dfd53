package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/cmd/internal/naming"
	"github.com/idumb-dev/idumb/cmd/internal/selectors"
	"github.com/idumb-dev/idumb/resources"
)

// selection says which objects a verb is about: by name, by label, all of a
// kind, or those that files describe.
type selection struct {
	labels    string
	all       bool
	files     []string
	recursive bool
}

func addSelectionFlags(c *cobra.Command, s *selection) {
	c.Flags().StringVarP(&s.labels, "selector", "l", "", "all objects of the kind with these labels: a=b,c in (d,e),!f")
	c.Flags().BoolVar(&s.all, "all", false, "all objects of the kind")
	addFileFlags(c, &s.files, &s.recursive)
}

// keys returns the objects that are meant; none is no error.
func (a *app) keys(ctx context.Context, repo mutate.Repo, s *selection, args []string) ([]resources.Key, error) {
	if s.labels == "" && !s.all {
		return a.named(args, s.files, s.recursive)
	}
	switch {
	case s.labels != "" && s.all:
		return nil, errors.New("cannot set --all and --selector at the same time")
	case len(s.files) > 0:
		return nil, errors.New("when -f names the objects, --all and --selector cannot be given")
	case len(args) != 1:
		return nil, errors.New("name cannot be provided when a selector is specified; give a kind: idumb delete tasks -l a=b")
	}
	kind, err := naming.Kind(args[0])
	if err != nil {
		return nil, err
	}
	selector, err := selectors.ParseLabels(s.labels)
	if err != nil {
		return nil, err
	}
	return repo.Select(ctx, kind.Plural, selector.Matches)
}
