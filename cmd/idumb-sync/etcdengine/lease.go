package etcdengine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Lease renews a lease or creates one. See engine.Leaser. The duration counts
// from before the request. A lease whose creation was not confirmed expires by
// itself.
func (e *Engine) Lease(ctx context.Context, last string, ttl time.Duration) (engine.Lease, error) {
	if err := e.checkVersion(ctx); err != nil {
		return engine.Lease{}, err
	}
	id, err := leaseID(last)
	if last != "" && err != nil {
		return engine.Lease{}, err
	}
	sent, lasts := time.Now(), int64(0)
	if last != "" {
		lasts, err = e.keep(ctx, id)
	}
	if last == "" || errors.Is(err, rpctypes.ErrLeaseNotFound) {
		sent = time.Now()
		id, lasts, err = e.grant(ctx, ttl)
	}
	if err != nil {
		return engine.Lease{}, err
	}
	return engine.Lease{ID: strconv.FormatInt(int64(id), 16), Until: sent.Add(time.Duration(lasts) * time.Second)}, nil
}

// keep extends a lease once and returns its remaining time in seconds.
func (e *Engine) keep(ctx context.Context, id clientv3.LeaseID) (seconds int64, err error) {
	err = e.call(ctx, "lease", func(ctx context.Context) error {
		r, err := e.client.KeepAliveOnce(ctx, id)
		if err == nil {
			seconds = r.TTL
		}
		return err
	})
	return seconds, err
}

// grant creates a lease and returns its ID and its time in seconds, which may be longer than ttl.
func (e *Engine) grant(ctx context.Context, ttl time.Duration) (id clientv3.LeaseID, seconds int64, err error) {
	err = e.call(ctx, "lease", func(ctx context.Context) error {
		r, err := e.client.Grant(ctx, int64(math.Ceil(ttl.Seconds())))
		if err == nil {
			id, seconds = r.ID, r.TTL
		}
		return err
	})
	return id, seconds, err
}

// leaseID parses the ID of a lease from its hexadecimal form.
func leaseID(lease string) (clientv3.LeaseID, error) {
	id, err := strconv.ParseInt(lease, 16, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no lease of etcd's", lease)
	}
	return clientv3.LeaseID(id), nil
}

// leaseGone reports whether a change failed because its lease has expired.
func leaseGone(err error) bool { return errors.Is(err, rpctypes.ErrLeaseNotFound) }

// leased returns the keys of changes with a lease.
func leased(ops []engine.Op) (keys []string) {
	for _, op := range ops {
		if op.Lease != "" {
			keys = append(keys, op.Key)
		}
	}
	return keys
}
