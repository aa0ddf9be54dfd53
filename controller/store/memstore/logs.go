package memstore

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// AppendCheckpoint adds a line to a task's log.
func (s *Store) AppendCheckpoint(ctx context.Context, task string, c resources.Checkpoint) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	key := resources.Key{Kind: resources.CheckpointsKind, Name: task}
	return s.change(ctx, func() error {
		log := slices.Concat(s.specs[key].data, line, []byte("\n"))
		s.specs[key] = spec{log, time.Now()}
		return nil
	}, key)
}

// AppendEvent adds an event to those that Events returns.
func (s *Store) AppendEvent(ctx context.Context, e resources.Event) error {
	return s.change(ctx, func() error {
		s.events = append(s.events, e)
		return nil
	})
}

// Events returns what was appended, oldest first.
func (s *Store) Events() []resources.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}
