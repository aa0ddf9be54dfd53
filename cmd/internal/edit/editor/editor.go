// Package editor lets a person change a text in their editor until it is valid,
// the way kubectl edit does.
package editor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Editor is the program that edits, with the terminal that it gets.
type Editor struct {
	Command        string // as the shell reads it: "vi", "code --wait"
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// ErrNone: nobody named an editor, and vi needs a terminal.
var ErrNone = errors.New("there is no terminal for an editor; run it in one, or name an editor that needs none: EDITOR, or IDUMB_EDITOR for idumb alone")

// Command picks the editor: IDUMB_EDITOR, EDITOR, or vi where there is a terminal. Without any it is ErrNone.
func Command(getenv func(string) string, terminal bool) (string, error) {
	for _, name := range []string{"IDUMB_EDITOR", "EDITOR"} {
		if command := strings.TrimSpace(getenv(name)); command != "" {
			return command, nil
		}
	}
	if !terminal {
		return "", ErrNone
	}
	return "vi", nil
}

// Text is what is edited.
type Text struct {
	Subject   string // what refusals are about: tasks.idumb.dev "foo"
	Extension string // of the file that the editor opens: ".yaml"
	Content   []byte
	// Above are lines that the person is shown above the text. They may be a stranger's: what
	// a terminal would act on is to be escaped before.
	Above []string
	// Refusal, if not nil, is told on top of the text from the start.
	Refusal error
	// Save takes what the person wrote, without the lines on top. After an error
	// the editor opens again with that text and the error, unless it is final: then
	// editing again cannot help.
	Save func(ctx context.Context, content []byte) (final bool, err error)
}

// Cancelled is how editing ends without a change and without a mistake: the
// text was left as it was, or emptied. It is told and is no failure.
type Cancelled string

func (c Cancelled) Error() string { return string(c) }

// What a person is told who leaves without a change.
const (
	Unchanged Cancelled = "Edit cancelled, no changes made."
	Emptied   Cancelled = "Edit cancelled, saved file was empty."
)

// Abandoned is how editing ends when what was written cannot be saved.
type Abandoned struct {
	Copy string // the file that keeps it
	Err  error  // why it was refused
}

func (a *Abandoned) Error() string {
	return fmt.Sprintf("%v\nA copy of your changes has been stored to %q", a.Err, a.Copy)
}

func (a *Abandoned) Unwrap() error { return a.Err }

// Edit opens text until Save takes what was written or the person gives up:
// by leaving it as it was or emptying it (Cancelled), or by saving a refused
// text a second time (Abandoned).
func (e Editor) Edit(ctx context.Context, text Text) error {
	content, refusal := text.Content, text.Refusal
	for round := 0; ; round++ {
		edited, err := e.open(ctx, text, content, refusal)
		same := bytes.Equal(edited, content)
		switch {
		case err != nil:
			return keep(text, content, round, err)
		case len(bytes.TrimSpace(edited)) == 0:
			return Emptied
		case same && round == 0:
			return Unchanged
		case same:
			return keep(text, content, round, refusal)
		}
		content = edited
		final, err := text.Save(ctx, content)
		if err == nil {
			return nil
		}
		if final {
			return keep(text, content, round+1, err)
		}
		refusal = err
	}
}
