package sync

import (
	"context"
	"errors"
	"maps"
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
	mu    sync.Mutex
	board *board // nil: nothing is watched
}

// Follow hears of the team's claims as they change, and of its objects where they are shared, and says
// so, until ctx ends or the watch does: rounds of claims ask the engine for nothing that it told. Only
// one at a time may follow.
// ErrNoWatch where the engine tells of nothing by itself.
func (t *Team) Follow(ctx context.Context, changed func()) error {
	w, can := t.engine.(engine.Watcher)
	if !can {
		return ErrNoWatch
	}
	defer t.follower.set(nil)
	about := claims
	if t.plans {
		about = "" // what a round lists is nothing of this one's: see engine.Strict
	}
	for ctx.Err() == nil {
		items, at, err := w.ListAt(ctx, claims)
		if err != nil {
			return err
		}
		b := boardOf(items)
		t.follower.set(&b)
		changed()
		part, cancel := context.WithTimeout(ctx, followed)
		err = w.Watch(part, about, at, func(items []engine.Item, _ string) {
			t.follower.apply(items)
			changed()
		})
		over := part.Err() != nil
		cancel()
		if err != nil && !over && !errors.Is(err, engine.ErrCompacted) {
			return err
		}
	}
	return ctx.Err()
}

// ErrNoWatch says that an engine is asked, and tells of nothing by itself.
var ErrNoWatch = errors.New("the engine does not tell of changes")

func (f *follower) set(b *board) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.board = b
}

func (f *follower) apply(items []engine.Item) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, item := range items {
		f.board.put(item)
	}
}

// copied is what stands with the team, for one round; false if nothing is watched.
func (f *follower) copied() (board, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.board == nil {
		return board{}, false
	}
	return board{maps.Clone(f.board.claims), maps.Clone(f.board.revs)}, true
}

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
