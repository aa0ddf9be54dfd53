package controller

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// handleMissing handles a key that the store did not find. Git and editors remove files
// for a moment, so a file counts as deleted only if it is missing twice, one
// quiet period apart, and not while git changes the working tree. An open object
// that was not removed on purpose is kept, see keepMissing.
func (i *informer) handleMissing(ctx context.Context, key resources.Key) (Result, error) {
	if !i.cache.get(key).exists() {
		delete(i.missingSince, key)
		i.queue.Add(archiveKey, Low) // the hint may be about an archived object
		return Result{}, nil
	}
	now := time.Now()
	since, again := i.missingSince[key]
	if !again {
		i.missingSince[key] = now
		if i.options.OnMissing != nil {
			i.options.OnMissing(Change{Key: key, Old: i.cache.get(key).object})
		}
		return Result{RequeueAfter: i.options.QuietPeriod}, nil
	}
	if rest := i.options.QuietPeriod - now.Sub(since); rest > 0 {
		return Result{RequeueAfter: rest}, nil
	}
	if i.store.GitAtWork() { // a checkout removes files long before it moves HEAD
		return Result{RequeueAfter: max(i.options.QuietPeriod, gitCheckInterval)}, nil
	}
	if i.options.HoldsLease != nil && !i.options.HoldsLease() {
		i.suspend(errReplaced)
		i.queue.AddAfter(listKey, storeCheckInterval)
		return Result{}, nil
	}
	// If the archive was listed before the file went missing, list it again:
	// the file may have been archived since.
	if !i.archiveListedAt.After(since) {
		if err := i.refreshArchived(ctx); err != nil {
			return Result{}, err
		}
	}
	delete(i.missingSince, key)
	lost, err := i.keepMissing(ctx, key, since)
	if err != nil {
		return Result{}, err
	}
	if lost != nil {
		rest := time.Until(lost.since.Add(resources.Duration(i.cache.config().OrphanGracePeriod, 0)))
		return Result{RequeueAfter: min(lostCheckInterval, max(rest, i.options.QuietPeriod))}, nil
	}
	if t := i.invalidFiles[key]; t != nil && t.reported {
		if t.problem.Reason == store.RemovedReason {
			i.store.AcceptRemoval(key)
		}
		i.recorder.record(key, resources.Warning, "RemovalBelieved", "informer", "its file has been missing since "+t.since.UTC().Format(time.RFC3339)+"; the object is treated as deleted")
	}
	return Result{}, i.remove(ctx, key)
}

// gitCheckInterval is the interval for checking whether git still changes the working
// tree.
const gitCheckInterval = 100 * time.Millisecond

// restoreLost restores an object that an earlier controller or a hook found
// missing and kept. Its mark holds the last good version. restoreLost reports
// whether it restored an object.
func (i *informer) restoreLost(ctx context.Context, key resources.Key) bool {
	mark, err := i.marks.Get(key)
	if err != nil || mark.Problem.Reason != store.RemovedReason || i.cache.get(key).exists() || i.cache.isArchived(key) {
		return false
	}
	t := &invalidFile{since: mark.Since.Time, problem: mark.Problem}
	if i.restoreMark(ctx, key, t); i.cache.get(key).object == nil {
		return false
	}
	i.invalidFiles[key] = t
	i.report(key, t)
	i.queue.AddAfter(key, lostCheckInterval)
	return true
}

// lostCheckInterval is the interval for rechecking missing objects. Git may move HEAD
// long after it removed files, and the end of a grace period causes no event.
const lostCheckInterval = 5 * time.Second

// removalLead is the time before an object was first missing in which a command or git may
// have begun to remove it.
const removalLead = time.Minute

// keepMissing keeps an open object whose file is missing without a known intent to
// delete it. Its last good version stays in use, as for an unreadable file.
// It returns nil if the object counts as deleted.
func (i *informer) keepMissing(ctx context.Context, key resources.Key, since time.Time) (*invalidFile, error) {
	e := i.cache.get(key)
	if t := i.invalidFiles[key]; t != nil && t.problem.Reason == store.RemovedReason {
		since = t.since
	}
	if !status.Open(e.object) || i.cache.isArchived(key) || i.store.IsExplained(ctx, key, since.Add(-removalLead)) || i.countsAsDeleted(since) || i.identityKept(e.object) {
		return nil, nil
	}
	problem := store.RemovedProblem(key, i.store.Locate(key))
	t := i.invalidFiles[key]
	if t == nil || t.problem != problem {
		t = &invalidFile{since: since}
		i.invalidFiles[key] = t
	}
	t.problem = problem
	i.cache.update(key, func(e *entry) { e.rejected, e.rev = true, "" })
	if err := i.mark(key, t); err != nil {
		return nil, err
	}
	i.report(key, t)
	return t, nil
}

// identityKept reports whether another object has the uid of one: it was renamed.
func (i *informer) identityKept(o resources.Object) bool {
	uid := o.Head().Metadata.UID
	return uid != "" && slices.ContainsFunc(i.cache.lookup(indexKind, o.Key().Kind), func(key resources.Key) bool {
		other := i.cache.get(key)
		return key != o.Key() && other.object != nil && !other.rejected && other.object.Head().Metadata.UID == uid
	})
}

// countsAsDeleted reports whether an object has been missing long enough that it
// counts as deleted. It returns false while an agent is active that may have
// removed it.
func (i *informer) countsAsDeleted(since time.Time) bool {
	grace := resources.Duration(i.cache.config().OrphanGracePeriod, 0)
	if time.Since(since) < grace {
		return false
	}
	for _, key := range i.cache.lookup(indexKind, resources.Sessions) {
		s, ok := i.cache.get(key).object.(*resources.Session)
		if ok && s.Spec.EndedAt.IsZero() && s.Spec.StartedAt.Before(since) && time.Since(s.Spec.LastSeenAt.Time) < grace {
			return false
		}
	}
	return true
}

// statusRestoreDelay is the time without a removed status before removed
// statuses are written again. It gives rm -r time to end on a busy machine.
const statusRestoreDelay = time.Second

// scheduleStatusRestore schedules writing a removed status again, once no other status was
// removed for statusRestoreDelay.
func (i *informer) scheduleStatusRestore(ctx context.Context, key resources.Key) (Result, error) {
	if !i.removedStatuses[key] {
		i.removedStatuses[key], i.lastStatusRemoval = true, time.Now()
	}
	if rest := statusRestoreDelay - time.Since(i.lastStatusRemoval); rest > 0 {
		return Result{RequeueAfter: rest}, nil
	}
	delete(i.removedStatuses, key)
	kind, name, _ := strings.Cut(key.Name, "/")
	object := resources.Key{Kind: kind, Name: name}
	if i.cache.get(object).status != nil && !i.statusBehind(object) {
		status, err := i.store.ReadStatus(ctx, object)
		if err != nil {
			return Result{}, i.suspendIfGone(err)
		}
		if status == nil {
			i.scheduleStatus(object)
		}
	}
	return Result{}, nil
}

// errReplaced means that objects and the lease's file disappeared: .idumb is
// being removed.
var errReplaced = errors.New(".idumb is being removed or replaced")

// storeCheckInterval is the delay before the controller checks a store again that is being
// removed. Its watch usually reports a new store earlier.
const storeCheckInterval = 2 * time.Second

// remove deletes an object from the cache, and its mark of quarantine. Its
// status stays in the cache as a sign that its reconciler must clean up.
func (i *informer) remove(ctx context.Context, key resources.Key) error {
	if err := i.release(key); err != nil {
		return err
	}
	delete(i.invalidFiles, key)
	before, after := i.cache.update(key, func(e *entry) { e.object, e.problem, e.rejected, e.rev = nil, nil, false, "" })
	i.deliver([]Change{change(before, after)})
	return nil
}
