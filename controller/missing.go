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
	// What is missing because it was archived was in the archive when it was missed.
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

// gitWait is how often it is looked whether git still changes the working tree.
const gitWait = 100 * time.Millisecond

// recallLost takes up what an earlier controller, or a hook, found to be missing and kept: its mark
// holds the last good version. It reports whether there is such a mark.
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

// lookAtLost is how often it is looked whether what is missing is missed any more: git may move
// HEAD long after it took files away, and nobody is told when a grace is over.
const lookAtLost = 5 * time.Second

// beforeIt is how long before an object was first missed a command or git may have begun to take
// it away.
const beforeIt = time.Minute

// lost keeps what is missing, though it is open and nobody is known to have meant that it should
// go: its last good version counts, as that of a file that cannot be read. It returns nil for
// what is believed to be gone.
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

// believed reports whether something is missing for so long that it counts as gone: not while an
// agent is at work that may have removed it.
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

// errReplaced: objects vanish, and so did the lease's file. Somebody removes .idumb.
var errReplaced = errors.New(".idumb is being removed or replaced")

// leftFor is how long a store that is being removed is left alone before the
// controller looks whether there is one again; its watch tells sooner, most often.
const leftFor = 2 * time.Second

// remove forgets an object. Its status stays in the cache, as the mark that its
// reconciler has cleaning up to do.
func (i *informer) remove(ctx context.Context, key resources.Key) error {
	if err := i.release(key); err != nil {
		return err
	}
	delete(i.troubles, key)
	before, after := i.cache.update(key, func(e *entry) { e.object, e.problem, e.torn, e.rev = nil, nil, false, "" })
	i.deliver([]Change{change(before, after)})
	return nil
}
