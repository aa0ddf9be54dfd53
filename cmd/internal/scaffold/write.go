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

// What became of an entry.
const (
	Made    = "made"    // was not there
	Kept    = "kept"    // was there as it would be made
	Differs = "differs" // was there and differs: left alone
	Renewed = "renewed" // differed and was replaced
)

// Outcome is what became of an entry.
type Outcome struct {
	Entry
	What string
}

// Options say how Write goes about it.
type Options struct {
	DryRun bool // look only; outcomes say what would happen
	Renew  bool // replace generated files that differ; of .gitignore only lines that are missing are added
	Copy   bool // keep what is replaced beside it, as <name>.old
}

// Write makes what is missing of entries below dir, which is .idumb and is made
// as well. It never replaces a file whose content is a person's, and running it
// again changes nothing. Outcomes up to an error are returned with it.
func Write(dir string, entries []Entry, o Options) ([]Outcome, error) {
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return nil, notFolder(dir) // through a link everything would be written somewhere else
	}
	if !o.DryRun {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	var done []Outcome
	for _, e := range entries {
		target := filepath.Join(dir, filepath.FromSlash(e.Path))
		what, was, err := e.look(target, o.Renew)
		if err == nil && !o.DryRun && (what == Made || what == Renewed) {
			err = e.put(target, what, o.Copy, was)
		}
		if err != nil {
			return done, err
		}
		done = append(done, Outcome{e, what})
	}
	return done, nil
}

func notFolder(path string) error {
	return fmt.Errorf("%s is not a folder; move it away and run idumb init again", path)
}

// look says what is to become of an entry, with the lines that its file has already, and what the file holds.
func (e *Entry) look(target string, renew bool) (what string, data []byte, err error) {
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Made, nil, nil
	case err != nil:
		return "", nil, err
	case e.Mode.IsDir() && !info.IsDir():
		return "", nil, notFolder(target)
	case e.Mode.IsDir():
		return Kept, nil, nil
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
		return Kept, data, nil
	case e.Ours && renew:
		return Renewed, data, nil
	}
	return Differs, data, nil
}

// put makes an entry, over a file that holds was.
func (e Entry) put(target, what string, keep bool, was []byte) error {
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

// create makes a folder, or a file under its name only once it is whole: a file
// that a killed init left half-written would later count as a person's. A file that exists is
// replaced if it holds was; without was it stays.
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
		return nil // somebody made one meanwhile
	case errors.Is(err, replace.ErrChanged):
		return fmt.Errorf("%s: %w", target, err)
	}
	return err
}

// WithLines is a text with those lines of another one that it lacks, and no comments of that.
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
