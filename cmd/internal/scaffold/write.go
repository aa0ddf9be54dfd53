package scaffold

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
)

// Results of writing an entry.
const (
	Created   = "created" // created
	Unchanged = "kept"    // existed with the same content
	Differs   = "differs" // existed with other content and was not changed
	Renewed   = "updated" // replaced
)

// Outcome is the result of writing an entry.
type Outcome struct {
	Entry
	Result string
}

// Options are the options of Write.
type Options struct {
	DryRun bool // change nothing; outcomes report the planned changes
	Renew  bool // replace generated files that differ; in .gitignore only add missing lines
	Copy   bool // keep a replaced file as <name>.old
}

// Write creates the missing entries below dir, which is .idumb and is created too. It never
// replaces a file with a user's content. Calling it again changes nothing. After an error it
// returns the outcomes up to the error.
func Write(dir string, entries []Entry, o Options) ([]Outcome, error) {
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return nil, notFolder(dir) // through a link, all files would be written to another place
	}
	if !o.DryRun {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	var done []Outcome
	for _, e := range entries {
		target := filepath.Join(dir, filepath.FromSlash(e.Path))
		what, was, err := e.inspect(target, o.Renew)
		if err == nil && !o.DryRun && (what == Created || what == Renewed) {
			err = e.write(target, what, o.Copy, was)
		}
		if err != nil {
			return done, err
		}
		done = append(done, Outcome{e, what})
	}
	return done, nil
}

// notFolder returns the error for a path that should be a directory.
func notFolder(path string) error {
	return fmt.Errorf("%s is not a folder; move it away and run idumb init again", path)
}

// inspect returns the required action and the current content of an entry's file. For .gitignore it
// adds the current lines to the entry.
func (e *Entry) inspect(target string, renew bool) (what string, data []byte, err error) {
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Created, nil, nil
	case err != nil:
		return "", nil, err
	case e.Mode.IsDir() && !info.IsDir():
		return "", nil, notFolder(target)
	case e.Mode.IsDir():
		return Unchanged, nil, nil
	case !info.Mode().IsRegular():
		return Differs, nil, nil
	}
	data, err = os.ReadFile(target)
	if err == nil && e.Path == layout.IgnoreFile {
		e.Data = WithLines(data, e.Data)
	}
	switch {
	case err != nil:
		return "", nil, err
	case bytes.Equal(data, e.Data):
		return Unchanged, data, nil
	case e.Generated && renew, e.Replaces != nil && bytes.Equal(data, e.Replaces):
		return Renewed, data, nil
	}
	return Differs, data, nil
}

// write creates an entry, or replaces a file with the content was. With keep it renames a replaced
// file to NAME.old, unless the file is what an earlier version wrote.
func (e Entry) write(target, what string, keep bool, was []byte) error {
	keep = keep && (e.Replaces == nil || !bytes.Equal(was, e.Replaces))
	if what == Renewed && keep {
		if err := os.Rename(target, target+".old"); err != nil {
			return err
		}
	}
	if what != Renewed || keep {
		was = nil
	}
	return create(target, e, was)
}

// create creates a directory or a file. A file appears under its name only when it is complete: a
// file that a killed init left incomplete would later count as a user's file. An existing file is
// replaced if its content is was, and kept if was is nil.
func create(target string, e Entry, was []byte) error {
	if e.Mode.IsDir() {
		if err := os.MkdirAll(target, e.Mode.Perm()); err != nil || !slices.Contains(layout.LocalDirs(), path.Join(layout.Dir, e.Path)) {
			return err
		}
		target, e = filepath.Join(target, layout.IgnoreFile), Entry{Mode: 0o600, Data: []byte(layout.IgnoreAll)}
	}
	err := replace.File(target, was, e.Data, e.Mode.Perm())
	switch {
	case errors.Is(err, replace.ErrChanged) && was == nil:
		return nil // another process created it in the meantime
	case errors.Is(err, replace.ErrChanged):
		return fmt.Errorf("%s: %w", target, err)
	}
	return err
}

// WithLines returns text with the lines of other appended that it lacks, without the comments of
// other.
func WithLines(text, other []byte) []byte {
	var have []string
	for line := range strings.Lines(string(text)) {
		have = append(have, strings.TrimSpace(line))
	}
	for line := range strings.Lines(string(other)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !slices.Contains(have, line) {
			if len(text) > 0 && text[len(text)-1] != '\n' {
				text = append(text, '\n')
			}
			text = append(text, line+"\n"...)
		}
	}
	return text
}
