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

// followed is how long a watch is believed before all is listed again: an engine that was set back
// may never tell of what a watch waits for.
const followed = 30 * time.Minute

// follower is what a watch says stands with the team.
type follower struct {
	mu     sync.Mutex
	claims map[string]engine.Item // nil: nothing is watched
	listed string                 // the moment at which they stood so that were listed
	state  map[string]change      // of the objects, what changed since from: the last of each item
	from   string                 // the moment since which the watch tells
	at     string                 // the last moment that it told of
	more   chan struct{}          // closed when it tells of another one
	seen   string                 // the moment until which rounds know all; "": none

	parts   []string           // prefixes of what is told of the objects; nil: all, or none is known to be followed
	pinned  string             // the moment since which they are to be told; ""
	restart context.CancelFunc // ends the watch, so that another one begins; nil: there is none
	given   string             // the moment of the last answer
	giving  map[string]string  // what it said, by its moments
}

// change is what became of an item at a moment.
type change struct {
	item engine.Item
	at   string
}

// Follow hears of the team's claims as they change, and of its objects where they are shared, and says
// so, until ctx ends or the watch does: rounds ask the engine for nothing that it told. Only one at a time may
// follow.
// ErrNoWatch where the engine tells of nothing by itself.
func (t *Team) Follow(ctx context.Context, changed func()) error {
	w, can := t.engine.(engine.Watcher)
	if !can {
		return ErrNoWatch
	}
	defer t.follower.end()
	for ctx.Err() == nil {
		items, at, err := w.ListAt(ctx, claims)
		if err != nil {
			return err
		}
		part, cancel := context.WithTimeout(ctx, followed)
		from, parts := t.follower.begin(items, at, cancel)
		changed()
		watcher, about := t.watched(w, parts)
		err = watcher.Watch(part, about, from, func(items []engine.Item, at string) {
			if items = slices.DeleteFunc(items, func(i engine.Item) bool { return strings.HasPrefix(i.Key, engine.Machines) }); len(items) == 0 {
				return // who is there is for people
			}
			t.follower.apply(items, at)
			changed()
		})
		over := part.Err() != nil
		cancel()
		if errors.Is(err, engine.ErrCompacted) {
			t.follower.saw("") // rounds list all again
		}
		if err != nil && !over && !errors.Is(err, engine.ErrCompacted) {
			return err
		}
	}
	return ctx.Err()
}

// watched is what is to be watched, and what keys of it begin with.
func (t *Team) watched(w engine.Watcher, parts []string) (engine.Watcher, string) {
	grouped, is := w.(engine.Grouped)
	switch {
	case !t.plans:
		return w, claims
	case is && t.follows.Load().Partly() && parts == nil: // no round found out yet what is followed
		return w, claims
	case is && t.follows.Load().Partly():
		return grouped.Part(parts...), ""
	}
	return w, "" // the objects as of now are what a round lists
}

// regroup has other parts be watched, since a moment.
func (f *follower) regroup(parts []string, from string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.Equal(parts, f.parts) {
		return
	}
	if f.parts = parts; f.pinned == "" || later(f.pinned, from) {
		f.pinned = from
	}
	if f.restart != nil {
		f.restart()
	}
}

// ErrNoWatch says that an engine is asked, and tells of nothing by itself.
var ErrNoWatch = errors.New("the engine does not tell of changes")

// begin takes in the claims, and returns the moment from which to watch: what rounds know they need not list.
// It returns the parts to watch as well; restart ends that watch.
func (f *follower) begin(items []engine.Item, at string, restart context.CancelFunc) (from string, parts []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if from = at; f.seen != "" {
		from = f.seen
	}
	if f.pinned != "" && later(from, f.pinned) {
		from = f.pinned
	}
	f.pinned, f.restart, f.given = "", restart, ""
	f.claims, f.listed, f.state, f.from, f.at = map[string]engine.Item{}, at, map[string]change{}, from, from
	for _, item := range items {
		f.claims[item.Key] = item
	}
	return from, f.parts
}

// saw notes until which moment rounds know all.
func (f *follower) saw(at string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = at
}

func (f *follower) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.claims, f.state, f.restart = nil, nil, nil
	f.wake()
}

// wake has those look again who wait. Who calls it holds the lock.
func (f *follower) wake() {
	if f.more != nil {
		close(f.more)
		f.more = nil
	}
}

func (f *follower) apply(items []engine.Item, at string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, item := range items {
		switch {
		case strings.HasPrefix(item.Key, engine.State):
			f.state[item.Key] = change{item, at}
		case !later(at, f.listed): // it is known as it was then
		case item.Value == nil:
			delete(f.claims, item.Key)
		default:
			f.claims[item.Key] = item
		}
	}
	if f.at == "" || later(at, f.at) { // parts are told of each by itself
		f.at = at
	}
	f.wake()
}

// copied is what stands with the team, for one round; false if nothing is watched.
func (f *follower) copied() (board, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return boardOf(slices.Collect(maps.Values(f.claims))), f.claims != nil
}

// toldSoon is how long it may take until a watch tells of what this clone changed itself. After that all is
// listed.
const toldSoon = 5 * time.Second

// since is what the team changed since a moment, as engine.Differ has it, once all of made was told of.
func (f *follower) since(ctx context.Context, at string, made []string) (beside, changed []engine.Item, now string, err error) {
	late := time.NewTimer(toldSoon)
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

// changes are those since a moment, and the moment; "" if they are not known. more is not nil, and closed when
// more is told, as long as some of made was not. What is older than the moment is forgotten.
func (f *follower) changes(at string, made []string) (beside, changed []engine.Item, now string, more <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.claims == nil || later(f.from, at) {
		return nil, nil, "", nil
	}
	for key, c := range f.state { // what came late, of another part, may be older
		if said, is := f.giving[key]; at == f.given && is && said == c.at || f.parts == nil && !later(c.at, at) {
			delete(f.state, key)
		}
	}
	if slices.ContainsFunc(made, func(key string) bool {
		_, told := f.state[key]
		return !told && (f.parts == nil || engine.Among(key, f.parts))
	}) {
		if f.more == nil {
			f.more = make(chan struct{})
		}
		return nil, nil, at, f.more
	}
	f.giving = map[string]string{}
	for key, c := range f.state {
		changed, f.giving[key] = append(changed, c.item), c.at
	}
	if now = f.at; later(at, now) {
		now = at
	}
	f.given = now
	return slices.Collect(maps.Values(f.claims)), changed, now, nil
}

// later reports whether a watch's moment is after another one. See engine.Watcher.
func later(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a > b }

// put takes over what stands, or what was removed. What is no claim holds nothing: it is left alone, and
// replaced by whoever claims its task.
func (b *board) put(item engine.Item) {
	if !strings.HasPrefix(item.Key, claims) {
		return
	}
	delete(b.claims, item.Key)
	delete(b.revs, item.Key)
	if item.Value == nil {
		return
	}
	b.revs[item.Key] = item.Rev
	if c, err := decode(item); err == nil {
		b.claims[item.Key] = c
	}
}

// again looks at what stands after an attempt to change it: at those items alone, where a watch
// tells of the others.
func (t *Team) again(ctx context.Context, found board, ops []engine.Op) (board, error) {
	if _, following := t.follower.copied(); !following {
		return t.read(ctx, claims)
	}
	for _, op := range ops {
		items, err := t.engine.List(ctx, op.Key)
		if err != nil {
			return found, err
		}
		found.put(engine.Item{Key: op.Key})
		for _, item := range items {
			if item.Key == op.Key {
				found.put(item)
			}
		}
	}
	return found, nil
}
