package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// textEditor is an editor program with its terminal.
type textEditor struct {
	Command        string // command line for the shell: "vi", "code --wait"
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// errNoEditor means that no editor is configured, and vi has no terminal.
var errNoEditor = errors.New("no terminal for an editor; run idumb in a terminal, or set IDUMB_EDITOR or EDITOR to an editor that needs no terminal")

// editorCommand returns the editor: IDUMB_EDITOR, EDITOR, or vi if there is a terminal. Otherwise
// it returns errNoEditor.
func editorCommand(getenv func(string) string, terminal bool) (string, error) {
	for _, name := range []string{"IDUMB_EDITOR", "EDITOR"} {
		if command := strings.TrimSpace(getenv(name)); command != "" {
			return command, nil
		}
	}
	if !terminal {
		return "", errNoEditor
	}
	return "vi", nil
}

// editedText is a text to edit.
type editedText struct {
	Subject   string // subject of error messages: tasks.idumb.dev "foo"
	Extension string // extension of the temporary file: ".yaml"
	Content   []byte
	// Header contains comment lines above the text. They may be untrusted: the caller escapes
	// control characters.
	Header []string
	// Refusal, if not nil, is shown above the text from the start.
	Refusal error
	// Save stores the edited text, without the lines above it. After an error the editor opens
	// again with that text and the error. A final error ends editing.
	Save func(ctx context.Context, content []byte) (final bool, err error)
}

// editCancelled means that the user left the text unchanged or emptied it. The command prints it and
// does not fail.
type editCancelled string

func (c editCancelled) Error() string { return string(c) }

// Reasons of an editCancelled.
const (
	editUnchanged editCancelled = "Edit cancelled, no changes made."
	Emptied       editCancelled = "Edit cancelled, saved file was empty."
)

// editAbandoned means that the edited text could not be saved.
type editAbandoned struct {
	Copy string // path of the file with the edited text
	Err  error  // cause of the failure
}

func (a *editAbandoned) Error() string {
	return fmt.Sprintf("%v\nA copy of your changes has been stored to %q", a.Err, a.Copy)
}

func (a *editAbandoned) Unwrap() error { return a.Err }

// Edit opens the text until Save accepts it or the user gives up. An unchanged or empty text ends
// editing with editCancelled. A rejected text that is saved again without a change ends it with
// editAbandoned.
func (e textEditor) Edit(ctx context.Context, text editedText) error {
	content, refusal := text.Content, text.Refusal
	for round := 0; ; round++ {
		edited, err := e.open(ctx, text, content, refusal)
		switch same := bytes.Equal(edited, content); {
		case err != nil:
			return saveCopy(text, content, round, err)
		case len(bytes.TrimSpace(edited)) == 0:
			return Emptied
		case same && round == 0:
			return editUnchanged
		case same:
			return saveCopy(text, content, round, refusal)
		}
		content = edited
		final, err := text.Save(ctx, content)
		if err == nil {
			return nil
		}
		if final {
			return saveCopy(text, content, round+1, err)
		}
		refusal = err
	}
}
