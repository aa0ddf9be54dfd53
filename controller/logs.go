package controller

import (
	"bytes"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// checkpointLog is the cached state of one task's log.
type checkpointLog struct {
	rev      string
	evidence *status.Evidence
	size     int // bytes read, if a later version can be read from there; 0 if unknown
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

// setLog reads a log into the cache and reports whether the cache changed. A
// record without a revision means that the log was deleted. If the cached log
// is a prefix of the new one, as after an append, setLog reads only the rest.
func (c *cache) setLog(record store.Record) bool {
	c.mu.RLock()
	old := c.logs[record.Key.Name]
	c.mu.RUnlock()
	switch {
	case record.Rev == old.rev:
		return false
	case record.Rev == "":
		return c.putLog(record.Key.Name, checkpointLog{})
	}
	seen, rest := &status.Evidence{}, record.Spec
	if n := old.size; 0 < n && n < len(rest) && resources.Revision(rest[:n]) == old.rev {
		seen, rest = old.evidence, rest[n:]
	}
	seen, _ = seen.Then(rest) // doctor reports damaged lines
	size := 0
	if bytes.HasSuffix(record.Spec, []byte{'\n'}) {
		size = len(record.Spec)
	}
	return c.putLog(record.Key.Name, checkpointLog{record.Rev, seen, size})
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
