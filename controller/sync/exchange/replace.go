package exchange

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace writes a file that only its owner can read and creates its parent
// directories. After a crash the file has the old or the new content. With
// concurrent calls, the last one wins.
func Replace(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".sync-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
