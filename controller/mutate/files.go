package mutate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Stdin is the file name that represents standard input.
const Stdin = "-"

// ReadManifests returns the documents of all named files and the errors. A name is a
// file, a directory (its .json, .yaml and .yml files, sorted; subdirectories
// too if recursive), or "-".
func ReadManifests(names []string, recursive bool, stdin io.Reader) (documents []Manifest, failed []error) {
	take := func(source string, open func() (io.ReadCloser, error)) {
		data, err := readAll(source, open)
		if err != nil {
			failed = append(failed, err)
			return
		}
		for d, err := range SplitManifests(source, data) {
			if err != nil {
				failed = append(failed, err)
			} else {
				documents = append(documents, d)
			}
		}
	}
	for _, name := range names {
		if name == Stdin {
			take("STDIN", func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil })
			continue
		}
		paths, err := expandFolder(name, recursive)
		if err != nil {
			failed = append(failed, err)
		}
		for _, path := range paths {
			take(path, func() (io.ReadCloser, error) { return os.Open(path) })
		}
	}
	return documents, failed
}

// readAll reads a file of manifests, at most MaxBytes.
func readAll(source string, open func() (io.ReadCloser, error)) ([]byte, error) {
	file, err := open()
	if err != nil {
		return nil, pathError(source, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err == nil && len(data) > MaxBytes {
		err = fmt.Errorf("%s: more than %d MiB; split it into several files", source, MaxBytes>>20)
	}
	return data, err
}

// expandFolder returns name itself, or the manifests in the directory of that
// name.
func expandFolder(name string, recursive bool) (paths []string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, pathError(name, err)
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != name && !recursive:
			return filepath.SkipDir
		case !entry.IsDir() && slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(path))):
			paths = append(paths, path)
		}
		return nil
	})
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("error reading [%s]: recognized file extensions are [.json .yaml .yml]", name)
	}
	return paths, err
}

// pathError returns the error for an unreadable path, in plain words if it does
// not exist.
func pathError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the path %q does not exist", path)
	}
	return err
}
