package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/adopt"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// fromSession declares --from-session, which creates the work plan and its tasks from the to-do list of an agent. It
// returns the function that creates a plan with or without it.
func (a *app) fromSession(c *cobra.Command) func(*cobra.Command, *writeFlags, resources.Object) error {
	var session string
	c.Flags().StringVar(&session, "from-session", "", "create tasks from the open items of the to-do list that an agent keeps in its host, or from the steps of its plan (default: the latest list)")
	c.Flags().Lookup("from-session").NoOptDefVal = adopt.Latest
	c.MarkFlagsOneRequired("title", "from-session")
	c.RegisterFlagCompletionFunc("from-session", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		if root, err := a.root(); err == nil {
			for _, l := range hooks.TodoLists(root) {
				names = append(names, l.Session)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
	return func(c *cobra.Command, w *writeFlags, o resources.Object) error {
		if session == "" {
			return a.createOne(c, w, o)
		}
		root, err := a.root()
		if err != nil {
			return err
		}
		list, err := adopt.ListOf(root, session)
		if err != nil {
			return err
		}
		return a.adoptList(c.Context(), w, root, list, o.(*resources.WorkPlan))
	}
}

// adoptList creates the plan and the tasks of a list, and prints them with the proposed paths, order and evidence.
func (a *app) adoptList(ctx context.Context, w *writeFlags, root layout.Root, list *resources.TodoList, plan *resources.WorkPlan) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	made, err := adopt.Adopt(ctx, repo, root, list, plan)
	if err != nil {
		return err
	}
	a.echoUID(w, plan)
	if err := a.echo(w, plan, mutate.Created); err != nil {
		return err
	}
	for _, t := range made.Tasks {
		a.echoUID(w, t)
		if err := a.echo(w, t, mutate.Created); err != nil {
			return err
		}
		if text := proposedText(&t.Spec); text != "" && w.output == "" {
			a.outf("    %s\n", terminal.EscapeLine(text))
		}
	}
	for _, note := range made.Notes {
		a.errf("Warning: %s\n", terminal.EscapeLine(note))
	}
	if made.Started == nil {
		return nil
	}
	return a.echo(w, made.Started, "started")
}

// proposedText describes the fields of a task that were proposed for an item.
func proposedText(t *resources.TaskSpec) string {
	var parts []string
	add := func(what string, names []string) {
		if len(names) > 0 {
			parts = append(parts, what+" "+strings.Join(names, ", "))
		}
	}
	add("depends on", t.DependsOn)
	add("paths", t.Paths)
	for _, item := range t.Evidence {
		add("evidence:", []string{item.String()})
	}
	return strings.Join(parts, "; ")
}

// todoNames returns the sessions whose to-do lists the arguments of delete name: todos NAME... or todo/NAME... It
// returns false for arguments that name none.
func todoNames(args []string) (names []string, ok bool) {
	isTodos := func(word string) bool {
		k, found := computedOf(word)
		return found && k.Question.Name == queries.AskTodoLists
	}
	if len(args) > 0 && isTodos(args[0]) {
		return args[1:], true
	}
	for _, arg := range args {
		kind, name, found := strings.Cut(arg, "/")
		if !found || !isTodos(kind) {
			return nil, false
		}
		names = append(names, name)
	}
	return names, len(names) > 0
}

// dismissTodos removes the records of to-do lists. The agents' own lists in their hosts remain.
func (a *app) dismissTodos(w *writeFlags, names []string) error {
	if len(names) == 0 {
		return errors.New("name the sessions whose to-do lists to delete; see the lists: idumb get todos")
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	return each(names, func(name string) error {
		if _, found := hooks.TodoListOf(root, name); !found {
			return adopt.Missing(root, name)
		}
		if !w.dry() {
			if err := hooks.RemoveTodoList(root, name); err != nil {
				return err
			}
		}
		a.outf("todo/%s deleted%s\n", name, w.suffix())
		return nil
	})
}
