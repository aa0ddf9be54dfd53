package sync

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// maxWatchAge is how long a watch is trusted before everything is listed again. If
// the engine was restored to an older state, a watch may miss changes.
const maxWatchAge = 30 * time.Minute

// follower holds the remote state that a watch reports.
type follower struct {
	mu         sync.Mutex
	claims     map[string]engine.Item // nil without a watch
	listed     string                 // revision of the listing of claims
	state      map[string]change      // last change of each object item since from
	start      string                 // revision at which the watch starts
	revision   string                 // last reported revision
	nextReport chan struct{}          // closed with the next report
	processed  string                 // revision that rounds have processed; empty if none

	parts       []string           // watched prefixes of objects; nil for all, or while unknown
	restartFrom string             // revision at which the new parts start; empty if unchanged
	restart     context.CancelFunc // stops the current watch, so that it restarts; nil if none
	answered    string             // revision of the last answer
	answerItems map[string]string  // key -> revision in the last answer
}

// change is a change of an item at a revision.
type change struct {
	item     engine.Item
	revision string
}

// Follow watches the team's claims, and its objects if they are shared. It
// calls changed after each change. It ends with ctx or with the watch. Rounds
// use its results instead of asking the engine. Only one call may be active. It
// returns ErrNoWatch if the engine does not support watches.
func (t *Team) Follow(ctx context.Context, changed func()) error {
	w, can := t.engine.(engine.Watcher)
	if !can {
		return ErrNoWatch
	}
	defer t.follower.end()
	for ctx.Err() == nil {
		items, at, err := w.ListAt(ctx, claimsPrefix)
		if err != nil {
			return err
		}
		part, cancel := context.WithTimeout(ctx, maxWatchAge)
		from, parts := t.follower.begin(items, at, cancel)
		changed()
		watcher, about := t.watchTarget(w, parts)
		err = watcher.Watch(part, about, from, func(items []engine.Item, at string) {
			if items = slices.DeleteFunc(items, func(i engine.Item) bool { return strings.HasPrefix(i.Key, engine.Machines) }); len(items) == 0 {
				return // clone registrations are informational
			}
			t.follower.apply(items, at)
			changed()
		})
		over := part.Err() != nil
		cancel()
		if errors.Is(err, engine.ErrCompacted) {
			t.follower.setProcessed("") // rounds list everything again
		}
		if err != nil && !over && !errors.Is(err, engine.ErrCompacted) {
			return err
		}
	}
	return ctx.Err()
}

// watchTarget returns the engine to watch and the key prefix.
func (t *Team) watchTarget(w engine.Watcher, parts []string) (engine.Watcher, string) {
	switch grouped, is := w.(engine.Grouped); {
	case !t.plans:
		return w, claimsPrefix
	case is && t.follows.Load().Partly() && parts == nil: // no round has determined the subscription yet
		return w, claimsPrefix
	case is && t.follows.Load().Partly():
		return grouped.Part(parts...), ""
	}
	return w, "" // a round lists the current objects
}

// regroup changes the watched parts, starting at a revision.
func (f *follower) regroup(parts []string, from string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.Equal(parts, f.parts) {
		return
	}
	if f.parts = parts; f.restartFrom == "" || isLater(f.restartFrom, from) {
		f.restartFrom = from
	}
	if f.restart != nil {
		f.restart()
	}
}

// ErrNoWatch means that the engine does not support watches.
var ErrNoWatch = errors.New("the engine does not tell of changes")

// begin stores the listed claims. It returns the revision at which to watch, so
// that items already known to rounds are not listed again, and the parts to
// watch. restart stops that watch.
func (f *follower) begin(items []engine.Item, at string, restart context.CancelFunc) (from string, parts []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if from = at; f.processed != "" {
		from = f.processed
	}
	if f.restartFrom != "" && isLater(from, f.restartFrom) {
		from = f.restartFrom
	}
	f.restartFrom, f.restart, f.answered = "", restart, ""
	f.claims, f.listed, f.state, f.start, f.revision = map[string]engine.Item{}, at, map[string]change{}, from, from
	for _, item := range items {
		f.claims[item.Key] = item
	}
	return from, f.parts
}

// setProcessed records the revision that rounds have processed.
func (f *follower) setProcessed(at string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.processed = at
}

// end drops the remote state at the end of a watch and notifies waiting
// callers.
func (f *follower) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.claims, f.state, f.restart = nil, nil, nil
	f.notify()
}

// notify notifies waiting callers. The caller must hold the lock.
func (f *follower) notify() {
	if f.nextReport != nil {
		close(f.nextReport)
		f.nextReport = nil
	}
}

// apply applies changes that a watch reports at a revision, and notifies
// waiting callers.
func (f *follower) apply(items []engine.Item, at string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, item := range items {
		switch {
		case strings.HasPrefix(item.Key, engine.State):
			f.state[item.Key] = change{item, at}
		case !isLater(at, f.listed): // already in the listing
		case item.Value == nil:
			delete(f.claims, item.Key)
		default:
			f.claims[item.Key] = item
		}
	}
	if f.revision == "" || isLater(at, f.revision) { // parts report their changes separately
		f.revision = at
	}
	f.notify()
}

// snapshot returns the claims for one round. It returns false without a watch.
func (f *follower) snapshot() (claimSet, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return claimSetOf(slices.Collect(maps.Values(f.claims))), f.claims != nil
}

// reportTimeout is the timeout for a watch to report this clone's own changes. After
// it everything is listed.
const reportTimeout = 5 * time.Second

// since returns the remote changes since a revision, in the format of
// engine.Differ. It waits until all changes in made are reported. After
// reportTimeout, or without a watch, it returns ErrCompacted.
func (f *follower) since(ctx context.Context, at string, made []string) (beside, changed []engine.Item, now string, err error) {
	late := time.NewTimer(reportTimeout)
	defer late.Stop()
	for {
		beside, changed, now, more := f.changes(at, made)
		if now == "" {
			return nil, nil, "", engine.ErrCompacted
		}
		if more == nil {
			return beside, changed, now, nil
		}
		select {
		case <-more:
		case <-late.C:
			return nil, nil, "", engine.ErrCompacted
		case <-ctx.Done():
			return nil, nil, "", ctx.Err()
		}
	}
}

// changes returns the changes since a revision and the current revision. The
// revision is "" if the changes are unknown. more is not nil if a change in
// made is missing; it closes with the next report. Changes before the revision
// are dropped.
func (f *follower) changes(at string, made []string) (beside, changed []engine.Item, now string, more <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.claims == nil || isLater(f.start, at) {
		return nil, nil, "", nil
	}
	for key, c := range f.state { // a late report of another part may be older
		if said, is := f.answerItems[key]; at == f.answered && is && said == c.revision || f.parts == nil && !isLater(c.revision, at) {
			delete(f.state, key)
		}
	}
	if slices.ContainsFunc(made, func(key string) bool {
		_, told := f.state[key]
		return !told && (f.parts == nil || engine.HasPrefix(key, f.parts))
	}) {
		if f.nextReport == nil {
			f.nextReport = make(chan struct{})
		}
		return nil, nil, at, f.nextReport
	}
	f.answerItems = map[string]string{}
	for key, c := range f.state {
		changed, f.answerItems[key] = append(changed, c.item), c.revision
	}
	if now = f.revision; isLater(at, now) {
		now = at
	}
	f.answered = now
	return slices.Collect(maps.Values(f.claims)), changed, now, nil
}

// isLater reports whether revision a of a watch is after b. See engine.Watcher.
func isLater(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a > b }

// apply stores or removes an item. An invalid claim has no effect; the next claim
// of its task replaces it.
func (b *claimSet) apply(item engine.Item) {
	if !strings.HasPrefix(item.Key, claimsPrefix) {
		return
	}
	delete(b.byKey, item.Key)
	delete(b.revs, item.Key)
	if item.Value == nil {
		return
	}
	b.revs[item.Key] = item.Rev
	if c, err := decode(item); err == nil {
		b.byKey[item.Key] = c
	}
}

// reread reads claims again after a failed change. With an active watch it reads
// only the items of the change.
func (t *Team) reread(ctx context.Context, found claimSet, ops []engine.Op) (claimSet, error) {
	if _, following := t.follower.snapshot(); !following {
		return t.read(ctx, claimsPrefix)
	}
	for _, op := range ops {
		items, err := t.engine.List(ctx, op.Key)
		if err != nil {
			return found, err
		}
		found.apply(engine.Item{Key: op.Key})
		for _, item := range items {
			if item.Key == op.Key {
				found.apply(item)
			}
		}
	}
	return found, nil
}
