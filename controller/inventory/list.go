package inventory

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// listed is one file of the working tree, as lstat has it.
type listed struct {
	path string
	info fs.FileInfo
	blob string // git's id of its content, where the index vouches for it; else ""
}

// patience is how long git may take to list the files. A .gitignore that is a pipe holds it for ever.
const patience = 20 * time.Second

// list lists the regular files of the working tree that count, sorted by path: what git tracks and
// is there, and what is neither tracked nor ignored. What stands below .idumb does not count.
func list(ctx context.Context, root layout.Root) ([]listed, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	paths, err := githistory.Content(ctx, root, []string{"**"})
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w; see whether git ls-files --others ends there, which a .gitignore that is a pipe keeps from it", root, err)
	}
	indexed, at := map[string]layout.Indexed{}, indexTime(root)
	for _, e := range root.Index() {
		indexed[e.File] = e
	}
	all := make([]listed, 0, len(paths))
	for _, path := range paths {
		l, there := look(root, path)
		if !there {
			continue
		}
		// A file changed at the time of the index, or later, may have changed again since (git's
		// "racily clean").
		if e, tracked := indexed[path]; tracked && !e.Changed(l.info) && l.info.ModTime().Before(at) {
			l.blob = e.Blob()
		}
		all = append(all, l)
	}
	return all, nil
}

// look looks at one file; false where it does not count.
func look(root layout.Root, path string) (listed, bool) {
	if path == layout.Dir || strings.HasPrefix(path, layout.Dir+"/") {
		return listed{}, false
	}
	info, err := os.Lstat(root.Abs(path))
	if err != nil || !info.Mode().IsRegular() {
		return listed{}, false
	}
	return listed{path: path, info: info}, true
}

// indexTime is when git's index was written.
func indexTime(root layout.Root) time.Time {
	info, err := os.Stat(filepath.Join(layout.GitDir(string(root)), "index"))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
