package sync

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// maxOps is the maximum number of changes in one transaction. Engines have
// limits, usually 128.
const maxOps = 100

// leaseFile records the engine lease of this clone's claims, for all its
// processes.
const leaseFile = "lease.json"

// leaseContent is the content of leaseFile: the ID of this clone's lease in the
// engine.
type leaseContent struct {
	ID string `json:"id"`
}

// renewLease renews the engine lease of this clone, if claims expire. Otherwise it
// returns the zero lease. It does not renew a lease that was just renewed. The
// caller must hold the lock.
func (t *Team) renewLease(ctx context.Context) (engine.Lease, error) {
	leaser, can := t.engine.(engine.Leaser)
	if !can || t.ttl == 0 {
		return engine.Lease{}, nil
	}
	var last leaseContent
	data, err := os.ReadFile(filepath.Join(t.dir, leaseFile))
	if err != nil || json.Unmarshal(data, &last) != nil {
		last = leaseContent{} // its claims expire and are made again
	}
	if left := time.Until(t.lease.Until); last.ID != "" && last.ID == t.lease.ID && left > t.ttl*5/6 && left <= t.ttl {
		return t.lease, nil
	}
	lease, err := leaser.Lease(ctx, last.ID, t.ttl)
	t.lease = lease
	if err != nil || lease.ID == last.ID {
		return lease, err
	}
	if data, err = json.Marshal(leaseContent{lease.ID}); err == nil {
		err = exchange.Replace(filepath.Join(t.dir, leaseFile), append(data, '\n'))
	}
	return lease, err
}

// confirm records a confirmed claim in the local lease. It skips a record that
// is valid long enough, because the write is durable and every call of an agent
// reads the file.
func (t *Team) confirm(l *resources.Lease, rev string, lease engine.Lease, now time.Time) error {
	said := l.Spec.Team
	if said != nil && said.Claim == resources.ClaimConfirmed && said.Revision == rev && !lease.Until.IsZero() && said.Until.Sub(now) > t.ttl*3/4 {
		return nil
	}
	return t.leases.Confirm(l, resources.LeaseTeam{Claim: resources.ClaimConfirmed, Revision: rev, Until: truncated(lease.Until)})
}

// truncated returns a time truncated to seconds, so that no reader trusts the claim
// too long. It returns the zero time for the zero time.
func truncated(at time.Time) resources.Time {
	if at.IsZero() {
		return resources.Time{}
	}
	return resources.NewTime(at)
}

// RenewInterval returns the interval at which this clone must renew its claims. It
// returns 0 if claims do not expire.
func (t *Team) RenewInterval() time.Duration { return t.ttl / 3 }
