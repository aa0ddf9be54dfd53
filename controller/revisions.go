package controller

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Revision is what is known of an object as of one resource version. It is shared and read-only.
type Revision struct {
	Key     resources.Key
	Object  resources.Object   // the last good version; nil if there never was one
	Problem *resources.Problem // why the file cannot be read, if so
	Status  []byte             // as last derived, as JSON; nil if there is none
	Decoded any                // Status as Client.KeepDecoded was given it; nil: it was not
	Version uint64             // at which the object became so
	turn    uint64             // see entry
}

// Exists reports whether there is the object, readable or not.
func (r *Revision) Exists() bool { return r.Object != nil || r.Problem != nil }

// Step is what one version changed about one object. One of both may not exist; New has the
// version, also where the object was deleted.
type Step struct{ Old, New Revision }

// ErrExpired says that changes since that version are not known any more, or never were: list again.
var ErrExpired = errors.New("too old resource version")

// keptSteps is how many changes back somebody may have seen the objects who follows them.
const keptSteps = 10_000

// settling is how long a change waits at most for the statuses that follow from it, so that
// who follows sees an object change once and not its file first and its status after that.
const settling = 100 * time.Millisecond

// revisions give the cache's objects resource versions, from one counter for all of them, and
// remember the last changes. They cost nothing before somebody asked.
type revisions struct {
	start   uint64                      // of what has not changed since; 0: nobody asked yet
	version uint64                      // the last one that was given
	steps   []Step                      // the newest, one for each version; a ring once it is full
	changed []resources.Key             // since they were given a version, in that order
	before  map[resources.Key]*Revision // of those: as of their version
	woken   chan struct{}               // closed with the next change; nil: nobody waits
}

// note takes down that an entry differs from before. It has no version of its own until publish.
func (r *revisions) note(before, after *entry) {
	if r.start == 0 || before.object == after.object && before.problem == after.problem && sameBytes(before.status, after.status) {
		return
	}
	if r.before[before.key] == nil {
		old := r.of(before)
		r.before[before.key] = &old
		r.changed = append(r.changed, before.key)
	}
	if r.woken != nil {
		close(r.woken)
		r.woken = nil
	}
}

// sameBytes reports whether two statuses are one: they are replaced, never changed.
func sameBytes(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

func (r *revisions) of(e *entry) Revision {
	revision := Revision{Key: e.key, Object: e.object, Problem: e.problem, Version: max(e.version, r.start), turn: e.turn}
	if revision.Exists() {
		revision.Status, revision.Decoded = e.status, e.decoded
	}
	return revision
}

// publishRevisions gives versions to all that changed. The lock is held.
func (c *cache) publishRevisions() {
	r := &c.revisions
	if r.start == 0 { // larger than any that an earlier controller gave
		r.start = uint64(time.Now().UnixMilli())
		r.version, r.before = r.start, map[resources.Key]*Revision{}
	}
	for _, key := range r.changed {
		old, now := r.before[key], Revision{Key: key}
		e := c.entries[key]
		if e != nil {
			now = r.of(e)
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
	clear(r.before)
}

func (r *revisions) add(s Step) {
	if len(r.steps) < keptSteps {
		r.steps = append(r.steps, s)
		return
	}
	r.steps[(s.New.Version-r.start-1)%keptSteps] = s
}

// after returns the changes since a version.
func (r *revisions) after(version uint64) ([]Step, error) {
	if version > r.version || r.version-version > uint64(len(r.steps)) {
		return nil, ErrExpired
	}
	steps := make([]Step, 0, r.version-version)
	for v := version; v < r.version; v++ {
		steps = append(steps, r.steps[(v-r.start)%keptSteps])
	}
	return steps, nil
}

// Revisions returns all objects of these kinds, sorted, and those of these keys that exist, at one
// moment: as of the version that is returned with them.
func (w *world) Revisions(kinds []string, keys []resources.Key) ([]Revision, uint64) {
	c := w.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	c.publishRevisions()
	var all []Revision
	add := func(e *entry) {
		if e != nil && (e.object != nil || e.problem != nil) {
			all = append(all, c.revisions.of(e))
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

// Known returns what is known of an object at this moment, which may have no version yet.
func (w *world) Known(key resources.Key) Revision {
	w.cache.mu.RLock()
	defer w.cache.mu.RUnlock()
	if e := w.cache.entries[key]; e != nil {
		return w.cache.revisions.of(e)
	}
	return Revision{Key: key}
}

// KeepDecoded keeps Decoded of a revision for whoever asks next, for as long as it has this status.
func (w *world) KeepDecoded(r *Revision) {
	w.cache.mu.Lock()
	defer w.cache.mu.Unlock()
	if e := w.cache.entries[r.Key]; e != nil && sameBytes(e.status, r.Status) {
		e.decoded = r.Decoded
	}
}

// Steps returns what changed since a version, in order, and waits until something has. ErrExpired,
// or ctx's error.
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
		settled, cancel := context.WithTimeout(ctx, settling)
		_ = w.WaitDerived(settled) // either way
		cancel()
		w.cache.mu.Lock()
		w.cache.publishRevisions()
		w.cache.mu.Unlock()
	}
}

// closed is a channel that was closed: nobody has to wait.
func closed() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

// stepsAfter returns the changes since a version or, where there are none, what is closed with the next.
func (c *cache) stepsAfter(version uint64) ([]Step, <-chan struct{}, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &c.revisions
	steps, err := r.after(version)
	switch {
	case err != nil || len(steps) > 0:
		return steps, nil, err
	case len(r.changed) > 0:
		return nil, closed(), nil
	case r.woken == nil:
		r.woken = make(chan struct{})
	}
	return nil, r.woken, nil
}
