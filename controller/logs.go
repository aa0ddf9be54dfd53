package controller

import (
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources/status"
)

// checkpointLog is what the cache knows of one task's log.
type checkpointLog struct {
	rev       string
	sightings *status.Sightings
}

// evidence returns what the task's log amounts to; never nil, and the same as long as that is.
func (c *cache) evidence(task string) *status.Sightings {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if l, ok := c.logs[task]; ok {
		return l.sightings
	}
	return c.nothing
}

// logRev returns the revision of the log that is in the cache, "" if none is.
func (c *cache) logRev(task string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.logs[task].rev
}

// setLog reads a log into the cache, unless it is there already, and reports
// whether it was not. A record without a revision is a log that is gone.
func (c *cache) setLog(record store.Record) bool {
	task := record.Key.Name
	if record.Rev == c.logRev(task) {
		return false
	}
	if record.Rev == "" {
		return c.putLog(task, "", nil)
	}
	sightings, _ := status.ReadSightings(record.Spec) // doctor lists what is damaged
	return c.putLog(task, record.Rev, sightings)
}

// putLog is setLog for a log that was read; nil sightings: it is gone, or it is
// the one that is in the cache already if rev is that one's.
func (c *cache) putLog(task, rev string, sightings *status.Sightings) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, known := c.logs[task]
	switch {
	case known && old.rev == rev:
		return false
	case sightings == nil:
		delete(c.logs, task)
		return known
	}
	c.logs[task] = checkpointLog{rev, sightings}
	return true
}
