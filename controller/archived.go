package controller

import (
	"context"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// refreshArchived lists the archive. It requeues every object that refers to a
// name that was added to or removed from the archive.
func (i *informer) refreshArchived(ctx context.Context) error {
	began := time.Now()
	keys, err := i.store.ListArchived(ctx)
	if err != nil {
		return fmt.Errorf("list the archive: %w", err)
	}
	i.archiveListedAt = began
	var referring []resources.Key
	for _, key := range i.cache.setArchive(keys) {
		referring = append(referring, i.cache.lookup(graph.IndexRefers, key.String())...)
	}
	i.touch(referring, false)
	return nil
}

// checkArchive schedules a listing of the archive if key names an archived
// object. A hint that led to no other change may concern the archived object.
func (i *informer) checkArchive(key resources.Key) {
	if i.cache.isArchived(key) {
		i.queue.Add(archiveKey, Low)
	}
}

// setArchive replaces the archived keys and returns the keys that were added or
// removed.
func (c *cache) setArchive(keys []resources.Key) (changed []resources.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := make(map[resources.Key]bool, len(keys))
	for _, key := range keys {
		now[key] = true
		if !c.archived[key] {
			changed = append(changed, key)
		}
	}
	for key := range c.archived {
		if !now[key] {
			changed = append(changed, key)
		}
	}
	c.archived = now
	return changed
}

// setArchived notes that an object is in the archive.
func (c *cache) setArchived(key resources.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.archived[key] = true
}

// isArchived reports whether an object is in the archive.
func (c *cache) isArchived(key resources.Key) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.archived[key]
}
