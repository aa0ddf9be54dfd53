package filestore

import (
	"context"

	"github.com/idumb-dev/idumb/resources"
)

// AppendCheckpoint adds a line to a task's log. What is too long is cut.
func (s *Store) AppendCheckpoint(ctx context.Context, task string, c resources.Checkpoint) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.root.AppendCheckpoint(task, c)
}

// AppendEvent adds a line to the log of the event's day. What is too long is cut.
func (s *Store) AppendEvent(ctx context.Context, e resources.Event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.root.AppendEvent(e)
}
