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

// Replace makes a file hold data, by a rename, so that every reader sees the
// old or the new bytes. It writes nothing if they are the same. It does not
// wait for the disk: for what can be computed again (status, context) or
// hardly matters after a power cut (sessions). Folders are made as needed.
func (r Root) Replace(file string, data []byte) error {
	folder, name := path.Split(file)
	d, err := r.Make(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Replace(name, data)
}

// Replace makes a file of the folder hold data; see Root.Replace.
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

// ReplaceDurably is Replace that returns when the new bytes are on disk, under that name. An error
// of the last step leaves open which of the two survive a power cut.
func (d *OpenDir) ReplaceDurably(name string, data []byte, perm fs.FileMode) error {
	if err := d.ReplaceWhole(name, data, perm); err != nil {
		return err
	}
	return d.Sync()
}

// ReplaceWhole is ReplaceDurably for who waits for the folder later, by Sync: until then a power cut
// leaves the old bytes or the new ones.
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

// Write makes a new file that holds data. It does not wait for the disk.
func (d *OpenDir) Write(name string, data []byte, perm fs.FileMode) error {
	return d.write(name, data, perm, func(*os.File) error { return nil })
}

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

// TempName returns a name that no watcher takes for an object and that no
// other writer uses.
func TempName() string {
	var b [8]byte
	rand.Read(b[:])
	return TempPrefix + hex.EncodeToString(b[:])
}

// Remove removes a file below .idumb. No error if there is none.
func (r Root) Remove(file string) error {
	folder, name := path.Split(file)
	d, err := r.Open(folder)
	if err != nil {
		return ignoreMissing(err)
	}
	defer d.Close()
	return d.Remove(name)
}

// AppendCheckpoint adds a line to a task's log, in one write. What is too long
// for a line is cut: the command, then the summary, then the list of files.
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

// AppendEvent is store.AppendEvents.
func (r Root) AppendEvent(events ...resources.Event) error {
	return store.AppendEvents(r.Scratch(), events...)
}

// AppendLine adds a line to a file below .idumb, in one write.
func (r Root) AppendLine(file string, line []byte) error { return r.Append(file, append(line, '\n')) }

// Append adds data to the end of a file below .idumb, in one write. It makes the file and its
// folder if there is none.
func (r Root) Append(file string, data []byte) error {
	folder, name := path.Split(file)
	d, err := r.Make(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Append(name, data)
}

// Append adds all of data to the end of a file of this folder, in one write each. It makes the file
// if there is none.
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
