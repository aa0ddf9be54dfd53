package intake

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// writeOnce makes a file below .idumb that holds data, and returns when it is on disk. One that holds
// that already is not touched: false. A dry run writes nothing.
func writeOnce(root layout.Root, file string, data []byte, dry bool) (bool, error) {
	if there, _, err := root.Read(file, int64(len(data))+1); err == nil && bytes.Equal(there, data) {
		return false, nil
	}
	if dry {
		return true, nil
	}
	folder, name := path.Split(file)
	d, err := root.Make(folder)
	if err != nil {
		return false, err
	}
	defer d.Close()
	sweep(d)
	return true, write(d, name, data)
}

// sweep removes what a run that was killed began to write into a folder. Nobody else writes there: the store's lock
// is held.
func sweep(d *layout.OpenDir) {
	names, _ := d.Names() // what cannot be listed stays
	for _, name := range names {
		if strings.HasPrefix(name, layout.TempPrefix) {
			d.Remove(name)
		}
	}
}

// write makes a file hold data, by a rename, and returns when it is on disk.
func write(d *layout.OpenDir, name string, data []byte) error {
	temp := layout.TempName()
	f, err := d.Create(temp, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = d.Rename(temp, d, name)
	}
	if err != nil {
		d.Remove(temp)
		return err
	}
	return d.Sync()
}

// logged returns the checkpoints that stand in a task's log.
func logged(root layout.Root, task string) map[string]bool {
	known := map[string]bool{}
	data, _, err := root.ReadSpec(resources.Key{Kind: resources.CheckpointsKind, Name: task})
	if err != nil {
		return known
	}
	for line := range bytes.Lines(data) {
		var c resources.Checkpoint
		if json.Unmarshal(line, &c) == nil {
			known[identity(c)] = true
		}
	}
	return known
}

// identity tells checkpoints apart, by what is not cut in a log.
func identity(c resources.Checkpoint) string {
	summary := c.Summary
	if len(summary) > 40 {
		summary = strings.ToValidUTF8(summary[:40], "")
	}
	return c.Time.UTC().String() + "\x00" + c.Tool + "\x00" + c.Session + "\x00" + summary
}
