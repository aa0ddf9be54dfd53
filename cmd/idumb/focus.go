package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func newFocus(a *app) *cobra.Command {
	var w writeFlags
	var intent string
	c := newCommand("focus", cobra.MaximumNArgs(2), func(c *cobra.Command, args []string) error {
		if len(args) == 0 && intent == "" {
			return a.tellFocus(c.Context())
		}
		return a.focus(c.Context(), &w, intent, args)
	})
	c.Flags().StringVar(&intent, "intent", "", "the current goal, in one sentence")
	c.ValidArgsFunction = func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || strings.Contains(word, "/") {
			return a.completeObjects(completeNames)(c, args, word)
		}
		return append(a.namesOf(c.Context(), resources.WorkPlans, word, nil), a.namesOf(c.Context(), resources.Tasks, word, nil)...), noFiles
	}
	addWriteFlags(c, &w)
	return c
}

// focus runs idumb focus with arguments: it sets the plan, the tasks or the intent in focus, and
// prints which tasks were released.
func (a *app) focus(ctx context.Context, w *writeFlags, intent string, args []string) error {
	keys, err := focusKeys(args)
	if err != nil {
		return err
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	focused, err := repo.Focus(ctx, intent, keys...)
	if err != nil {
		return err
	}
	head := focused.New.(*resources.Trajectory).Spec
	if head.ActivePlan != "" {
		a.errf("in focus: %s\n", inFocus(head.ActivePlan, a.liveTasks(head.ActiveTasks)))
	}
	if p, ok := a.fileOf(resources.WorkPlans, head.ActivePlan).(*resources.WorkPlan); ok && status.DraftNote(p) != "" {
		a.errf("%s\n", status.DraftNote(p))
	}
	for _, task := range focused.Parked {
		a.errf("released with its progress: task/%s; its agent is informed at the next step\n", task)
	}
	return a.echo(w, focused.New, focused.Operation)
}

// focusKeys returns the keys that the arguments may mean.
func focusKeys(args []string) ([]resources.Key, error) {
	switch {
	case len(args) == 0:
		return nil, nil
	case len(args) > 1 || strings.Contains(args[0], "/"):
		return parseKeys(args)
	}
	return []resources.Key{{Kind: resources.WorkPlans, Name: args[0]}, {Kind: resources.Tasks, Name: args[0]}}, nil
}

// tellFocus prints the plan and tasks in focus.
func (a *app) tellFocus(ctx context.Context) error {
	overview, err := ask[queries.Overview](a.answers(ctx), queries.AskOverview, a.readerValues())
	if err != nil {
		return err
	}
	for _, p := range overview.Plans {
		if p.Focus {
			a.outf("%s\n", inFocus(p.Name, a.tasksInFocus()))
			return nil
		}
	}
	a.errf("no plan or task is in focus; set one with idumb focus PLAN or TASK\n")
	return nil
}

// inFocus describes the focus: a plan or one of its tasks, and active tasks of other plans.
func inFocus(plan string, tasks []*resources.Task) string {
	text, others := "workplan/"+plan, ""
	for _, t := range tasks {
		if t.Spec.WorkPlan != plan {
			others += ", and task/" + t.Metadata.Name + " of workplan/" + t.Spec.WorkPlan
		} else if !strings.HasPrefix(text, "task/") {
			text = "task/" + t.Metadata.Name + " of " + text
		}
	}
	return text + others
}

// tasksInFocus returns the live tasks in the trajectory.
func (a *app) tasksInFocus() []*resources.Task {
	if head, ok := a.fileOf(resources.Trajectories, resources.TrajectoryName).(*resources.Trajectory); ok {
		return a.liveTasks(head.Spec.ActiveTasks)
	}
	return nil
}

// liveTasks returns the named tasks that have not ended.
func (a *app) liveTasks(names []string) (tasks []*resources.Task) {
	for _, name := range names {
		if t, ok := a.fileOf(resources.Tasks, name).(*resources.Task); ok && status.LiveTask(t) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// fileOf reads an object from its file. It returns nil if the file cannot be read.
func (a *app) fileOf(kind, name string) resources.Object {
	root, err := a.root()
	if err != nil {
		return nil
	}
	key := resources.Key{Kind: kind, Name: name}
	return root.Object(key, root.Locate(key))
}

func newDelegation(a *app) *cobra.Command {
	return withVerbs(newCommand("delegation", nil, noSubVerb), a.actsBelow("delegation")...)
}
