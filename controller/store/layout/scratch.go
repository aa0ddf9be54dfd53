package layout

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// maxText is the maximum size of a scratch text other than a log. A mark holds
// an object in base64.
const maxText = 4 * MaxSpec

// scratch implements store.Scratch in a directory.
type scratch struct {
	open func(folder string, create bool) (*OpenDir, error)
}

// Scratch stores texts in the local directories of .idumb.
func (r Root) Scratch() store.Scratch {
	return scratch{func(folder string, create bool) (*OpenDir, error) {
		folder = path.Join(Dir, folder)
		if FolderMode(folder) != 0o700 {
			return nil, fmt.Errorf("%s is not a private directory of this machine", folder)
		}
		return r.walk(folder, create)
	}}
}

// SyncDir is the sync directory of a clone, below git's common directory.
const SyncDir = "idumb/sync"

// SyncScratch stores the sync state of this working tree in git's common
// directory, where it survives git's changes to the tree. Without git, writes
// return store.ErrNotFound.
func (r Root) SyncScratch() store.Scratch {
	return scratch{func(folder string, create bool) (*OpenDir, error) {
		return r.walkGit(path.Join(SyncDir, "trees", r.treeName(), folder), create)
	}}
}

// SyncFolder returns the directory of SyncScratch, or "" without git.
func (r Root) SyncFolder() string {
	git := GitDir(string(r))
	if git == "" {
		return ""
	}
	return filepath.Join(CommonDir(git), filepath.FromSlash(SyncDir), "trees", r.treeName())
}

// syncConflicts is the directory in SyncFolder with a file for each unresolved
// conflict.
const syncConflicts = "conflicts"

// SyncConflicts returns the names of the files in SyncFolder with the
// unresolved conflicts of this working tree. It returns nil if its objects were
// never shared.
func (r Root) SyncConflicts() []string {
	folder := r.SyncFolder()
	if folder == "" {
		return nil
	}
	files, _ := os.ReadDir(filepath.Join(folder, syncConflicts)) // doctor reports unreadable ones
	var names []string
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".json") {
			names = append(names, f.Name())
		}
	}
	return names
}

// treeName identifies the working tree and the root's position in it among
// those of a repository.
func (r Root) treeName() string {
	name, git := "main", GitDir(string(r))
	if common := CommonDir(git); common != git {
		name = "linked/" + filepath.Base(git)
	}
	if rel, err := filepath.Rel(topOf(string(r)), string(r)); err == nil && rel != "." {
		name += "/" + filepath.ToSlash(rel)
	}
	return resources.NameOfID(name)
}

// withDirectory calls f with the directory and the file name of a text.
func (s scratch) withDirectory(name string, create bool, f func(d *OpenDir, file string) error) error {
	if err := store.CheckName(name); err != nil {
		return err
	}
	folder, file := path.Split(name)
	d, err := s.open(path.Clean(folder), create)
	if err != nil {
		return err
	}
	defer d.Close()
	return f(d, file)
}

// Read returns a text, or only the end of a log.
func (s scratch) Read(name string) (data []byte, err error) {
	err = s.withDirectory(name, false, func(d *OpenDir, file string) (err error) {
		if strings.HasSuffix(file, ".jsonl") {
			data, _, err = d.ReadLog(file)
		} else {
			data, _, err = d.Read(file, maxText)
		}
		return err
	})
	return data, err
}

// Write replaces a text atomically, without flushing it to disk.
func (s scratch) Write(name string, data []byte) error {
	return s.withDirectory(name, true, func(d *OpenDir, file string) error { return d.Replace(file, data) })
}

// WriteDurably replaces a text and returns after it is durable.
func (s scratch) WriteDurably(name string, data []byte) error {
	return s.withDirectory(name, true, func(d *OpenDir, file string) error { return d.ReplaceDurably(file, data, 0o600) })
}

// Append appends to a text, with one write for each data.
func (s scratch) Append(name string, data ...[]byte) error {
	return s.withDirectory(name, true, func(d *OpenDir, file string) error { return d.Append(file, data...) })
}

// Remove removes a text. It ignores a missing one.
func (s scratch) Remove(name string) error {
	return ignoreMissing(s.withDirectory(name, false, func(d *OpenDir, file string) error { return d.Remove(file) }))
}

// List returns the names of the texts in a directory, without temporary files.
// It returns nil if the directory does not exist.
func (s scratch) List(folder string) (names []string, err error) {
	if err := store.CheckName(folder); err != nil {
		return nil, err
	}
	d, err := s.open(folder, false)
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return nil, err
	}
	defer d.Close()
	found, err := d.Names()
	for _, name := range found {
		if !strings.HasPrefix(name, TempPrefix) {
			names = append(names, folder+"/"+name)
		}
	}
	return names, err
}

// Lock locks the file with a name. See OpenDir.Lock.
func (s scratch) Lock(name string, patience time.Duration) (unlock func(), err error) {
	err = s.withDirectory(name, true, func(d *OpenDir, file string) error {
		unlock, err = d.Lock(file, patience)
		return err
	})
	return unlock, err
}
