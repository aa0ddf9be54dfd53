package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// recordDir holds, for each host, what its files were before Install and what
// Install made of them. It is local to a machine, like all of .idumb/run: where
// it is missing, what is ours is told by what it says.
const recordDir = layout.RunDir + "/agents"

// record is what Install remembers of a host.
type record struct {
	Files   map[string]recorded `json:"files"`
	Folders []string            `json:"folders,omitempty"` // made by Install, outer ones first
}

// recorded is what Install remembers of a file.
type recorded struct {
	Existed bool   `json:"existed"` // then the file as it was is the backup
	After   []byte `json:"after"`   // what Install left there
	before  []byte // the backup
}

func recordFile(host string) string { return path.Join(recordDir, host+".json") }

// backupOf is where a file is kept as it was before Install, from the repository's root.
func backupOf(host, file string) string { return path.Join(recordDir, host, file) }

// readRecord returns what is remembered; nothing if there is nothing to read.
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
		if f.before, _, err = layout.Root(root).Read(backupOf(host, name), layout.MaxLog); err != nil {
			delete(r.Files, name) // half a memory is none
			continue
		}
		if f.before == nil {
			f.before = []byte{} // an empty file is one
		}
		r.Files[name] = f
	}
	return r
}

// write remembers; with no file left it forgets.
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

// keep puts a file as it was into its backup.
func (r record) keep(root, host, file string) (backup string, err error) {
	f := r.Files[file]
	name := backupOf(host, file)
	if !f.Existed {
		return "", ignoreMissing(layout.Root(root).Remove(name))
	}
	if err := layout.Root(root).Replace(name, f.before); err != nil {
		return "", fmt.Errorf("cannot keep a backup of %s: %w; nothing was changed in it", file, err)
	}
	return name, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
