package layout

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/resources"
)

// maxVisited limits the files that HasFile visits, because a rule must not
// delay a call by a walk through the repository.
const maxVisited = 4000

// HasFile reports whether a file or directory of the repository matches a glob. A glob with wildcards is searched
// below its fixed part, and never outside the repository. The search ends without a match after maxVisited files.
func (r Root) HasFile(glob string) bool {
	base := filepath.FromSlash(resources.GlobRoot(glob))
	if !filepath.IsLocal(base) {
		return false
	}
	at := filepath.Join(string(r), base)
	if !resources.IsGlob(glob) {
		_, err := os.Lstat(at)
		return err == nil
	}
	visited, found := 0, false
	_ = filepath.WalkDir(at, func(file string, d fs.DirEntry, err error) error {
		visited++
		if err != nil || visited > maxVisited {
			return fs.SkipAll
		}
		rel, err := filepath.Rel(string(r), file)
		switch {
		case err != nil:
			return fs.SkipAll
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case resources.MatchGlob(glob, filepath.ToSlash(rel)):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}
