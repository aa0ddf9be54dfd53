package main

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/show/tree"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

func newTree(a *app) *cobra.Command {
	var o tree.Options
	c := newCommand("tree", nil, func(c *cobra.Command, args []string) error { return a.tree(c, o, args) })
	c.ValidArgsFunction = a.completeNamesOf(resources.WorkPlans)
	c.Flags().BoolVar(&o.Delegations, "delegations", false, "show delegations instead of plans")
	c.Flags().BoolVar(&o.ASCII, "ascii", false, "draw with |, - and ` (default if the locale is not UTF-8)")
	_ = c.Flags().MarkHidden("ascii")
	c.Flags().IntVar(&o.Checkpoints, "checkpoints", 3, "the number of checkpoints per task, at most 5")
	c.MarkFlagsMutuallyExclusive("delegations", "checkpoints")
	return c
}

// tree runs idumb tree: it draws the given plans and tasks, all plans if none is given, or the
// delegations.
func (a *app) tree(c *cobra.Command, o tree.Options, args []string) error {
	a.warnOfHidden("")
	for _, arg := range args {
		key, err := treeKey(arg)
		if err != nil {
			return err
		}
		if key.Kind == resources.Tasks {
			o.Tasks = append(o.Tasks, key.Name)
			continue
		}
		o.Plans = append(o.Plans, key.Name)
	}
	if o.Delegations && len(o.Tasks) > 0 {
		return errors.New("--delegations does not support task/NAME; use idumb describe")
	}
	a.look(&o.Look)
	return a.draw(a.answers(c.Context()), tree.AskPlans, o.Values())
}

// treeKey parses task/NAME or the name of a plan.
func treeKey(arg string) (resources.Key, error) {
	if key, err := parseKey(arg); err == nil && key.Kind == resources.Tasks {
		return key, nil
	}
	return namedOf(resources.WorkPlans, arg, fmt.Sprintf("%s is not a plan or task; idumb tree shows all plans, idumb describe shows %[1]s", arg))
}

// draw prints a drawing by the controller or from the files.
func (a *app) draw(by answers, name string, parameters url.Values) error {
	drawn, err := ask[queries.Text](by, name, parameters)
	if err != nil {
		return err
	}
	if drawn.Nothing {
		a.errf("No resources found\n")
	}
	_, err = drawn.Buffer.WriteTo(a.stdout)
	return err
}

// look selects the style for the output.
func (a *app) look(l *tree.Look) {
	l.ASCII = l.ASCII || !terminal.Unicode()
	l.Colour = a.colour.For(a.stdout)
}

// allNamedOf parses names like namedOf. wrong contains %s for a name of another kind.
func allNamedOf(kind string, args []string, wrong string) (keys []resources.Key, err error) {
	for _, arg := range args {
		key, err := namedOf(kind, arg, fmt.Sprintf(wrong, arg))
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// namedOf parses NAME, or KIND/NAME of a kind. wrong is the error for another kind.
func namedOf(kind, arg, wrong string) (resources.Key, error) {
	if !strings.Contains(arg, "/") {
		return resources.Key{Kind: kind, Name: arg}, nil
	}
	key, err := parseKey(arg)
	if err == nil && key.Kind != kind {
		err = errors.New(wrong)
	}
	return key, err
}
