package gitengine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// looseLimit is the number of objects in one of the 256 directories of loose
// objects from which they are packed. Git uses the same estimate; it means
// about 2,000 files.
const looseLimit = 8

// tidy packs the objects of the state and removes all other objects of the
// separate store, which is a cache. It ignores errors.
func (e *Engine) tidy(ctx context.Context, tip string) {
	own := filepath.Join(e.Cache, "objects")
	if loose, err := os.ReadDir(filepath.Join(own, "17")); err != nil || len(loose) < looseLimit {
		return
	}
	packs := filepath.Join(own, "pack")
	if os.MkdirAll(packs, 0o700) != nil {
		return
	}
	o, err := e.git(ctx, []byte(tip+"\n"), "pack-objects", "--quiet", "--revs", filepath.Join(packs, "pack"))
	name := strings.TrimSpace(o.text)
	if err != nil || name == "" {
		return
	}
	files, err := os.ReadDir(packs)
	for _, f := range files {
		if err == nil && !strings.Contains(f.Name(), name) {
			os.Remove(filepath.Join(packs, f.Name()))
		}
	}
	_, _ = e.git(ctx, nil, "prune-packed", "--quiet")
}
