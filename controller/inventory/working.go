package inventory

import (
	"context"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Working is the files of a working tree as they were listed once, for who asks only what their
// names and a few contents say: no facts are read, and nothing is kept. It implements
// project.Files, and may be used by any number of goroutines.
type Working struct {
	root  layout.Root
	paths []string
}

// List lists the files of the working tree at root. It fails where git cannot list them.
func List(ctx context.Context, root layout.Root) (Working, error) {
	all, _, err := list(ctx, root, nil, ignored(root))
	w := Working{root: root, paths: make([]string, len(all))}
	for i, l := range all {
		w.paths[i] = l.path
	}
	return w, err
}

// Paths are those of all files, sorted. Nobody may change the slice.
func (w Working) Paths() []string { return w.paths }

// Read returns the content of a file. See project.Files.
func (w Working) Read(path string) ([]byte, error) { return readIn(w.root, path) }
