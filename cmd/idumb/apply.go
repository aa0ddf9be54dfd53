package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// newApply returns a command that writes the objects of files in the given mode.
func newApply(verb string, mode mutate.Mode) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		var w writeFlags
		var files []string
		var recursive bool
		c := newCommand(verb, cobra.NoArgs, func(c *cobra.Command, _ []string) error {
			return a.applyFiles(c.Context(), &w, files, recursive, mode)
		})
		addFileFlags(c, &files, &recursive)
		addWriteFlags(c, &w)
		return c
	}
}

// applyFiles writes the objects of files and prints the result of each.
func (a *app) applyFiles(ctx context.Context, w *writeFlags, files []string, recursive bool, mode mutate.Mode) error {
	if len(files) == 0 {
		return errors.New("must specify -f FILE: a file or directory with resources, or - for standard input")
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	documents, failed := a.documents(files, recursive)
	told := newProgress(a.stderr, a.now)
	repo.Progress = told.tell
	applied, err := repo.Apply(ctx, documents, mode)
	told.end()
	queued := errors.Is(err, errQueued)
	if err != nil && !queued && !errors.As(err, new(*mutate.Stopped)) {
		return errors.Join(append(failed, err)...)
	}
	for _, done := range applied {
		if done.Err != nil || done.Operation != "" && !queued { // attempted
			failed = append(failed, a.echoApplied(w, done, mode))
		}
	}
	failed = append(failed, err)
	if ctx.Err() != nil { // print an interruption here: other commands omit it
		terminal.ReportError(context.WithoutCancel(ctx), a.stderr, errors.Join(failed...))
		return ctx.Err()
	}
	if err = errors.Join(failed...); err == nil && len(documents) == 0 {
		err = errors.New("no objects passed")
	}
	return err
}

// echoApplied prints the result of applying one document: the name and the operation, or the
// error.
func (a *app) echoApplied(w *writeFlags, done mutate.Application, mode mutate.Mode) error {
	if done.Err != nil {
		return sourced(done)
	}
	if done.Copy != "" {
		a.errf("Warning: the file of %s was unreadable; its old contents are saved to %q\n", done.Key, done.Copy)
	}
	what := done.Operation
	if mode == mutate.ReplaceOnly {
		what = "replaced"
	}
	err := a.echo(w, done.New, what)
	if done.Operation == mutate.Created {
		a.echoUID(w, done.New)
	}
	return err
}

// sourced adds the file to an error, in kubectl's words.
func sourced(done mutate.Application) error {
	reason, text := "", done.Err.Error()
	var status *apierrors.Status
	if errors.As(done.Err, &status) {
		reason, text = status.Reason, status.Message
	}
	return &apierrors.Status{Reason: reason, Err: done.Err, Message: fmt.Sprintf("error when %s %q: %s", done.Doing(), done.Document.Source, text)}
}

// fromFolder makes relative file names relative to the directory of -C.
func (a *app) fromFolder(files []string) []string {
	if a.dir == "" {
		return files
	}
	from := make([]string, len(files))
	for i, name := range files {
		if name != mutate.Stdin && !filepath.IsAbs(name) {
			name = filepath.Join(a.dir, name)
		}
		from[i] = name
	}
	return from
}

func newDiff(a *app) *cobra.Command {
	var files []string
	var recursive bool
	c := newCommand("diff", cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		err := a.diffFiles(c.Context(), files, recursive)
		if err == nil || errors.As(err, new(terminal.Exit)) {
			return err
		}
		terminal.ReportError(c.Context(), a.stderr, err)
		return terminal.Exit(2)
	})
	addFileFlags(c, &files, &recursive)
	return c
}

// diffFiles runs idumb diff: it prints the changes that applying the files would make, without
// making them.
func (a *app) diffFiles(ctx context.Context, files []string, recursive bool) error {
	if len(files) == 0 {
		return errors.New("must specify -f FILE: a file or directory with resources, or - for standard input")
	}
	repo, err := a.writer(&writeFlags{dryRun: "client"})
	if err != nil {
		return err
	}
	documents, failed := a.documents(files, recursive)
	applied, err := repo.Apply(ctx, documents, mutate.CreateOrReplace)
	for _, done := range applied {
		if done.Err != nil {
			failed = append(failed, sourced(done))
		}
	}
	if err = errors.Join(append(failed, err)...); err != nil {
		return err
	}
	return a.showDiff(ctx, applied)
}

// showDiff writes the current and the new objects to two directories and runs the diff program.
func (a *app) showDiff(ctx context.Context, applied []mutate.Application) error {
	dir, err := os.MkdirTemp("", "idumb-diff-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	live, merged := filepath.Join(dir, "LIVE"), filepath.Join(dir, "MERGED")
	if err := errors.Join(os.Mkdir(live, 0o700), os.Mkdir(merged, 0o700)); err != nil {
		return err
	}
	for _, done := range applied {
		if done.Operation == mutate.Unchanged {
			continue
		}
		if err := errors.Join(writeSide(live, done.Old), writeSide(merged, done.New)); err != nil {
			return err
		}
	}
	return a.runDiff(ctx, dir)
}

// writeSide writes an object as YAML. It writes no file for nil.
func writeSide(dir string, o resources.Object) error {
	if o == nil {
		return nil
	}
	text, err := objectText(o, "yaml")
	if err != nil {
		return err
	}
	key := o.Key()
	return os.WriteFile(filepath.Join(dir, key.Kind+"."+key.Name), text, 0o600)
}

// runDiff runs the diff program and returns its exit code: 1 for a difference.
func (a *app) runDiff(ctx context.Context, dir string) error {
	words := strings.Fields(os.Getenv("IDUMB_EXTERNAL_DIFF"))
	if len(words) == 0 {
		words = []string{"diff", "-u", "-N"}
	}
	command := exec.CommandContext(ctx, words[0], append(words[1:], "LIVE", "MERGED")...)
	command.Dir, command.Stdin, command.Stdout, command.Stderr = dir, a.stdin, a.stdout, a.stderr
	err := command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return terminal.Exit(exit.ExitCode())
	}
	if err != nil {
		return fmt.Errorf("cannot run %q: %w; IDUMB_EXTERNAL_DIFF names another program", words[0], err)
	}
	return nil
}
