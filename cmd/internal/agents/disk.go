package agents

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/replace"
)

// maxSettings is the largest file of a host's that is read, in bytes: far more than
// anybody's settings.
const maxSettings = 16 << 20

// readFile reads a file of settings that anybody may have put there: a pipe would hold
// us up for ever, and a huge file take all memory. The error is fs.ErrNotExist if there
// is none.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is no regular file; move it away")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err == nil && len(data) > maxSettings {
		return nil, fmt.Errorf("is larger than %d bytes", maxSettings)
	}
	return data, err
}

// realPath follows links, as people have with settings kept elsewhere, but not out
// of the repository.
func realPath(root, file string) (string, error) {
	path := filepath.Join(root, filepath.FromSlash(file))
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", fmt.Errorf("%s: %w", root, err)
	}
	real, err := resolve(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	if rel, err := filepath.Rel(realRoot, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s leads out of the repository, to %s; put a file in its place, or install there", file, real)
	}
	return real, nil
}

// resolve follows the links of a path whose end may not exist yet.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", errors.New("is a link that leads nowhere; remove it first")
	}
	folder, err := resolve(filepath.Dir(path))
	return filepath.Join(folder, filepath.Base(path)), err
}

// replaceFile makes a file hold text if it still holds before, nil for no file. Its mode stays.
func replaceFile(path string, before, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return changed(path, replace.File(path, before, text, 0o644))
}

// removeFile removes a file if it still holds before.
func removeFile(path string, before []byte) error { return changed(path, replace.Remove(path, before)) }

// changed names the file that an editor saved meanwhile.
func changed(path string, err error) error {
	if errors.Is(err, replace.ErrChanged) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return err
}
