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
		what, err := e.look(target, o.Renew)
		if err == nil && !o.DryRun && (what == Made || what == Renewed) {
			err = e.put(target, what, o.Copy)
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

// look says what is to become of an entry, with the lines that its file has already.
func (e *Entry) look(target string, renew bool) (what string, err error) {
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Made, nil
	case err != nil:
		return "", err
	case e.Mode.IsDir() && !info.IsDir():
		return "", notFolder(target)
	case e.Mode.IsDir():
		return Kept, nil
	case !info.Mode().IsRegular():
		return Differs, nil
	}
	data, err := os.ReadFile(target)
	if err == nil && e.Path == layout.IgnoreFile {
		e.Data = WithLines(data, e.Data)
	}
	switch {
	case err != nil:
		return "", err
	case bytes.Equal(data, e.Data):
		return Kept, nil
	case e.Ours && renew:
		return Renewed, nil
	}
	return Differs, nil
}

// put makes an entry.
func (e Entry) put(target, what string, keep bool) error {
	if what == Renewed && keep {
		if err := os.Rename(target, target+".old"); err != nil {
			return err
		}
	}
	return create(target, e, what == Renewed && !keep)
}

// create makes a folder, or a file under its name only once it is whole: a file
// that a killed init left half-written would later count as a person's.
func create(target string, e Entry, over bool) error {
	if e.Mode.IsDir() {
		if err := os.MkdirAll(target, e.Mode.Perm()); err != nil || !slices.Contains(layout.LocalDirs(), path.Join(layout.Dir, e.Path)) {
			return err
		}
		target, e = filepath.Join(target, layout.IgnoreFile), Entry{Mode: 0o600, Data: []byte(layout.IgnoreAll)}
	}
	temp, err := os.CreateTemp(filepath.Dir(target), ".tmp-init-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(e.Data)
	err = errors.Join(err, temp.Chmod(e.Mode.Perm()), temp.Sync(), temp.Close())
	switch {
	case err != nil:
		return err
	case over:
		return os.Rename(temp.Name(), target)
	}
	return publish(temp.Name(), target)
}

// publish gives the finished file its name unless somebody made one meanwhile;
// where the file system has no hard links, renaming has to do.
func publish(temp, target string) error {
	err := os.Link(temp, target)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(temp, target)
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
