package controller

import (
	"bytes"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// checkpointLog is what the cache knows of one task's log.
type checkpointLog struct {
	rev      string
	evidence *status.Evidence
	size     int // of what was read, where more may follow; 0: not known
}

// evidence returns what the task's log amounts to; never nil, and the same as long as that is.
func (c *cache) evidence(task string) *status.Evidence {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if l, ok := c.logs[task]; ok {
		return l.evidence
	}
	return c.nothing
}

// setLog reads a log into the cache, unless it is there already, and reports
// whether it was not. A record without a revision is a log that is gone. Of a log that begins
// with what is in the cache, as after an append, only the rest is read.
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
	seen, _ = seen.Then(rest) // doctor lists what is damaged
	size := 0
	if bytes.HasSuffix(record.Spec, []byte{'\n'}) {
		size = len(record.Spec)
	}
	return c.putLog(record.Key.Name, checkpointLog{record.Rev, seen, size})
}

// putLog is setLog for a log that was read; without a revision it is gone.
func (c *cache) putLog(task string, l checkpointLog) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.logs[task]
	switch {
	case old.rev == l.rev:
		return false
	case l.rev == "":
		delete(c.logs, task)
	default:
		c.logs[task] = l
	}
	return true
}
