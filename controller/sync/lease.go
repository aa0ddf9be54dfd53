package sync

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// mostOps is how many changes are made at once: engines have a limit, and 128 is a usual one.
const mostOps = 100

// leaseFile holds which lease this clone's claims hang on, for all its processes.
const leaseFile = "lease.json"

// held is what stands there.
type held struct {
	ID string `json:"id"`
}

// keep says to the engine that this clone is there, where claims end by themselves; else it is the
// zero lease. Where it said so a moment ago it does not again. Whoever calls it holds the lock.
func (t *Team) keep(ctx context.Context) (engine.Lease, error) {
	leaser, can := t.engine.(engine.Leaser)
	if !can || t.ttl == 0 {
		return engine.Lease{}, nil
	}
	var last held
	data, err := os.ReadFile(filepath.Join(t.dir, leaseFile))
	if err != nil || json.Unmarshal(data, &last) != nil {
		last = held{} // what hung on it ends, and is claimed again
	}
	if left := time.Until(t.lease.Until); last.ID != "" && last.ID == t.lease.ID && left > t.ttl*5/6 && left <= t.ttl {
		return t.lease, nil
	}
	lease, err := leaser.Lease(ctx, last.ID, t.ttl)
	t.lease = lease
	if err != nil || lease.ID == last.ID {
		return lease, err
	}
	if data, err = json.Marshal(held{lease.ID}); err == nil {
		err = plans.Replace(filepath.Join(t.dir, leaseFile), append(data, '\n'))
	}
	return lease, err
}

// confirm writes down that the team has a claim of this clone's. One that says so for long enough is
// left as it is: it is written for good, and read on every call of an agent.
func (t *Team) confirm(l *resources.Lease, rev string, lease engine.Lease, now time.Time) error {
	said := l.Spec.Team
	if said != nil && said.Claim == resources.ClaimConfirmed && said.Revision == rev && !lease.Until.IsZero() && said.Until.Sub(now) > t.ttl*3/4 {
		return nil
	}
	return t.book.Confirm(l, resources.LeaseTeam{Claim: resources.ClaimConfirmed, Revision: rev, Until: until(lease.Until)})
}

// until is a moment to the second before it, so that nobody believes too long; none for none.
func until(at time.Time) resources.Time {
	if at.IsZero() {
		return resources.Time{}
	}
	return resources.NewTime(at)
}

// Beat is how long it may be until the team hears of this clone again, for its claims to stand; 0
// where they stand by themselves.
func (t *Team) Beat() time.Duration { return t.ttl / 3 }
