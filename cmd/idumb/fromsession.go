package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// latestList is the value of --from-session without a session.
const latestList = "latest"

// fromSession declares --from-session, which creates the work plan and its tasks from the to-do list of an agent. It
// returns the function that creates a plan with or without it.
func (a *app) fromSession(c *cobra.Command) func(*cobra.Command, *writeFlags, resources.Object) error {
	var session string
	c.Flags().StringVar(&session, "from-session", "", "create tasks from the open items of the to-do list that an agent keeps in its host, or from its accepted plan (default: the latest list)")
	c.Flags().Lookup("from-session").NoOptDefVal = latestList
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
		list, err := todoList(root, session)
		if err != nil {
			return err
		}
		return a.adoptList(c.Context(), w, root, list, o.(*resources.WorkPlan))
	}
}

// todoList returns the to-do list of a session, or the latest list that was not adopted. It returns an error if the
// list does not exist or has no open items.
func todoList(root layout.Root, session string) (*resources.TodoList, error) {
	for _, l := range hooks.TodoLists(root) {
		switch {
		case session == latestList && (l.Adopted != "" || len(stepsOf(&l)) == 0), session != latestList && l.Session != session:
		case l.Adopted != "":
			return nil, fmt.Errorf("the list of session %q is already workplan/%s; see it: idumb tree workplan/%[2]s", session, l.Adopted)
		case len(stepsOf(&l)) == 0:
			return nil, fmt.Errorf("the list of session %q has no open items; see the lists: idumb get todos", session)
		default:
			return &l, nil
		}
	}
	if session == latestList {
		return nil, errors.New("no agent has a to-do list with open items; see the lists: idumb get todos")
	}
	return nil, noTodoList(root, session)
}

// noTodoList returns the error for a session without a to-do list in this worktree.
func noTodoList(root layout.Root, session string) error {
	for _, tree := range root.Trees() {
		if _, found := hooks.TodoListOf(tree, session); found {
			return fmt.Errorf("session %q keeps its to-do list in another worktree; run the command there: idumb -C %s", session, resources.ShellWord(string(tree)))
		}
	}
	return fmt.Errorf("session %q has no to-do list; see the lists: idumb get todos", session)
}

// planStep matches a step of a plan in Markdown: an item of a list that is not indented.
var planStep = regexp.MustCompile(`(?m)^(?:[-*+]|\d+[.)])[ \t]+(?:\[ \] )?(.+)$`)

// stepsOf returns the open items of a list, or without items the steps of its accepted plan.
func stepsOf(l *resources.TodoList) []resources.Todo {
	if len(l.Items) > 0 {
		return l.Open()
	}
	var steps []resources.Todo
	for _, m := range planStep.FindAllStringSubmatch(l.Plan, -1) {
		steps = append(steps, resources.Todo{Text: strings.TrimSpace(m[1]), State: resources.TodoPending})
	}
	return steps
}

// adoptList creates the plan, and a task for each open item of a list. If the plan is active, it starts the item in
// progress for the session that works on it, so that the plan does not stop its writes.
func (a *app) adoptList(ctx context.Context, w *writeFlags, root layout.Root, list *resources.TodoList, plan *resources.WorkPlan) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	if agent := repo.Author; agent.Kind == admission.Agent && agent.Session != list.Session {
		return fmt.Errorf("cannot make a plan of the list of session %q: it belongs to another agent; a user can: idumb create workplan --from-session=%[1]s", list.Session)
	}
	plan.Spec.Title = cmp.Or(plan.Spec.Title, "To-do list of "+resources.Holder{Host: list.Host, Session: list.Session}.Brief())
	if plan.Metadata.Name == "" {
		plan.Metadata.Name = resources.NameOf(plan.Spec.Title)
	}
	tasks, current := tasksOf(list, plan.Metadata.Name)
	objects := []resources.Object{plan}
	for _, t := range tasks {
		objects = append(objects, t)
	}
	if _, err := repo.Create(ctx, objects...); err != nil {
		return err
	}
	for _, o := range objects {
		a.echoUID(w, o)
		if err := a.echo(w, o, mutate.Created); err != nil {
			return err
		}
	}
	if w.dry() {
		return nil
	}
	err = hooks.ChangeTodoList(root, list.Session, func(now *resources.TodoList) bool { // the agent may have changed it
		now.Adopted = plan.Metadata.Name
		for i, step := range stepsOf(list) {
			if j := slices.IndexFunc(now.Items, func(t resources.Todo) bool { return t.Task == "" && t.ID == step.ID && t.Text == step.Text }); j >= 0 {
				now.Items[j].Task = tasks[i].Metadata.Name
			}
		}
		return true
	})
	if err != nil {
		a.errf("Warning: the list is not marked as adopted: %v\n", err)
	}
	if current == "" || plan.Spec.State != resources.PlanActive {
		return nil
	}
	start, _ := acts.Named(a.table(), string(transition.Start))
	repo.Author, repo.Process = admission.Author{Kind: admission.Agent, Session: list.Session}, list.Process
	moved, err := start.Do(ctx, acts.Actor{Repo: repo}, resources.Key{Kind: resources.Tasks, Name: current}, acts.Said{})
	if err != nil {
		a.errf("Warning: task/%s is not started for the session: %v\n", current, err)
		return nil
	}
	if err := hooks.WorkOn(root, list.Session, current); err != nil {
		a.errf("Warning: session %s does not know that it works on task/%s: %v\n", list.Session, current, err)
	}
	return a.echo(w, moved.New, "started")
}

// tasksOf returns a task for each open item of a list, and the name of the task of the item in progress, or "".
func tasksOf(list *resources.TodoList, plan string) (tasks []*resources.Task, current string) {
	named, used := map[string]string{}, map[string]bool{}
	steps := stepsOf(list)
	for i, step := range steps {
		first := plan + "-" + cmp.Or(resources.NameOf(step.Text), "step")
		name := first
		for n := 2; used[name]; n++ {
			name = fmt.Sprintf("%s-%d", first, n)
		}
		used[name] = true
		named[step.ID] = name
		t := resources.New[*resources.Task](resources.Tasks, name)
		t.Spec.WorkPlan, t.Spec.Title, t.Spec.ExpectedOutput = plan, step.Text, step.Text
		tasks = append(tasks, t)
		if step.State == resources.TodoActive && current == "" {
			current = tasks[i].Metadata.Name
		}
	}
	for i, step := range steps {
		for _, id := range step.BlockedBy {
			if on := named[id]; on != "" && id != "" && on != tasks[i].Metadata.Name { // done items block nothing
				tasks[i].Spec.DependsOn = append(tasks[i].Spec.DependsOn, on)
			}
		}
	}
	return tasks, current
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
			return noTodoList(root, name)
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
