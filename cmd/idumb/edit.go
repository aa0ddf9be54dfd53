package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func newEdit(a *app) *cobra.Command {
	var w writeFlags
	format := "yaml"
	c := newCommand("edit", nil, func(c *cobra.Command, args []string) error {
		keys, err := a.objectKeys(args)
		if err != nil {
			return err
		}
		if !slices.Contains([]string{"json", "yaml"}, format) {
			return fmt.Errorf("unable to edit in the format %q, allowed formats are: json,yaml", format)
		}
		repo, err := a.writer(&w)
		if err != nil {
			return err
		}
		return each(keys, func(key resources.Key) error { return a.editOne(c.Context(), repo, &w, key, format) })
	})
	addDryRun(c, &w)
	c.Flags().StringVarP(&format, "output", "o", format, "the format to edit in, yaml or json")
	return c
}

// editOne edits one resource in the user's editor, in the given format.
func (a *app) editOne(ctx context.Context, repo mutate.Repo, w *writeFlags, key resources.Key, format string) error {
	record, err := repo.Record(ctx, key)
	if err != nil {
		return err
	}
	_, err = a.editRecord(ctx, repo, w, record, editable(record, format))
	return err
}

// editRecord opens an object in the user's editor and writes the result over the version in the
// record. A record without a revision means a new object. It reports whether the object changed.
func (a *app) editRecord(ctx context.Context, repo mutate.Repo, w *writeFlags, record store.Record, text editedText) (changed bool, err error) {
	text.Save = func(ctx context.Context, content []byte) (final bool, err error) {
		changed, final, err = a.saveEdited(ctx, repo, w, record, content)
		return final, err
	}
	in, isFile := a.stdin.(*os.File)
	command, err := editorCommand(os.Getenv, isFile && terminal.Is(in) && terminal.Is(a.stdout))
	if err != nil {
		return false, err
	}
	err = textEditor{Command: command, Stdin: a.stdin, Stdout: a.stdout, Stderr: a.stderr}.Edit(ctx, text)
	var cancelled editCancelled
	var abandoned *editAbandoned
	switch {
	case errors.As(err, &cancelled):
		a.errf("%s\n", cancelled)
		return false, nil
	case errors.As(err, &abandoned):
		a.errf("A copy of your changes has been stored to %q\n", abandoned.Copy)
		return false, abandoned.Err
	}
	return changed, err
}

// editable returns the text for the editor: the object, or the raw file with the error if it cannot
// be read.
func editable(record store.Record, format string) editedText {
	text := editedText{Subject: fmt.Sprintf("%s.%s %q", record.Key.Kind, resources.Group, record.Key.Name), Extension: "." + format}
	object, _, err := resources.DecodeFile(record.Key, record.Spec)
	if err == nil {
		text.Content, err = objectText(object, format)
	}
	if err != nil {
		text.Content, text.Extension, text.Refusal = record.Spec, ".json", err
	}
	return text
}

// saveEdited writes the edited text over the version that was opened. final is
// true if the text was written, or an error remains after further editing.
func (a *app) saveEdited(ctx context.Context, repo mutate.Repo, w *writeFlags, record store.Record, content []byte) (changed, final bool, err error) {
	object, err := readEdited(record, content)
	if err != nil {
		return false, false, err
	}
	results, err := repo.Put(ctx, []resources.Object{object}, []string{record.Rev})
	switch {
	case err != nil:
		return false, mutate.IsConflict(err), unqueued(err)
	case results[0].Operation == mutate.Unchanged:
		a.errf("%s\n", editUnchanged)
		return false, false, nil
	}
	return true, true, a.echo(w, object, "edited")
}

// readEdited parses the edited object. Kind and name default to those of the record and cannot
// change. Unknown fields of the object in the record are accepted.
func readEdited(record store.Record, content []byte) (resources.Object, error) {
	var found []mutate.Manifest
	for d, err := range mutate.SplitManifests(layout.Path(record.Key), content) {
		if err != nil {
			return nil, err
		}
		found = append(found, d)
	}
	switch {
	case len(found) != 1:
		return nil, fmt.Errorf("expected one resource, found %d", len(found))
	case found[0].Key != record.Key:
		return nil, fmt.Errorf("this is %s: kind and name cannot be changed; create a new resource and delete this one", found[0].Key)
	}
	before, _, _ := resources.DecodeFile(record.Key, record.Spec) // nil if unreadable
	return found[0].Object(before)
}
