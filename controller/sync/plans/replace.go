package plans

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace writes a file that is its owner's alone, and makes the folders above it: after a crash the file
// holds what was there, or all that is new. Who replaces it at the same time may win.
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
