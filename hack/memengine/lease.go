package memengine

import (
	"context"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Lease creates or extends a lease. See engine.Leaser.
func (e *Engine) Lease(_ context.Context, last string, ttl time.Duration) (engine.Lease, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.end()
	if e.leases == nil {
		e.leases = map[string]time.Time{}
	}
	if _, stands := e.leases[last]; !stands {
		e.leaseNumber++
		last = "lease-" + strconv.Itoa(e.leaseNumber)
	}
	e.leases[last] = e.now().Add(ttl)
	return engine.Lease{ID: last, Until: e.leases[last]}, nil
}

func (e *Engine) now() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// end removes the items of expired leases.
func (e *Engine) end() {
	for id, until := range e.leases {
		if e.now().Before(until) {
			continue
		}
		delete(e.leases, id)
		var gone []engine.Op
		for key, item := range e.items {
			if item.Lease == id {
				gone = append(gone, engine.Op{Key: key, Was: item.Rev})
			}
		}
		if len(gone) > 0 {
			e.apply(gone)
		}
	}
}
