package inventory

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// listedFile is one file of the working tree with its lstat data.
type listedFile struct {
	path string
	info layout.Info
}

// listTimeout is the timeout of git for listing the files. A .gitignore that is a
// pipe would block it forever.
const listTimeout = 20 * time.Second

// list returns the relevant regular files of the working tree, sorted by path:
// existing files that git tracks, and files that are neither tracked nor
// ignored. Files below .idumb are excluded. The files in known, which must be
// sorted, are examined while git lists. leave contains patterns of files to
// exclude, of which only the number is returned.
func list(ctx context.Context, root layout.Root, known, leave []string) (all []listedFile, leftOut int, err error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	looks := make(chan []listedFile)
	go func() { looks <- lookAt(root, known) }()
	paths, err := githistory.Content(ctx, root, []string{"**"})
	seen := <-looks
	if err != nil {
		return nil, 0, fmt.Errorf("list the files of %s: %w; check that git ls-files --others terminates there; it hangs if a .gitignore is a named pipe", root, err)
	}
	all = make([]listedFile, 0, len(paths))
	for _, path := range paths {
		if ignores(leave, path) {
			leftOut++
			continue
		}
		for len(seen) > 0 && seen[0].path < path {
			seen = seen[1:]
		}
		if len(seen) > 0 && seen[0].path == path {
			all = append(all, seen[0])
		} else if l, there := look(root, path); there {
			all = append(all, l)
		}
	}
	return all, leftOut, nil
}

// lookAt examines files and returns the relevant ones.
func lookAt(root layout.Root, paths []string) []listedFile {
	all := make([]listedFile, 0, len(paths))
	for _, path := range paths {
		if l, there := look(root, path); there {
			all = append(all, l)
		}
	}
	return all
}

// look examines one file. It returns false if the file is not relevant.
func look(root layout.Root, path string) (listedFile, bool) {
	if path == layout.Dir || strings.HasPrefix(path, layout.Dir+"/") {
		return listedFile{}, false
	}
	info, err := root.Lstat(path)
	if err != nil || !info.Mode.IsRegular() {
		return listedFile{}, false
	}
	return listedFile{path: path, info: info}, true
}

// indexTime returns the modification time of git's index, or the zero time.
func indexTime(root layout.Root) time.Time {
	info, err := os.Stat(filepath.Join(layout.GitDir(string(root)), "index"))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
