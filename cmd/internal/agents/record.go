package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// recordDir contains the content of each host's files before and after Install. It is local to this
// machine, like all of .idumb/run. Without it, iDumb's entries are recognized by their content.
const recordDir = layout.RunDir + "/agents"

// record is the record of Install for a host.
type record struct {
	Files   map[string]recorded `json:"files"`
	Folders []string            `json:"folders,omitempty"` // directories created by Install, outer ones first
}

// recorded is the record of Install for a file.
type recorded struct {
	Existed   bool   `json:"existed"` // the backup contains the old content
	Installed []byte `json:"after"`   // content after Install
	backup    []byte // content of the backup
}

// recordFile returns the path of the record of Install for a host.
func recordFile(host string) string { return path.Join(recordDir, host+".json") }

// backupOf returns the path of a file's backup, relative to the repository's root.
func backupOf(host, file string) string { return path.Join(recordDir, host, file) }

// readRecord returns the record, empty if it cannot be read.
func readRecord(root, host string) record {
	r := record{Files: map[string]recorded{}}
	data, _, err := layout.Root(root).Read(recordFile(host), layout.MaxLog)
	if err != nil || json.Unmarshal(data, &r) != nil || r.Files == nil {
		return record{Files: map[string]recorded{}}
	}
	for name, f := range r.Files {
		if !f.Existed {
			continue
		}
		if f.backup, _, err = layout.Root(root).Read(backupOf(host, name), layout.MaxLog); err != nil {
			delete(r.Files, name) // without the backup the record is incomplete
			continue
		}
		if f.backup == nil {
			f.backup = []byte{} // an empty file, not a missing one
		}
		r.Files[name] = f
	}
	return r
}

// write stores the record, or removes it if it has no files.
func (r record) write(root, host string) error {
	if len(r.Files) == 0 {
		return ignoreMissing(layout.Root(root).Remove(recordFile(host)))
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return layout.Root(root).Replace(recordFile(host), append(data, '\n'))
}

// keep writes a copy of the file's content before Install, and returns its path. For a file that
// did not exist it removes an old copy.
func (r record) keep(root, host, file string) (backup string, err error) {
	f := r.Files[file]
	name := backupOf(host, file)
	if !f.Existed {
		return "", ignoreMissing(layout.Root(root).Remove(name))
	}
	if err := layout.Root(root).Replace(name, f.backup); err != nil {
		return "", fmt.Errorf("cannot keep a backup of %s: %w; nothing was changed in it", file, err)
	}
	return name, nil
}

// ignoreMissing returns nil for store.ErrNotFound, otherwise err.
func ignoreMissing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
