package controller

import (
	"context"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// refreshArchived reads the names of what stands in the archive, and has looked at
// again whatever refers to a name that came or went.
func (i *informer) refreshArchived(ctx context.Context) error {
	began := time.Now()
	keys, err := i.store.ListArchived(ctx)
	if err != nil {
		return fmt.Errorf("list the archive: %w", err)
	}
	i.archive = began
	var referring []resources.Key
	for _, key := range i.cache.setArchive(keys) {
		referring = append(referring, i.cache.by(graph.IndexRefers, key.String())...)
	}
	i.touch(referring, false)
	return nil
}

// checkArchive has the archive looked at again, after the rest of a burst, if the
// hint that just led to nothing else may have been about the archived object.
func (i *informer) checkArchive(key resources.Key) {
	if i.cache.isArchived(key) {
		i.queue.Add(archiveKey, Low)
	}
}

// setArchive replaces the names in the archive and returns those that came or went.
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

func (c *cache) setArchived(key resources.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.archived[key] = true
}

func (c *cache) isArchived(key resources.Key) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.archived[key]
}
