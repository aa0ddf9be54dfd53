package memengine

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Lease makes or keeps the lease of a machine. See engine.Leaser.
func (e *Engine) Lease(_ context.Context, machine string, ttl time.Duration) (engine.Lease, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.end()
	if e.leases == nil {
		e.leases = map[string]time.Time{}
	}
	e.leases[machine] = e.now().Add(ttl)
	return engine.Lease{ID: machine, Until: e.leases[machine]}, nil
}

func (e *Engine) now() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// end removes what hangs on leases that are over.
func (e *Engine) end() {
	for machine, until := range e.leases {
		if e.now().Before(until) {
			continue
		}
		delete(e.leases, machine)
		var gone []engine.Op
		for key, item := range e.items {
			if item.Lease == machine {
				gone = append(gone, engine.Op{Key: key, Was: item.Rev})
			}
		}
		if len(gone) > 0 {
			e.apply(gone)
		}
	}
}
