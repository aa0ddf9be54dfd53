package controller

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Revision is the state of an object at one resource version. It is shared and
// read-only.
type Revision struct {
	Key      resources.Key
	Object   resources.Object   // last good version; nil if none
	Problem  *resources.Problem // problem of the file; nil if readable
	Status   []byte             // last derived status as JSON; nil if none
	Decoded  any                // value passed to Client.KeepDecoded for Status; nil if none
	Version  uint64             // resource version of this state
	changeID uint64             // see entry
}

// Exists reports whether the object exists, readable or not.
func (r *Revision) Exists() bool { return r.Object != nil || r.Problem != nil }

// Step is one change of one object. One of Old and New may not exist. New has
// the version, even if the object was deleted.
type Step struct{ Old, New Revision }

// ErrExpired means that changes since that version are no longer available or
// never were. The caller must list again.
var ErrExpired = errors.New("too old resource version")

// maxSteps is the number of changes that are kept for watchers.
const maxSteps = 10_000

// settleTimeout is the maximum time that a change waits for the statuses that depend
// on it. Watchers then get one change, not one for the file and one for the
// status.
const settleTimeout = 500 * time.Millisecond

// revisions assigns resource versions to the cache's objects, from one counter,
// and keeps the last changes. It does no work before the first request.
type revisions struct {
	baseVersion   uint64                      // version of all objects without a later change; 0 before the first request
	version       uint64                      // last assigned version
	steps         []Step                      // newest changes, one for each version; a ring buffer once full
	changed       []resources.Key             // objects changed since the last assignment, in order
	oldRevisions  map[resources.Key]*Revision // state of each changed object at its last version
	changedSignal chan struct{}               // closed with the next change; nil without a waiter
}

// record records a change of an entry. The change gets a version in
// publishRevisions.
func (r *revisions) record(before, after *entry) {
	if r.baseVersion == 0 || before.object == after.object && before.problem == after.problem && sameBytes(before.status, after.status) {
		return
	}
	if r.oldRevisions[before.key] == nil {
		old := r.revisionOf(before)
		r.oldRevisions[before.key] = &old
		r.changed = append(r.changed, before.key)
	}
	if r.changedSignal != nil {
		close(r.changedSignal)
		r.changedSignal = nil
	}
}

// sameBytes reports whether two statuses are the same slice. Statuses are
// replaced, never modified.
func sameBytes(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// revisionOf returns the state of an entry as a Revision.
func (r *revisions) revisionOf(e *entry) Revision {
	revision := Revision{Key: e.key, Object: e.object, Problem: e.problem, Version: max(e.version, r.baseVersion), changeID: e.changeID}
	if revision.Exists() {
		revision.Status, revision.Decoded = e.status, e.decoded
	}
	return revision
}

// publishRevisions assigns versions to all changes. The caller must hold the
// lock.
func (c *cache) publishRevisions() {
	r := &c.revisions
	if r.baseVersion == 0 { // larger than any version of an earlier controller
		r.baseVersion = uint64(time.Now().UnixMilli())
		r.version, r.oldRevisions = r.baseVersion, map[resources.Key]*Revision{}
	}
	for _, key := range r.changed {
		old, now := r.oldRevisions[key], Revision{Key: key}
		e := c.entries[key]
		if e != nil {
			now = r.revisionOf(e)
		}
		if old.Exists() || now.Exists() {
			r.version++
			now.Version = r.version
			r.add(Step{Old: *old, New: now})
		}
		if e != nil {
			e.version = now.Version
		}
	}
	r.changed = r.changed[:0]
	clear(r.oldRevisions)
}

// add keeps a change. Beyond maxSteps it replaces the oldest one.
func (r *revisions) add(s Step) {
	if len(r.steps) < maxSteps {
		r.steps = append(r.steps, s)
		return
	}
	r.steps[(s.New.Version-r.baseVersion-1)%maxSteps] = s
}

// since returns the changes since a version, or ErrExpired if some of them are no
// longer kept or the version was never assigned.
func (r *revisions) since(version uint64) ([]Step, error) {
	if version > r.version || r.version-version > uint64(len(r.steps)) {
		return nil, ErrExpired
	}
	steps := make([]Step, 0, r.version-version)
	for v := version; v < r.version; v++ {
		steps = append(steps, r.steps[(v-r.baseVersion)%maxSteps])
	}
	return steps, nil
}

// Revisions returns all objects of these kinds, sorted, and the existing
// objects among these keys. The result is a consistent snapshot at the returned
// version.
func (w *world) Revisions(kinds []string, keys []resources.Key) ([]Revision, uint64) {
	c := w.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	c.publishRevisions()
	var all []Revision
	add := func(e *entry) {
		if e != nil && (e.object != nil || e.problem != nil) {
			all = append(all, c.revisions.revisionOf(e))
		}
	}
	for _, kind := range kinds {
		set := c.indexes[indexKind][kind]
		all = slices.Grow(all, len(set))
		for _, e := range set {
			add(e)
		}
	}
	for _, key := range keys {
		add(c.entries[key])
	}
	return all, c.revisions.version
}

// Revision returns the current state of an object, which may have no version yet.
func (w *world) Revision(key resources.Key) Revision {
	w.cache.mu.RLock()
	defer w.cache.mu.RUnlock()
	if e := w.cache.entries[key]; e != nil {
		return w.cache.revisions.revisionOf(e)
	}
	return Revision{Key: key}
}

// KeepDecoded stores r.Decoded for later calls, as long as the object has this
// status.
func (w *world) KeepDecoded(r *Revision) {
	w.cache.mu.Lock()
	defer w.cache.mu.Unlock()
	if e := w.cache.entries[r.Key]; e != nil && sameBytes(e.status, r.Status) {
		e.decoded = r.Decoded
	}
}

// Steps returns the changes since a version, in order. It waits until there is
// a change. It returns ErrExpired or ctx's error.
func (w *world) Steps(ctx context.Context, after uint64) ([]Step, error) {
	for {
		steps, change, err := w.cache.stepsAfter(after)
		if err != nil || len(steps) > 0 {
			return steps, err
		}
		select {
		case <-change:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		settled, cancel := context.WithTimeout(ctx, settleTimeout)
		_ = w.WaitDerived(settled) // continue after a timeout too
		cancel()
		w.cache.mu.Lock()
		w.cache.publishRevisions()
		w.cache.mu.Unlock()
	}
}

func closedChannel() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

// stepsAfter returns the changes since a version. If there are none, it returns
// a channel that closes with the next change.
func (c *cache) stepsAfter(version uint64) ([]Step, <-chan struct{}, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &c.revisions
	switch steps, err := r.since(version); {
	case err != nil || len(steps) > 0:
		return steps, nil, err
	case len(r.changed) > 0:
		return nil, closedChannel(), nil
	case r.changedSignal == nil:
		r.changedSignal = make(chan struct{})
	}
	return nil, r.changedSignal, nil
}
