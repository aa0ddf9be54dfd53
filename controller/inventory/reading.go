package inventory

import (
	"context"
	"sync/atomic"

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
	if len(all) == 0 {
		return nil
	}
	i.cache.load()
	blob := vouched(i.root)
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	work := func() error {
		if i.yields && len(all) > fewFiles {
			yield()
		}
		for n := next.Add(1); n <= int64(len(all)) && ctx.Err() == nil; n = next.Add(1) {
			r := all[n-1]
			r.scan(t, i.cache, blob(r.path, r.file.info))
		}
		return ctx.Err()
	}
	for range min(i.workers, len(all)) {
		group.Go(work)
	}
	return group.Wait()
}

// fewFiles are read at once, for which nobody has to give way.
const fewFiles = 64

// scan finds the facts of one file: those known of its content, git's id of which may be known, or
// what its text says.
func (r *reading) scan(t *tree, known *cache, blob string) {
	language := source.LanguageOf(r.path)
	if !source.IsCode(r.path) {
		return
	}
	if blob != "" {
		r.file.key = language + " " + blob
		if r.file.facts = known.get(r.file.key); r.file.facts != "" {
			return
		}
	}
	data, err := t.read(r.path)
	if err != nil {
		r.file.facts = unread(r.path, "not read: larger than 1 MiB, or nobody may look")
		return
	}
	r.file.key = language + " " + blobOf(data)
	if r.file.facts = known.get(r.file.key); r.file.facts == "" {
		r.file.facts = source.Pack(source.Outline(r.path, data))
		known.put(r.file.key, r.file.facts)
	}
}

// unread is what is known of a file of code that could not be read.
func unread(path, why string) source.Packed {
	return source.Pack(source.Facts{Language: source.LanguageOf(path), Partial: why})
}
