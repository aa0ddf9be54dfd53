// Package checkout gives access to the files of a local repository, for measurements on
// repositories given by path.
package checkout

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/idumb-dev/idumb/resources/project"
)

// Checkout is a directory with the list of its files when it was opened.
type Checkout struct {
	Root  string
	paths []string
}

// Open lists all files below a directory, without git's files and installed packages.
func Open(root string) (*Checkout, error) {
	c := &Checkout{Root: root}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("open checkout: %w", err)
	}
	err = filepath.WalkDir(real, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			name, err := filepath.Rel(real, path)
			c.paths = append(c.paths, filepath.ToSlash(name))
			return err
		}
		return nil
	})
	slices.Sort(c.paths)
	return c, err
}

// Paths returns the files, sorted.
func (c *Checkout) Paths() []string { return c.paths }

// Read returns the content of a file. It returns an error for a file longer than project.MaxRead.
func (c *Checkout) Read(path string) ([]byte, error) {
	r, err := c.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, project.MaxRead+1))
	if err == nil && len(data) > project.MaxRead {
		err = fmt.Errorf("%s is longer than %d bytes", path, project.MaxRead)
	}
	return data, err
}

// Open opens a file for reading.
func (c *Checkout) Open(path string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(c.Root, filepath.FromSlash(path)))
}
