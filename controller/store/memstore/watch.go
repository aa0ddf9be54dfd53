package memstore

import (
	"context"
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// watcher holds the hints that one Watch still has to give.
type watcher struct {
	mu    sync.Mutex
	hints []resources.Key
	wake  chan struct{}
}

func (w *watcher) add(keys ...resources.Key) {
	w.mu.Lock()
	w.hints = append(w.hints, keys...)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *watcher) take() []resources.Key {
	w.mu.Lock()
	defer w.mu.Unlock()
	hints := w.hints
	w.hints = nil
	return hints
}

// Watch hints every change of a spec or a log until ctx ends. See store.Store.
func (s *Store) Watch(ctx context.Context, hint func(resources.Key)) error {
	w := &watcher{wake: make(chan struct{}, 1)}
	s.mu.Lock()
	if s.watchers == nil {
		s.watchers = map[*watcher]bool{}
	}
	s.watchers[w] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, w)
	}()
	w.add(resources.Key{})
	for {
		for _, key := range w.take() {
			hint(key)
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
			return nil
		}
	}
}
