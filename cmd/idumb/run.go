package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Exit codes of a shell for a command that it cannot run.
const (
	notExecutable = 126
	notFound      = 127
	signalled     = 128 // plus the signal's number
)

// forwarded lists the signals that are passed to the command.
var forwarded = [...]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

func newRun(a *app) *cobra.Command {
	var task, complete string
	c := newCommand("run", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		if err := a.run(c.Context(), cmp.Or(complete, task), args); err != nil || complete == "" {
			return err
		}
		act, _ := acts.Named(a.table(), string(transition.Complete))
		said := acts.Said{Evidence: "`" + hooks.CheckpointOf(args, hooks.Ended{}, a.now()).Command + "` succeeded"}
		return a.doAll(c.Context(), &doing{writeFlags: writeFlags{dryRun: "none"}, Act: act, arguments: said}, []string{complete})
	})
	c.Flags().SetInterspersed(false) // flags after the command belong to it
	c.Flags().StringVar(&task, "task", "", "the task (default: the active task)")
	c.Flags().StringVar(&complete, "complete", "", "the task; complete it if the command succeeds")
	c.MarkFlagsMutuallyExclusive("task", "complete")
	c.RegisterFlagCompletionFunc("complete", a.completePhases(resources.TaskActive, resources.TaskReview))
	c.RegisterFlagCompletionFunc("task", a.completePhases(resources.TaskActive, resources.TaskReview))
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return c
}

// run runs a command and records its result for a task. It returns the command's exit code, even if
// recording fails.
func (a *app) run(ctx context.Context, name string, words []string) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	task, err := a.taskOfRun(ctx, strings.TrimPrefix(name, "task/"), words)
	if err != nil {
		return err
	}
	if task == nil {
		a.errf("note: no task is active, so the result is not recorded; name one with --task\n")
	}
	began := a.now()
	code, err := a.execute(words)
	if err != nil {
		return err
	}
	if task != nil {
		if err := a.recordRun(context.WithoutCancel(ctx), root, task, words, hooks.Ended{ExitCode: code, Took: a.now().Sub(began)}); err != nil {
			a.errf("warning: cannot record the result for task/%s: %s\n", task.Metadata.Name, terminal.Escape(err.Error()))
		}
	}
	if code != 0 {
		return terminal.Exit(code)
	}
	return nil
}

// taskOfRun returns the task of a command: the named task, or the active one. If several are
// active, it is the one in focus, or the one with the command as evidence. It is nil if none is
// active.
func (a *app) taskOfRun(ctx context.Context, name string, words []string) (*resources.Task, error) {
	find := queries.Find{Kinds: []string{resources.Tasks}, Fields: "spec.state=" + resources.TaskActive}
	if name != "" {
		find = queries.Find{Keys: []resources.Key{{Kind: resources.Tasks, Name: name}}}
	}
	active, err := a.tasksFound(ctx, find)
	switch {
	case err != nil:
		return nil, err
	case len(active) == 0:
		return nil, nil
	case name != "" && resources.TaskState(active[0]) == resources.TaskPlanned:
		return nil, fmt.Errorf("task %q is not started; start it first: idumb start %[1]s", name)
	case len(active) == 1:
		return active[0], nil
	}
	if focus := a.tasksInFocus(); len(focus) > 0 {
		if i := slices.IndexFunc(active, func(t *resources.Task) bool { return t.Metadata.Name == focus[0].Metadata.Name }); i >= 0 {
			return active[i], nil
		}
	}
	var names []string
	var asking []*resources.Task
	for _, t := range active {
		names = append(names, t.Metadata.Name)
		if hooks.IsEvidence(words, t) {
			asking = append(asking, t)
		}
	}
	if len(asking) == 1 {
		return asking[0], nil
	}
	return nil, fmt.Errorf("several tasks are active: %s; select one with --task NAME, or permanently with idumb focus NAME", strings.Join(mutate.Shorten(names, fewNames), ", "))
}

// tasksFound returns the tasks of a query. Parked tasks are returned only if they are named.
func (a *app) tasksFound(ctx context.Context, find queries.Find) (tasks []*resources.Task, err error) {
	list, hangUp, err := stream[queries.List](a.answers(ctx, planning[:]...), queries.AskObjects, find.Values())
	defer hangUp()
	if err != nil {
		return nil, err
	}
	v, named := view{}, len(find.Keys) > 0
	if err := v.notFound(list.Missing); err != nil {
		return nil, err
	}
	for e, err := range list.Entries() {
		if err != nil {
			return nil, err
		}
		t, ok := e.Object.(*resources.Task)
		if st, _ := e.Status.(*resources.TaskStatus); ok && (named || st == nil || !resources.IsTrue(st.Conditions, resources.Parked)) {
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// execute runs a command with the current streams and returns its exit code like a shell. It
// forwards signals that do not come from the terminal. If the command cannot be started, it prints
// why, and the error has a shell's exit code.
func (a *app) execute(words []string) (code int, err error) {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = a.dir, a.stdin, a.stdout, a.stderr
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, forwarded[:]...)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		a.errf("error: %s\n", terminal.Escape(err.Error()))
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			return 0, terminal.Exit(notFound)
		}
		return 0, terminal.Exit(notExecutable)
	}
	ended := make(chan struct{})
	go forward(cmd.Process, signals, terminal.Is(a.stderr), ended)
	_ = cmd.Wait() // the state contains the result
	close(ended)
	if how, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && how.Signaled() {
		return signalled + int(how.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}

// forward forwards signals until the process has ended. A terminal sends Ctrl-C to the whole
// process group itself.
func forward(to *os.Process, signals <-chan os.Signal, fromKeys bool, ended <-chan struct{}) {
	for {
		select {
		case s := <-signals:
			if !fromKeys || s != os.Interrupt && s != syscall.SIGQUIT {
				_ = to.Signal(s) // it may have ended
			}
		case <-ended:
			return
		}
	}
}

// recordRun adds a checkpoint and records the verified evidence in the task. The log is local; the
// task is shared with all clones.
func (a *app) recordRun(ctx context.Context, root layout.Root, task *resources.Task, words []string, ended hooks.Ended) error {
	if err := root.AppendCheckpoint(task.Metadata.Name, hooks.CheckpointOf(words, ended, a.now())); err != nil {
		return err
	}
	repo, err := a.writer(&writeFlags{dryRun: "none"})
	if err != nil {
		return err
	}
	seen, err := repo.Verify(ctx, task.Metadata.Name)
	for _, item := range seen {
		a.errf("task/%s: seen: %s\n", task.Metadata.Name, item)
	}
	return err
}
