package layout

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Replace replaces a file atomically by a rename. It writes nothing if the
// content is equal. It does not flush to disk, for data that can be computed
// again (status, context) or is unimportant after a power loss (sessions). It
// creates missing directories.
func (r Root) Replace(file string, data []byte) error {
	folder, name := path.Split(file)
	d, err := r.Make(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Replace(name, data)
}

// Replace replaces a file of the directory; see Root.Replace.
func (d *OpenDir) Replace(name string, data []byte) error {
	old, info, err := d.Read(name, MaxLog)
	if err == nil && bytes.Equal(old, data) {
		return nil
	}
	perm := fs.FileMode(0o600)
	if err == nil {
		perm = info.Mode.Perm()
	}
	temp := TempName()
	if err := d.Write(temp, data, perm); err != nil {
		return err
	}
	if err := d.Rename(temp, d, name); err != nil {
		d.Remove(temp)
		return err
	}
	return nil
}

// ReplaceDurably is like Replace, but returns after the new content is durable
// under that name. If the last step fails, either version may survive a power
// loss.
func (d *OpenDir) ReplaceDurably(name string, data []byte, perm fs.FileMode) error {
	if err := d.ReplaceWhole(name, data, perm); err != nil {
		return err
	}
	return d.Sync()
}

// ReplaceWhole is like ReplaceDurably, but leaves flushing the directory to a
// later Sync. Until then a power loss leaves the old or the new content.
func (d *OpenDir) ReplaceWhole(name string, data []byte, perm fs.FileMode) error {
	temp := TempName()
	if err := d.write(temp, data, perm, (*os.File).Sync); err != nil {
		return err
	}
	if err := d.Rename(temp, d, name); err != nil {
		d.Remove(temp)
		return err
	}
	return nil
}

// Write creates a new file. It does not flush to disk.
func (d *OpenDir) Write(name string, data []byte, perm fs.FileMode) error {
	return d.write(name, data, perm, func(*os.File) error { return nil })
}

// write creates a file with data and flushes it by sync. It removes the file
// after an error.
func (d *OpenDir) write(name string, data []byte, perm fs.FileMode, sync func(*os.File) error) error {
	f, err := d.Create(name, perm)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = sync(f)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		d.Remove(name)
		return d.explain(name, err)
	}
	return nil
}

// TempName returns a unique name that watchers do not take for an object.
func TempName() string {
	var b [8]byte
	rand.Read(b[:])
	return TempPrefix + hex.EncodeToString(b[:])
}

// Remove removes a file below .idumb. It ignores a missing one.
func (r Root) Remove(file string) error {
	folder, name := path.Split(file)
	d, err := r.Open(folder)
	if err != nil {
		return ignoreMissing(err)
	}
	defer d.Close()
	return d.Remove(name)
}

// AppendCheckpoint appends a line to a task's log in one write. If the line is
// too long, it truncates the command, then the summary, then the list of files.
func (r Root) AppendCheckpoint(task string, c resources.Checkpoint) error {
	if err := resources.CheckName(task); err != nil {
		return err
	}
	line, err := store.LogLine(&c, &c.Command, &c.Summary)
	for err == nil && len(line) > store.MaxLogLine && len(c.FilesModified) > 0 {
		c.FilesModified = c.FilesModified[:len(c.FilesModified)/2]
		line, err = json.Marshal(c)
		line = append(line, '\n')
	}
	if err != nil {
		return err
	}
	return r.Append(CheckpointPath(task), line)
}

// AppendEvent appends events to the event logs. See store.AppendEvents.
func (r Root) AppendEvent(events ...resources.Event) error {
	return store.AppendEvents(r.Scratch(), events...)
}

// AppendLine appends a line to a file below .idumb in one write.
func (r Root) AppendLine(file string, line []byte) error { return r.Append(file, append(line, '\n')) }

// Append appends data to a file below .idumb in one write. It creates a missing
// file and directory.
func (r Root) Append(file string, data []byte) error {
	folder, name := path.Split(file)
	d, err := r.Make(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Append(name, data)
}

// Append appends all of data to a file of this directory, with one write each.
// It creates a missing file.
func (d *OpenDir) Append(name string, data ...[]byte) error {
	f, err := d.append(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, part := range data {
		if _, err := f.Write(part); err != nil {
			return d.explain(name, err)
		}
	}
	return nil
}
