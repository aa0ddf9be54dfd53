package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/cmd/internal/manifest"
	"github.com/idumb-dev/idumb/cmd/internal/mutate"
)

const applyDoc = `Make objects what files say: JSON or YAML, Lists, several documents, folders.
Objects may refer to each other in any order. An object that is refused does not
keep the others from being written; the exit code is then 1.

The spec becomes what the file says. What people claim while they work stays
unless the file speaks of it: state, result and reason of a task, state of a
plan, state and session of a delegation. Labels and annotations are merged.
A file that says at which revision it was read (as get -o json prints it) is
refused if the object has changed since.`

func newApply(a *app) *cobra.Command {
	var w writeFlags
	var files []string
	var recursive bool
	c := &cobra.Command{
		Use: "apply -f FILE", Short: "Make objects what files say", Long: applyDoc, Args: cobra.NoArgs,
		Example: "  idumb apply -f plan.yaml\n  cat plan.json | idumb apply -f -",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.applyFiles(c.Context(), &w, files, recursive, mutate.CreateOrReplace)
		},
	}
	addFileFlags(c, &files, &recursive)
	addWriteFlags(c, &w)
	return c
}

// applyFiles makes the objects of files, and says of each what became of it.
func (a *app) applyFiles(ctx context.Context, w *writeFlags, files []string, recursive bool, mode mutate.Mode) error {
	if len(files) == 0 {
		return errors.New("must specify -f FILE: a file or folder with the objects, or - for standard input")
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	documents, failed := a.documents(files, recursive)
	applied, err := repo.Apply(ctx, documents, mode)
	if err != nil {
		return errors.Join(append(failed, err)...)
	}
	for _, done := range applied {
		failed = append(failed, a.echoApplied(w, done))
	}
	if len(documents) == 0 && len(failed) == 0 {
		return errors.New("no objects passed")
	}
	return errors.Join(failed...)
}

func (a *app) echoApplied(w *writeFlags, done mutate.Application) error {
	if done.Err != nil {
		return sourced(done)
	}
	if done.Kept != "" {
		a.errf("Warning: the file of %s could not be read; what it held has been stored to %q\n", done.Key, done.Kept)
	}
	err := a.echo(w, done.After, done.What)
	if done.What == mutate.Created {
		a.echoUID(w, done.After)
	}
	return err
}

// sourced says which file an error is about, in kubectl's words: in front of the
// message, behind the reason.
func sourced(done mutate.Application) error {
	reason, text := "", done.Err.Error()
	var status *failure.Status
	if errors.As(done.Err, &status) {
		reason, text = status.Reason, status.Message
	}
	return &failure.Status{Reason: reason, Err: done.Err, Message: fmt.Sprintf("error when %s %q: %s", done.Doing(), done.Document.Source, text)}
}

// fromFolder takes relative file names from the folder of -C, as if the command
// had been started there.
func (a *app) fromFolder(files []string) []string {
	if a.dir == "" {
		return files
	}
	from := make([]string, len(files))
	for i, name := range files {
		if name != manifest.Stdin && !filepath.IsAbs(name) {
			name = filepath.Join(a.dir, name)
		}
		from[i] = name
	}
	return from
}
