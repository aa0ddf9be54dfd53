package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// instructions is the text of the first lines, as in kubectl.
const instructions = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`

// open shows content in the editor and returns the saved text.
func (e textEditor) open(ctx context.Context, text editedText, content []byte, refusal error) ([]byte, error) {
	path, err := writeTemp(text.Extension, append(headerText(text, refusal), content...))
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	command := editorShell(ctx, e.Command, path)
	command.Stdin, command.Stdout, command.Stderr = e.Stdin, e.Stdout, e.Stderr
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("there was a problem with the editor %q: %w; IDUMB_EDITOR or EDITOR name another one", e.Command, err)
	}
	saved, err := os.ReadFile(path)
	return stripHeader(saved), err
}

// editorShell returns the command line with path as its last argument, interpreted by the shell.
func editorShell(ctx context.Context, command, path string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		words := append(strings.Fields(command), path)
		return exec.CommandContext(ctx, words[0], words[1:]...)
	}
	return exec.CommandContext(ctx, "sh", "-c", command+` "$1"`, "sh", path)
}

// headerText returns the lines above the text, each beginning with '#'.
func headerText(text editedText, refusal error) []byte {
	var b bytes.Buffer
	b.WriteString(instructions)
	for _, line := range text.Header {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	if len(text.Header) > 0 {
		b.WriteString("#\n")
	}
	if refusal == nil {
		return b.Bytes()
	}
	fmt.Fprintf(&b, "# %s was not valid:\n", text.Subject)
	for line := range strings.Lines(refusal.Error()) {
		fmt.Fprintf(&b, "# * %s\n", strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "* "))
	}
	b.WriteString("#\n")
	return b.Bytes()
}

// stripHeader removes the leading lines that begin with '#'. A '#' further down may be content.
func stripHeader(saved []byte) []byte {
	for len(saved) > 0 && saved[0] == '#' {
		_, rest, _ := bytes.Cut(saved, []byte("\n"))
		saved = rest
	}
	return saved
}

// saveCopy saves the edited text in a file and returns an editAbandoned with err. In the first round
// nothing was saved in the editor yet, so it returns err.
func saveCopy(text editedText, content []byte, round int, err error) error {
	if round == 0 {
		return err
	}
	path, storing := writeTemp(text.Extension, content)
	if storing != nil {
		return fmt.Errorf("%w (and what you wrote could not be kept: %w)", err, storing)
	}
	return &editAbandoned{Copy: path, Err: err}
}

// writeTemp writes data to a new file in the directory for temporary files. Only this user may read it.
func writeTemp(extension string, data []byte) (string, error) {
	file, err := os.CreateTemp("", "idumb-edit-*"+extension)
	if err != nil {
		return "", err
	}
	if _, err = file.Write(data); err == nil {
		err = file.Close()
	}
	return file.Name(), err
}
