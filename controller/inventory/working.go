package inventory

import (
	"context"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Working lists the files of a working tree once, for callers that need only
// names and a few contents. It reads no facts and caches nothing. It implements
// project.Files and is safe for concurrent use.
type Working struct {
	root  layout.Root
	paths []string
}

// List lists the files of the working tree at root. It returns an error if git
// cannot list them.
func List(ctx context.Context, root layout.Root) (Working, error) {
	all, _, err := list(ctx, root, nil, ignoredPatterns(root))
	w := Working{root: root, paths: make([]string, len(all))}
	for i, l := range all {
		w.paths[i] = l.path
	}
	return w, err
}

// Paths returns the paths of all files, sorted. The caller must not modify the
// slice.
func (w Working) Paths() []string { return w.paths }

// Read returns the content of a file. See project.Files.
func (w Working) Read(path string) ([]byte, error) { return readIn(w.root, path) }
