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

// maxSettings is the maximal size of a host's file in bytes, far more than real settings have.
const maxSettings = 16 << 20

// readFile reads a file of settings. The file is untrusted: a pipe would block forever, and a huge
// file would use all memory. The error is fs.ErrNotExist if the file does not exist.
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

// realPath follows links, because some users keep their settings elsewhere. It returns an error if
// the path leads out of the repository.
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
		return "", fmt.Errorf("%s is a link to %s, outside the repository; replace the link with a file, or install hooks there", file, real)
	}
	return real, nil
}

// resolve follows the links of a path. The end of the path may not exist.
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

// replaceFile replaces the content of a file if it is still before. nil means that the file does
// not exist. It keeps the file's mode.
func replaceFile(path string, before, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return withPath(path, replace.File(path, before, text, 0o644))
}

// removeFile removes a file if its content is still before.
func removeFile(path string, before []byte) error {
	return withPath(path, replace.Remove(path, before))
}

// withPath adds the path to an error about a concurrent change.
func withPath(path string, err error) error {
	if errors.Is(err, replace.ErrChanged) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return err
}
