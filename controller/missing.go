package controller

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// miss deals with a name that the store did not find. Git and editors make files
// vanish for a moment, so absence counts only when it is seen twice, a quiet
// period apart.
func (i *informer) miss(ctx context.Context, key resources.Key) (Result, error) {
	if !i.cache.get(key).known() {
		delete(i.missing, key)
		i.queue.Add(archiveKey, Low) // a hint may have been about one that was archived
		return Result{}, nil
	}
	now := time.Now()
	since, again := i.missing[key]
	if !again {
		i.missing[key] = now
		return Result{After: i.options.QuietPeriod}, nil
	}
	if rest := i.options.QuietPeriod - now.Sub(since); rest > 0 {
		return Result{After: rest}, nil
	}
	if i.options.Held != nil && !i.options.Held() {
		i.leave(errReplaced)
		i.queue.AddAfter(listKey, leftFor)
		return Result{}, nil
	}
	// What is missing because it was archived was in the archive when it was missed.
	if !i.archive.After(since) {
		if err := i.refreshArchived(ctx); err != nil {
			return Result{}, err
		}
	}
	delete(i.missing, key)
	return Result{}, i.remove(ctx, key)
}

// restoreAfter is how long nobody removes a status before those that were removed are written
// again: rm -r has to end, on a busy machine as well.
const restoreAfter = time.Second

// missStatus has a status written again that somebody removed, once no other one has been removed
// for restoreAfter.
func (i *informer) missStatus(ctx context.Context, key resources.Key) (Result, error) {
	if !i.unwritten[key] {
		i.unwritten[key], i.removed = true, time.Now()
	}
	if rest := restoreAfter - time.Since(i.removed); rest > 0 {
		return Result{After: rest}, nil
	}
	delete(i.unwritten, key)
	kind, name, _ := strings.Cut(key.Name, "/")
	object := resources.Key{Kind: kind, Name: name}
	if reader, ok := i.store.(store.StatusReader); ok && i.cache.get(object).status != nil && !i.owed(object) {
		status, err := reader.ReadStatus(ctx, object)
		if err != nil {
			return Result{}, i.orLeave(err)
		}
		if status == nil {
			i.owe(object)
		}
	}
	return Result{}, nil
}

// errReplaced: objects vanish, and so did the lease's file. Somebody removes .idumb.
var errReplaced = errors.New(".idumb is being removed or replaced")

// leftFor is how long a store that is being removed is left alone before the
// controller looks whether there is one again; its watch tells sooner, most often.
const leftFor = 2 * time.Second

// remove forgets an object. Its status stays in the cache, as the mark that its
// reconciler has cleaning up to do.
func (i *informer) remove(ctx context.Context, key resources.Key) error {
	if err := i.release(ctx, key); err != nil {
		return err
	}
	delete(i.troubles, key)
	before, after := i.cache.update(key, func(e *entry) { e.object, e.problem, e.torn, e.rev = nil, nil, false, "" })
	i.deliver([]Change{change(before, after)})
	return nil
}
