package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

func newAdd(a *app) *cobra.Command {
	var w writeFlags
	task := resources.New[*resources.Task](resources.Tasks, "")
	spec := &task.Spec
	c := newCommand("add", cobra.MinimumNArgs(1), nil)
	f := c.Flags()
	read := a.specFlags(c, task, "title")
	f.Lookup("plan").Usage, f.Lookup("expect").Usage = "the plan of the task (default: see above)", "the expected result (default: the title)"
	f.StringVar(&task.Metadata.Name, "name", "", "the name (default: derived from the title)")
	f.StringToStringVar(&task.Metadata.Labels, "labels", nil, "labels: a=b,c=d")
	addWriteFlags(c, &w)
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := read(); err != nil {
			return err
		}
		title, err := a.titleOf(args, spec)
		if err == nil {
			err = a.readBody(spec)
		}
		if err != nil {
			return err
		}
		spec.Title = title
		return a.add(c, &w, task)
	}
	return c
}

// titleOf returns the title in the arguments. A single "-" means standard input.
func (a *app) titleOf(args []string, spec *resources.TaskSpec) (string, error) {
	if len(args) == 1 && args[0] == "-" && (spec.Description == "-" || spec.Notes == "-") {
		return "", errors.New("the title and --description or --notes cannot both be read from standard input; give one of them as a text")
	}
	text, err := a.textOf(args)
	if err != nil {
		return "", err
	}
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return "", errors.New("the title is empty; give the task a title")
	}
	return text, nil
}

// add creates a task and prints the values that it chose.
func (a *app) add(c *cobra.Command, w *writeFlags, task *resources.Task) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	a.warnOfHidden("") // before the write, after which the worktree has a plan
	said := task.Spec.WorkPlan != ""
	results, err := repo.Add(c.Context(), task)
	if err != nil {
		return err
	}
	a.echoUID(w, task)
	if len(results) > 1 {
		a.errf("workplan/%s created for tasks without a plan; to create another plan, run idumb create workplan NAME --title ... --accept ...\n", task.Spec.WorkPlan)
	} else if !said {
		a.errf("in workplan/%s\n", task.Spec.WorkPlan)
	}
	return a.echo(w, task, mutate.Created)
}
