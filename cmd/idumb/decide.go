package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// notDecision is the error for the name of another kind.
const notDecision = "%s is not a decision; use idumb get or describe for other kinds"

func newDecide(a *app) *cobra.Command {
	var w writeFlags
	d := resources.New[*resources.Decision](resources.Decisions, "")
	spec := &d.Spec
	c := newCommand("decide", cobra.MinimumNArgs(1), nil)
	f := c.Flags()
	f.StringVar(&d.Metadata.Name, "name", "", "the name (default: derived from the title)")
	read := a.specFlags(c, d)
	options := f.StringArray("option", nil, "an option, NAME or NAME: NOTE; repeatable")
	tasks := f.StringArray("task", nil, "a task to block until the decision is accepted; repeatable")
	addWriteFlags(c, &w)
	c.ValidArgsFunction = cobra.NoFileCompletions
	a.completeFlagNames(c, "task", resources.Tasks)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := read(); err != nil {
			return err
		}
		title, err := a.textOf(args)
		if err != nil {
			return err
		}
		spec.Title = strings.Join(strings.Fields(title), " ")
		for _, option := range *options {
			name, note, _ := strings.Cut(option, ":")
			spec.Options = append(spec.Options, resources.DecisionOption{Name: strings.TrimSpace(name), Note: strings.TrimSpace(note)})
		}
		for i := range spec.Evidence {
			spec.Evidence[i].Note = a.fileFromRoot(spec.Evidence[i].Note)
		}
		return a.propose(c, &w, d, *tasks)
	}
	return withVerbs(c, a.actsBelow("decide")...)
}

// propose creates a decision and prints the command that decides it.
func (a *app) propose(c *cobra.Command, w *writeFlags, d *resources.Decision, tasks []string) error {
	keys, err := allNamedOf(resources.Tasks, tasks, "%s is not a task; only tasks can be linked to decisions")
	if err != nil {
		return err
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = key.Name
	}
	if _, err := repo.Propose(c.Context(), d, names...); err != nil {
		return err
	}
	a.echoUID(w, d)
	if len(names) > 0 {
		a.errf("blocked until the decision is resolved: %s\n", strings.Join(names, ", "))
	}
	a.errf("proposed; a user decides: idumb decide accept %s\n", d.Metadata.Name)
	return a.echo(w, d, mutate.Created)
}

// supersedeDecision records that decision by replaces decision old, which takes effect once by is
// accepted.
func (a *app) supersedeDecision(c *cobra.Command, w *writeFlags, old, by string) error {
	keys, err := allNamedOf(resources.Decisions, []string{old, by}, notDecision)
	if err != nil {
		return err
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	result, err := repo.Supersede(c.Context(), keys[0], keys[1])
	if err != nil {
		return err
	}
	if d := result.New.(*resources.Decision); resources.DecisionState(d) == resources.DecisionProposed {
		a.errf("the replacement takes effect once it is accepted: idumb decide accept %s\n", d.Metadata.Name)
	}
	return a.echo(w, result.New, done("replaces decision/"+keys[0].Name)(result))
}
