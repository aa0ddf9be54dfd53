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

// Options are the options of Install and Uninstall.
type Options struct {
	DryRun bool // change nothing; the result shows the planned changes
	// Renew also replaces entries that a user changed. The replaced content is kept: a full file as
	// NAME.old, settings in their backup.
	Renew bool
}

// Change is a change of a file by Install or Uninstall.
type Change struct {
	File       string   // relative to the repository's root
	OldContent []byte   // nil means that the file did not exist
	NewContent []byte   // nil means that the file was removed
	Backup     string   // path of the backup, relative to the repository's root; empty without a backup
	Preserved  []string // names of entries that were kept because a user changed them; "it" means the full file
}

// Changed reports whether the new content of the file differs from the old one.
func (c Change) Changed() bool {
	return !bytes.Equal(c.OldContent, c.NewContent) || (c.OldContent == nil) != (c.NewContent == nil)
}

// step is a planned change of a file.
type step struct {
	Change
	file File
	real string // path with links resolved
	was  *recorded
	base []byte // text without iDumb's part
}

// Install installs iDumb into a host's files in the repository at root, an absolute path. It
// updates files of an earlier version. A second call changes nothing. If a file cannot be changed,
// nothing is written. Install keeps copies of existing files below .idumb/run/agents.
func Install(h Host, root string, c Commands, o Options) ([]Change, error) {
	rec := readRecord(root, h.Name)
	steps, err := plan(h, root, c, rec, func(s *step) error {
		missing, edited, err := s.file.content.missing(s.OldContent, s.was)
		if err != nil || len(missing) == 0 && !o.Renew {
			s.NewContent, s.Preserved = s.OldContent, edited
			return err
		}
		if s.base, s.Preserved, err = undoInstall(s.file, s.OldContent, s.was, o.Renew); err != nil {
			return err
		}
		s.NewContent, s.Preserved, err = s.file.content.insert(s.base, o.Renew)
		if _, fitted := cutFitted(s.OldContent); fitted != nil {
			rest, _ := cutFitted(s.NewContent)
			s.NewContent = withFitted(rest, fitted)
		}
		return err
	})
	if err != nil || o.DryRun {
		return changes(steps), err
	}
	err = installAll(h, root, steps, rec, o)
	return changes(steps), err
}

// Uninstall removes iDumb from a host's files. If Install made the only change, each file
// is restored byte for byte, and created files and directories are removed. Entries that a
// user changed are kept and named. The text of onboarding for the host is removed too.
func Uninstall(h Host, root string, c Commands, o Options) ([]Change, error) {
	rec := readRecord(root, h.Name)
	steps, err := plan(h, root, c, rec, func(s *step) (err error) {
		s.NewContent, s.Preserved, err = undoInstall(s.file, s.OldContent, s.was, o.Renew)
		if _, fitted := cutFitted(s.OldContent); s.NewContent == nil && EditedFit(string(fitted)) && !o.Renew {
			s.NewContent, s.Preserved = s.OldContent, []string{"the lines of idumb onboard"}
		}
		return err
	})
	if err != nil || o.DryRun {
		return changes(steps), err
	}
	return changes(steps), errors.Join(uninstallAll(h, root, steps, rec), takeFitted(h, root))
}

// changes returns the change of each step.
func changes(steps []*step) (all []Change) {
	for _, s := range steps {
		all = append(all, s.Change)
	}
	return all
}

// plan reads every file of a host and decides its change.
func plan(h Host, root string, c Commands, rec record, decide func(*step) error) (steps []*step, err error) {
	for _, file := range h.Files(root, c) {
		s := &step{Change: Change{File: file.Path}, file: file}
		if was, known := rec.Files[file.Path]; known {
			s.was = &was
		}
		if s.real, err = realPath(root, file.Path); err != nil {
			return nil, err
		}
		if s.OldContent, err = readFile(s.real); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", file.Path, err)
		}
		if s.OldContent == nil && err == nil {
			s.OldContent = []byte{}
		}
		if err := decide(s); err != nil {
			return nil, fmt.Errorf("%s %w", file.Path, err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// installAll performs the planned changes. It records the old content first, so that a killed
// command can be undone.
func installAll(h Host, root string, steps []*step, rec record, o Options) error {
	if !slices.ContainsFunc(steps, func(s *step) bool { return s.Changed() }) {
		return nil
	}
	for _, s := range steps {
		if !s.Changed() {
			continue
		}
		rec.Files[s.File] = recorded{Existed: s.base != nil, Installed: s.NewContent, backup: s.base}
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

// newFolders returns the directories of a file that do not exist yet.
func newFolders(root, file string, known []string) (folders []string) {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(dir))); errors.Is(err, fs.ErrNotExist) && !slices.Contains(known, dir) {
			folders = append([]string{dir}, folders...)
		}
	}
	return folders
}

// uninstallAll performs the planned changes and removes the record.
func uninstallAll(h Host, root string, steps []*step, rec record) error {
	for _, s := range steps {
		if err := s.write(Options{}); err != nil {
			return err
		}
		delete(rec.Files, s.File)
		if len(s.Preserved) == 0 {
			continue
		}
		if s.was != nil { // kept entries remain recorded
			rec.Files[s.File] = *s.was
		}
	}
	// Without a record of created directories, try the directories of the removed files.
	folders := slices.Clone(rec.Folders)
	for _, s := range steps {
		if s.was != nil || s.OldContent == nil || s.NewContent != nil {
			continue
		}
		for dir := path.Dir(s.File); dir != "."; dir = path.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) }) // inner directories first
	for _, dir := range folders {
		_ = os.Remove(filepath.Join(root, filepath.FromSlash(dir)))
	}
	return rec.write(root, h.Name)
}

// write writes the new content of the file, or removes the file if nothing remains. It does
// nothing if the content does not change.
func (s *step) write(o Options) error {
	if !s.Changed() {
		return nil
	}
	if s.NewContent == nil {
		return removeFile(s.real, s.OldContent)
	}
	w, isWhole := s.file.content.(ownedFile)
	if o.Renew && isWhole && s.OldContent != nil && !w.isUnmodified(s.OldContent) {
		if err := os.Rename(s.real, s.real+".old"); err != nil {
			return err
		}
		s.Backup = s.File + ".old"
		return replaceFile(s.real, nil, s.NewContent)
	}
	return replaceFile(s.real, s.OldContent, s.NewContent)
}
