package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Stdin is the name of standard input among the file names of a command.
const Stdin = "-"

// Read yields the documents of all files named: a file, a folder (its .json,
// .yaml and .yml files, sorted; those below it too if recursive), or "-".
func Read(names []string, recursive bool, stdin io.Reader) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, name := range names {
			for d, err := range readName(name, recursive, stdin) {
				if !yield(d, err) {
					return
				}
			}
		}
	}
}

func readName(name string, recursive bool, stdin io.Reader) iter.Seq2[Document, error] {
	if name == Stdin {
		return readFrom("STDIN", stdin)
	}
	return func(yield func(Document, error) bool) {
		paths, err := expandFolder(name, recursive)
		if err != nil {
			yield(Document{Source: name}, err)
			return
		}
		for _, path := range paths {
			for d, err := range readFile(path) {
				if !yield(d, err) {
					return
				}
			}
		}
	}
}

func readFile(path string) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(Document{Source: path}, pathError(path, err))
			return
		}
		defer file.Close()
		for d, err := range readFrom(path, file) {
			if !yield(d, err) {
				return
			}
		}
	}
}

func readFrom(source string, r io.Reader) iter.Seq2[Document, error] {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err == nil && len(data) > MaxBytes {
		err = tooLarge(source)
	}
	if err != nil {
		return func(yield func(Document, error) bool) { yield(Document{Source: source}, err) }
	}
	return Split(source, data)
}

// expandFolder returns name itself, or the manifests in the folder of that name.
func expandFolder(name string, recursive bool) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, pathError(name, err)
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	var paths []string
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != name && !recursive:
			return filepath.SkipDir
		case !entry.IsDir() && isManifest(path):
			paths = append(paths, path)
		}
		return nil
	})
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("error reading [%s]: recognized file extensions are [.json .yaml .yml]", name)
	}
	return paths, err
}

func isManifest(path string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(path)))
}

func pathError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the path %q does not exist", path)
	}
	return err
}
