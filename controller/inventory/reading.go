package inventory

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/source"
)

// parseJob is a file to be parsed.
type parseJob struct {
	path string
	file *file
}

// read computes the facts of files concurrently.
func (i *Inventory) read(ctx context.Context, t *tree, all []*parseJob) error {
	if len(all) == 0 {
		return nil
	}
	i.cache.load()
	// git's blob ID of an unchanged file
	at := indexTime(i.root)
	index := i.root.Index()
	blob := func(path string, info layout.Info) string {
		n, tracked := slices.BinarySearchFunc(index, path, func(e layout.Indexed, path string) int { return strings.Compare(e.File, path) })
		// A file changed at or after the time of the index may have changed
		// again since (git's "racily clean").
		if !tracked || index[n].Changed(info.Size, info.ModTime) || !info.ModTime.Before(at) {
			return ""
		}
		return index[n].Blob()
	}
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	work := func() error {
		if i.lowPriority && len(all) > fewFiles {
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

// fewFiles is the number of files up to which workers do not lower their
// priority.
const fewFiles = 64

// scan computes the facts of one file: from the cache, by its blob ID if known,
// or from its content.
func (r *parseJob) scan(t *tree, known *cache, blob string) {
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
		r.file.facts = unreadableFacts(r.path, "not read: larger than 1 MiB, or without read permission")
		return
	}
	r.file.key = language + " " + blobOf(data)
	if r.file.facts = known.get(r.file.key); r.file.facts == "" {
		r.file.facts = source.Pack(source.Outline(r.path, data))
		known.store(r.file.key, r.file.facts)
	}
}

// unreadableFacts returns the facts of an unreadable source file.
func unreadableFacts(path, why string) source.Packed {
	return source.Pack(source.Facts{Language: source.LanguageOf(path), Partial: why})
}
