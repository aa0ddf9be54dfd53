// Package editor opens a text in the user's editor until it is valid, like kubectl edit.
package editor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Editor is an editor program with its terminal.
type Editor struct {
	Command        string // command line for the shell: "vi", "code --wait"
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// ErrNoEditor means that no editor is configured, and vi has no terminal.
var ErrNoEditor = errors.New("no terminal for an editor; run idumb in a terminal, or set IDUMB_EDITOR or EDITOR to an editor that needs no terminal")

// Command returns the editor: IDUMB_EDITOR, EDITOR, or vi if there is a terminal. Otherwise it
// returns ErrNoEditor.
func Command(getenv func(string) string, terminal bool) (string, error) {
	for _, name := range []string{"IDUMB_EDITOR", "EDITOR"} {
		if command := strings.TrimSpace(getenv(name)); command != "" {
			return command, nil
		}
	}
	if !terminal {
		return "", ErrNoEditor
	}
	return "vi", nil
}

// Text is a text to edit.
type Text struct {
	Subject   string // subject of error messages: tasks.idumb.dev "foo"
	Extension string // extension of the temporary file: ".yaml"
	Content   []byte
	// Above are comment lines above the text. They may be untrusted: the caller escapes control
	// characters.
	Header []string
	// Refusal, if not nil, is shown above the text from the start.
	Refusal error
	// Save stores the edited text, without the lines above it. After an error the editor opens
	// again with that text and the error. A final error ends editing.
	Save func(ctx context.Context, content []byte) (final bool, err error)
}

// Cancelled means that the user left the text unchanged or emptied it. The command prints it and
// does not fail.
type Cancelled string

func (c Cancelled) Error() string { return string(c) }

// Reasons for Cancelled.
const (
	Unchanged Cancelled = "Edit cancelled, no changes made."
	Emptied   Cancelled = "Edit cancelled, saved file was empty."
)

// Abandoned means that the edited text could not be saved.
type Abandoned struct {
	Copy string // path of the file with the edited text
	Err  error  // cause of the failure
}

func (a *Abandoned) Error() string {
	return fmt.Sprintf("%v\nA copy of your changes has been stored to %q", a.Err, a.Copy)
}

func (a *Abandoned) Unwrap() error { return a.Err }

// Edit opens the text until Save accepts it or the user gives up. An unchanged or empty text ends
// editing with Cancelled. A rejected text that is saved again without a change ends it with
// Abandoned.
func (e Editor) Edit(ctx context.Context, text Text) error {
	content, refusal := text.Content, text.Refusal
	for round := 0; ; round++ {
		edited, err := e.open(ctx, text, content, refusal)
		same := bytes.Equal(edited, content)
		switch {
		case err != nil:
			return saveCopy(text, content, round, err)
		case len(bytes.TrimSpace(edited)) == 0:
			return Emptied
		case same && round == 0:
			return Unchanged
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
