package layout

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"io/fs"
	"path"
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

// Write makes a new file that holds data. It does not wait for the disk.
func (d *OpenDir) Write(name string, data []byte, perm fs.FileMode) error {
	f, err := d.Create(name, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
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
