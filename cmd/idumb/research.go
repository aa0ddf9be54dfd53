package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/headlessagent"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
)

func newResearch(a *app) *cobra.Command {
	var w writeFlags
	var q headlessagent.Request
	var wait bool
	c := newCommand("research", cobra.ExactArgs(1), func(c *cobra.Command, args []string) (err error) {
		if q.Question, err = a.textOf(args); err != nil {
			return err
		}
		return a.research(c.Context(), &w, q, wait)
	})
	c.Flags().StringVar(&q.Task, "task", "", "the task (default: the active task)")
	c.Flags().StringVar(&q.Host, "host", "", "the host (default: the first allowed host)")
	c.Flags().BoolVar(&wait, "wait", false, "wait for the answer")
	c.Flags().StringVar(&q.Role, "from", "", "the requesting role")
	c.Flags().StringVar(&q.Parent, "parent", "", "the requesting session")
	hideFlags(c.Flags(), "from", "parent")
	addDryRun(c, &w)
	c.RegisterFlagCompletionFunc("task", a.completePhases(resources.TaskActive))
	completeFlag(c, "host", hosts.Names()...)
	c.ValidArgsFunction = cobra.NoFileCompletions
	return c
}

// research runs idumb research: it starts a research agent in the background, waits for its answer
// with --wait, or prints its command line with --dry-run.
func (a *app) research(ctx context.Context, w *writeFlags, q headlessagent.Request, wait bool) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	root := repo.Store.Root()
	if state, _ := trustStore().Load(root).Examine(); state != trust.Trusted && !trustStore().Load(root).Granted() {
		return errors.New("this repository is not trusted, and a research agent would read its texts; review it, then run idumb trust")
	}
	q.Parent = cmp.Or(q.Parent, repo.Author.Session)
	if err := a.fillRequest(ctx, &q); err != nil {
		return err
	}
	r := headlessagent.Researcher{Repo: repo, SettingsDir: trust.UserDir(root, os.Getenv), Env: os.Environ()}
	host, _, err := r.Plan(ctx, q)
	switch {
	case err != nil:
		return err
	case w.dry():
		h := host.Headless()
		a.outf("task %s, role %s, host %s (dry run)\n%s %s\n", q.Task, headlessagent.Role, host.Name(), h.Program, strings.Join(h.Args, " "))
		return nil
	case !wait:
		name, err := headlessagent.Start(ctx, q, string(root), os.Environ())
		if err == nil {
			a.outf("delegation.%s/%s started\n", resources.Group, name)
		}
		return err
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // the caller may have exited: the answer is kept in any case
	d, err := r.Run(ctx, q, func(d *resources.Delegation) { a.outf("%s started\n", qualified(d.Key())) })
	if d != nil {
		said := d.Metadata.Annotations
		a.outf("%s %s\n", qualified(d.Key()), terminal.EscapeLine(said[headlessagent.Ended]))
		if cost := said[headlessagent.Cost]; cost != "" {
			a.outf("cost: %s\n", terminal.EscapeLine(cost))
		}
	}
	return err
}

// fillRequest fills in the task and the sender of a request: for an agent its task and role, for a user
// the only active task.
func (a *app) fillRequest(ctx context.Context, q *headlessagent.Request) error {
	there, err := a.load(ctx)
	if err != nil {
		return err
	}
	if s, isAgent := there.snap.Session(q.Parent); isAgent {
		q.Task = cmp.Or(q.Task, s.Spec.ActiveTask)
		if d, ok := there.snap.Delegation(s.Spec.Delegation); ok {
			q.Role = cmp.Or(q.Role, d.Spec.To)
		}
		q.Role = cmp.Or(q.Role, resources.ActingRole(s.Spec.Agent, there.snap.Roles(), there.snap.Settings()))
	}
	q.Role = cmp.Or(q.Role, "person")
	if active := there.snap.ActiveTasks(); q.Task == "" && len(active) == 1 {
		q.Task = active[0]
	}
	if q.Task == "" {
		return errors.New("name a task: idumb research QUESTION --task TASK; idumb get tasks lists all tasks")
	}
	return nil
}
