package filestore

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/load"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Load reads everything there is, or some kinds, named by their plurals: see load.Snapshot.
// now is the clock of what the Snapshot computes. Of the days of commits git is asked.
func (s *Store) Load(ctx context.Context, now time.Time, kinds ...string) (*graph.Snapshot, error) {
	return load.Snapshot(ctx, s.root, load.Options{
		Now: now, Kinds: kinds, Listed: s.litter.note,
		CommitDays: func() []int { return s.CommitDays(ctx) },
	})
}
