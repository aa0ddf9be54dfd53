package controller

import (
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources/status"
)

// checkpointLog is the cached state of one task's log.
type checkpointLog struct {
	rev      string
	evidence *status.Evidence
}

// evidence returns the evidence in the task's log. It is never nil, and the
// same pointer until the log changes.
func (c *cache) evidence(task string) *status.Evidence {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if l, ok := c.logs[task]; ok {
		return l.evidence
	}
	return c.noEvidence
}

// logRevision returns the revision of the task's log in the cache, or "".
func (c *cache) logRevision(task string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.logs[task].rev
}

// setLog reads a log into the cache and reports whether the cache changed. A
// record without a revision means that the log was deleted. If continued is
// true, the record has only what was appended to the cached log.
func (c *cache) setLog(record store.Record, continued bool) bool {
	seen := &status.Evidence{}
	switch {
	case record.Rev == c.logRevision(record.Key.Name):
		return false
	case record.Rev == "":
		return c.putLog(record.Key.Name, checkpointLog{})
	case continued:
		seen = c.evidence(record.Key.Name)
	}
	seen, _ = seen.Then(record.Spec) // doctor reports damaged lines
	return c.putLog(record.Key.Name, checkpointLog{record.Rev, seen})
}

// putLog stores a decoded log in the cache and reports whether the cache
// changed. A log without a revision is deleted.
func (c *cache) putLog(task string, l checkpointLog) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch old := c.logs[task]; {
	case old.rev == l.rev:
		return false
	case l.rev == "":
		delete(c.logs, task)
	default:
		c.logs[task] = l
	}
	return true
}
