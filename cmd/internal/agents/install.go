package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Options say how Install and Uninstall go about it.
type Options struct {
	DryRun bool // look only; changes say what would happen
	// Renew replaces what a person changed of ours as well. What is lost that way is
	// kept: a file of ours beside it as NAME.old, settings in their backup.
	Renew bool
}

// Change is what Install or Uninstall did to a file, or would do.
type Change struct {
	File   string   // from the repository's root
	Before []byte   // nil: the file did not exist
	After  []byte   // nil: it does not exist any more
	Backup string   // where the file as it was is kept, from the repository's root; "" if nowhere
	Kept   []string // what of ours a person changed, and was left alone: names in the file, "it" for all of it
}

// Changed reports whether there is anything to do.
func (c Change) Changed() bool {
	return !bytes.Equal(c.Before, c.After) || (c.Before == nil) != (c.After == nil)
}

// step is one file on its way.
type step struct {
	Change
	file File
	real string // the file's path behind links
	was  *recorded
	base []byte // the text without what is ours
}

// Install puts what is ours into a host's files in the repository at root, an
// absolute path. What stands there of an earlier version is brought up to date, and
// doing it twice changes nothing. Nothing is written if any of the files cannot
// be changed. Files that existed are kept below .idumb/run/agents as they were.
func Install(h Host, root string, c Commands, o Options) ([]Change, error) {
	rec := readRecord(root, h.Name)
	steps, err := plan(h, root, c, rec, func(s *step) error {
		missing, edited, err := s.file.content.missing(s.Before, s.was)
		if err != nil || len(missing) == 0 && !o.Renew {
			s.After, s.Kept = s.Before, edited
			return err
		}
		if s.base, s.Kept, err = undo(s.file, s.Before, s.was, o.Renew); err != nil {
			return err
		}
		s.After, s.Kept, err = s.file.content.put(s.base, o.Renew)
		if _, fitted := cutFitted(s.Before); fitted != nil {
			rest, _ := cutFitted(s.After)
			s.After = withFitted(rest, fitted)
		}
		return err
	})
	if err != nil || o.DryRun {
		return changes(steps), err
	}
	err = installAll(h, root, steps, rec, o)
	return changes(steps), err
}

// Uninstall takes what is ours out of a host's files. Where installing was the only
// change, each is as it was before, byte for byte; one that did not exist is gone
// again, and so are the folders that Install made. What a person changed of ours
// stays, and is named. What onboarding fitted for the host goes as well.
func Uninstall(h Host, root string, c Commands, o Options) ([]Change, error) {
	rec := readRecord(root, h.Name)
	steps, err := plan(h, root, c, rec, func(s *step) (err error) {
		s.After, s.Kept, err = undo(s.file, s.Before, s.was, o.Renew)
		if _, fitted := cutFitted(s.Before); s.After == nil && EditedFit(string(fitted)) && !o.Renew {
			s.After, s.Kept = s.Before, []string{"the lines of idumb onboard"}
		}
		return err
	})
	if err != nil || o.DryRun {
		return changes(steps), err
	}
	return changes(steps), errors.Join(uninstallAll(h, root, steps, rec), takeFitted(h, root))
}

func changes(steps []*step) (all []Change) {
	for _, s := range steps {
		all = append(all, s.Change)
	}
	return all
}

// plan reads every file of a host and works out what becomes of it.
func plan(h Host, root string, c Commands, rec record, decide func(*step) error) (steps []*step, err error) {
	for _, file := range h.Files(root, c) {
		s := &step{Change: Change{File: file.Path}, file: file}
		if was, known := rec.Files[file.Path]; known {
			s.was = &was
		}
		if s.real, err = realPath(root, file.Path); err != nil {
			return nil, err
		}
		if s.Before, err = readFile(s.real); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", file.Path, err)
		}
		if s.Before == nil && err == nil {
			s.Before = []byte{}
		}
		if err := decide(s); err != nil {
			return nil, fmt.Errorf("%s %w", file.Path, err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// installAll writes what was planned. What was there before is remembered first: a
// command that is killed half-way can be undone.
func installAll(h Host, root string, steps []*step, rec record, o Options) error {
	if !slices.ContainsFunc(steps, func(s *step) bool { return s.Changed() }) {
		return nil
	}
	for _, s := range steps {
		if !s.Changed() {
			continue
		}
		rec.Files[s.File] = recorded{Existed: s.base != nil, After: s.After, before: s.base}
		rec.Folders = append(rec.Folders, newFolders(root, s.File, rec.Folders)...)
		backup, err := rec.keep(root, h.Name, s.File)
		if err != nil {
			return err
		}
		s.Backup = backup
	}
	if err := rec.write(root, h.Name); err != nil {
		return err
	}
	for _, s := range steps {
		if err := s.write(o); err != nil {
			return err
		}
	}
	return nil
}

// newFolders are those of a file's folders that do not exist yet.
func newFolders(root, file string, known []string) (folders []string) {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(dir))); errors.Is(err, fs.ErrNotExist) && !slices.Contains(known, dir) {
			folders = append([]string{dir}, folders...)
		}
	}
	return folders
}

// uninstallAll writes what was planned, and forgets.
func uninstallAll(h Host, root string, steps []*step, rec record) error {
	for _, s := range steps {
		if err := s.write(Options{}); err != nil {
			return err
		}
		delete(rec.Files, s.File)
		if len(s.Kept) == 0 {
			continue
		}
		if s.was != nil { // what stayed is still ours
			rec.Files[s.File] = *s.was
		}
	}
	removeFolders(root, steps, rec.Folders)
	return rec.write(root, h.Name)
}

// removeFolders removes the folders that Install made; where nobody remembers,
// those of the files that are gone. One that holds anything stays.
func removeFolders(root string, steps []*step, made []string) {
	folders := slices.Clone(made)
	for _, s := range steps {
		if s.was != nil || s.Before == nil || s.After != nil {
			continue
		}
		for dir := path.Dir(s.File); dir != "."; dir = path.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) }) // inner ones first
	for _, dir := range folders {
		_ = os.Remove(filepath.Join(root, filepath.FromSlash(dir)))
	}
}

// write makes a file hold what was planned.
func (s *step) write(o Options) error {
	if !s.Changed() {
		return nil
	}
	if s.After == nil {
		return removeFile(s.real, s.Before)
	}
	w, isWhole := s.file.content.(whole)
	if o.Renew && isWhole && s.Before != nil && !w.untouched(s.Before) {
		if err := os.Rename(s.real, s.real+".old"); err != nil {
			return err
		}
		s.Backup = s.File + ".old"
		return replaceFile(s.real, nil, s.After)
	}
	return replaceFile(s.real, s.Before, s.After)
}
