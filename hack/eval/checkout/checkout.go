// Package checkout has the files of a repository that lies on this disk, for what is measured on
// repositories that are given by path.
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

// Checkout is a folder with the files of a repository, as they were when it was opened.
type Checkout struct {
	Root  string
	paths []string
}

// Open lists all files below a folder but those of git and what is installed.
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

// Paths are the files, sorted.
func (c *Checkout) Paths() []string { return c.paths }

// Read returns a file; an error for one longer than project.MaxRead.
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

// Open opens a file, to be read to its end.
func (c *Checkout) Open(path string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(c.Root, filepath.FromSlash(path)))
}
