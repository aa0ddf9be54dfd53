package memengine

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Watch reports the changes after a moment. See engine.Watcher.
func (e *Engine) Watch(ctx context.Context, prefix, after string, f func(changed []engine.Item, at string)) error {
	at, err := strconv.Atoi(after)
	if err != nil {
		return err
	}
	for {
		changes, more, err := e.changesAfter(at)
		if err != nil {
			return err
		}
		for len(changes) > 0 {
			at = changes[0].rev
			var changed []engine.Item
			for ; len(changes) > 0 && changes[0].rev == at; changes = changes[1:] {
				if item := changes[0].item; strings.HasPrefix(item.Key, prefix) {
					item.Value = slices.Clone(item.Value)
					changed = append(changed, item)
				}
			}
			if len(changed) > 0 {
				f(changed, strconv.Itoa(at))
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-more:
		}
	}
}

// changesAfter returns the changes after a moment, and a channel that is closed at the next one.
func (e *Engine) changesAfter(at int) ([]change, <-chan struct{}, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if at < e.since {
		return nil, nil, engine.ErrCompacted
	}
	if e.more == nil {
		e.more = make(chan struct{})
	}
	i, _ := slices.BinarySearchFunc(e.history, at+1, func(c change, at int) int { return c.rev - at })
	return slices.Clone(e.history[i:]), e.more, nil
}

// Compact discards the history.
func (e *Engine) Compact(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.history, e.since = nil, e.next
	return nil
}
