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

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// What became of an entry.
const (
	Made    = "made"    // was not there
	Kept    = "kept"    // was there as it would be made
	Differs = "differs" // was there and differs: left alone
	Renewed = "renewed" // differed and was replaced; the old one stands beside it as <name>.old
)

// Outcome is what became of an entry.
type Outcome struct {
	Entry
	What string
}

// Options say how Write goes about it.
type Options struct {
	DryRun bool // look only; outcomes say what would happen
	Renew  bool // replace generated files that differ, keeping a copy
}

// Write makes what is missing of entries below dir, which is .idumb and is made
// as well. It never replaces a file whose content is a person's, and running it
// again changes nothing. Outcomes up to an error are returned with it.
func Write(dir string, entries []Entry, o Options) ([]Outcome, error) {
	if err := checkFolder(dir); err != nil {
		return nil, err
	}
	if !o.DryRun {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	var done []Outcome
	for _, e := range entries {
		what, err := write(dir, e, o)
		if err != nil {
			return done, err
		}
		done = append(done, Outcome{e, what})
	}
	return done, nil
}

// checkFolder refuses a .idumb that is not a folder of its own: through a link
// everything would be written somewhere else.
func checkFolder(dir string) error {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder; move it away and run idumb init again", dir)
	}
	return nil
}

func write(dir string, e Entry, o Options) (string, error) {
	target := filepath.Join(dir, filepath.FromSlash(e.Path))
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if o.DryRun {
			return Made, nil
		}
		return Made, create(target, e)
	case err != nil:
		return "", err
	case e.Mode.IsDir():
		return presentFolder(target, info)
	case !info.Mode().IsRegular():
		return Differs, nil
	}
	return presentFile(target, e, o)
}

// create makes a folder, or a file under its name only once it is whole: a file
// that a killed init left half-written would later count as a person's.
func create(target string, e Entry) error {
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
	if err != nil {
		return err
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

func presentFolder(target string, info fs.FileInfo) (string, error) {
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder; move it away and run idumb init again", target)
	}
	return Kept, nil
}

func presentFile(target string, e Entry, o Options) (string, error) {
	data, err := os.ReadFile(target)
	switch {
	case err != nil:
		return "", err
	case bytes.Equal(data, e.Data):
		return Kept, nil
	case !e.Ours || !o.Renew:
		return Differs, nil
	case o.DryRun:
		return Renewed, nil
	}
	if err := os.Rename(target, target+".old"); err != nil {
		return "", err
	}
	return Renewed, create(target, e)
}
