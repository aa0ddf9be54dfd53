package edges

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// checkout is a folder with the files of a repository.
type checkout struct{ root string }

// Paths are all files but those of git and what is installed, sorted.
func (c checkout) Paths() (paths []string) {
	_ = filepath.WalkDir(c.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if rest, err := filepath.Rel(c.root, p); err == nil && d.Type().IsRegular() {
			paths = append(paths, filepath.ToSlash(rest))
		}
		return nil
	})
	slices.Sort(paths)
	return paths
}

func (c checkout) Read(path string) ([]byte, error) {
	return os.ReadFile(filepath.Join(c.root, path))
}
