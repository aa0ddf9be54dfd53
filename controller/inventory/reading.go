package inventory

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/resources/source"
)

// reading is a file whose facts are wanted.
type reading struct {
	path string
	file *file
}

// read fills in the facts of files, some at a time.
func (i *Inventory) read(ctx context.Context, t *tree, all []*reading) error {
	if len(all) > 0 {
		i.cache.load()
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(i.workers)
	for part := range slices.Chunk(all, 64) {
		group.Go(func() error {
			for _, r := range part {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r.scan(t, i.cache)
			}
			return nil
		})
	}
	return group.Wait()
}

// scan finds the facts of one file: those known of its content, or what its text says.
func (r *reading) scan(t *tree, known *cache) {
	if !source.IsCode(r.path) {
		return
	}
	key := func() string { return source.LanguageOf(r.path) + " " + r.file.blob }
	if r.file.blob != "" {
		if r.file.facts = known.get(key()); r.file.facts != nil {
			return
		}
	}
	data, err := t.read(r.path)
	if err != nil {
		r.file.facts = &source.Facts{Language: source.LanguageOf(r.path), Partial: "not read: larger than 1 MiB, or nobody may look"}
		return
	}
	r.file.blob = blobOf(data)
	if r.file.facts = known.get(key()); r.file.facts == nil {
		r.file.facts = outline(r.path, data)
		known.put(key(), r.file.facts)
	}
}

// outline is what all files are asked for at once: what others can use of one, and what it uses. The
// rest is read again from the file where it is wanted.
func outline(path string, data []byte) *source.Facts {
	facts := source.Outline(path, data)
	return &facts
}
