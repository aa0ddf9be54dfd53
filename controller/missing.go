package controller

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// miss handles a key that the store did not find. Git and editors remove files
// for a moment, so a file counts as deleted only if it is missing twice, one
// quiet period apart.
func (i *informer) miss(ctx context.Context, key resources.Key) (Result, error) {
	if !i.cache.get(key).known() {
		delete(i.missing, key)
		i.queue.Add(archiveKey, Low) // the hint may be about an archived object
		return Result{}, nil
	}
	now := time.Now()
	since, again := i.missing[key]
	if !again {
		i.missing[key] = now
		if i.options.OnMissing != nil {
			i.options.OnMissing(Change{Key: key, Old: i.cache.get(key).object})
		}
		return Result{After: i.options.QuietPeriod}, nil
	}
	if rest := i.options.QuietPeriod - now.Sub(since); rest > 0 {
		return Result{After: rest}, nil
	}
	if i.store.GitAtWork() { // a checkout removes files long before it moves HEAD
		return Result{After: max(i.options.QuietPeriod, gitWait)}, nil
	}
	if i.options.Held != nil && !i.options.Held() {
		i.leave(errReplaced)
		i.queue.AddAfter(listKey, leftFor)
		return Result{}, nil
	}
	// If the archive was listed before the file went missing, list it again:
	// the file may have been archived since.
	if !i.archive.After(since) {
		if err := i.refreshArchived(ctx); err != nil {
			return Result{}, err
		}
	}
	delete(i.missing, key)
	lost, err := i.lost(ctx, key, since)
	if err != nil {
		return Result{}, err
	}
	if lost != nil {
		rest := time.Until(lost.since.Add(resources.Duration(i.cache.config().OrphanGracePeriod, 0)))
		return Result{After: min(lookAtLost, max(rest, i.options.QuietPeriod))}, nil
	}
	if t := i.troubles[key]; t != nil && t.told {
		if t.last.Reason == store.Removed {
			i.store.AcceptRemoval(key)
		}
		i.recorder.record(key, resources.Warning, "RemovalBelieved", "informer", "its file is gone since "+t.since.UTC().Format(time.RFC3339)+", and it does not count any more")
	}
	return Result{}, i.remove(ctx, key)
}

// gitWait is the interval for checking whether git still changes the working
// tree.
const gitWait = 100 * time.Millisecond

// recallLost restores an object that an earlier controller or a hook found
// missing and kept. Its mark holds the last good version. recallLost reports
// whether such a mark exists.
func (i *informer) recallLost(key resources.Key) bool {
	mark, err := i.marks.Get(key)
	if err != nil || mark.Problem.Reason != store.Removed || i.cache.get(key).known() || i.cache.isArchived(key) {
		return false
	}
	t := &trouble{since: mark.Since.Time, last: mark.Problem}
	if i.recall(key, t); i.cache.get(key).object == nil {
		return false
	}
	i.troubles[key] = t
	i.report(key, t)
	i.queue.AddAfter(key, lookAtLost)
	return true
}

// lookAtLost is the interval for rechecking missing objects. Git may move HEAD
// long after it removed files, and the end of a grace period causes no event.
const lookAtLost = 5 * time.Second

// beforeIt is the time before an object was first missing in which a command or git may
// have begun to remove it.
const beforeIt = time.Minute

// lost keeps an open object whose file is missing without a known intent to
// delete it. Its last good version stays in use, as for an unreadable file.
// lost returns nil if the object counts as deleted.
func (i *informer) lost(ctx context.Context, key resources.Key, since time.Time) (*trouble, error) {
	e := i.cache.get(key)
	if t := i.troubles[key]; t != nil && t.last.Reason == store.Removed {
		since = t.since
	}
	if !status.Open(e.object) || i.cache.isArchived(key) || i.store.Explained(ctx, key, since.Add(-beforeIt)) || i.believed(since) {
		return nil, nil
	}
	problem := store.RemovedProblem(key, i.store.Locate(key))
	t := i.troubles[key]
	if t == nil || t.last != problem {
		t = &trouble{since: since}
		i.troubles[key] = t
	}
	t.last = problem
	i.cache.update(key, func(e *entry) { e.torn, e.rev = true, "" })
	if err := i.mark(key, t); err != nil {
		return nil, err
	}
	i.report(key, t)
	return t, nil
}

// believed reports whether an object has been missing long enough that it
// counts as deleted. It returns false while an agent is active that may have
// removed it.
func (i *informer) believed(since time.Time) bool {
	grace := resources.Duration(i.cache.config().OrphanGracePeriod, 0)
	if time.Since(since) < grace {
		return false
	}
	for _, key := range i.cache.by(indexKind, resources.Sessions) {
		s, ok := i.cache.get(key).object.(*resources.Session)
		if ok && s.Spec.EndedAt.IsZero() && s.Spec.StartedAt.Before(since) && time.Since(s.Spec.LastSeenAt.Time) < grace {
			return false
		}
	}
	return true
}

// restoreAfter is the time without a removed status before removed
// statuses are written again. It gives rm -r time to end on a busy machine.
const restoreAfter = time.Second

// missStatus schedules writing a removed status again, once no other status was
// removed for restoreAfter.
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
	if i.cache.get(object).status != nil && !i.owed(object) {
		status, err := i.store.ReadStatus(ctx, object)
		if err != nil {
			return Result{}, i.orLeave(err)
		}
		if status == nil {
			i.owe(object)
		}
	}
	return Result{}, nil
}

// errReplaced means that objects and the lease's file disappeared: .idumb is
// being removed.
var errReplaced = errors.New(".idumb is being removed or replaced")

// leftFor is the delay before the controller checks a store again that is being
// removed. Its watch usually reports a new store earlier.
const leftFor = 2 * time.Second

// remove deletes an object from the cache. Its status stays in the cache as a
// mark that its reconciler must clean up.
func (i *informer) remove(ctx context.Context, key resources.Key) error {
	if err := i.release(key); err != nil {
		return err
	}
	delete(i.troubles, key)
	before, after := i.cache.update(key, func(e *entry) { e.object, e.problem, e.torn, e.rev = nil, nil, false, "" })
	i.deliver([]Change{change(before, after)})
	return nil
}
