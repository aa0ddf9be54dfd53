package etcdengine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Lease makes or keeps the lease of a machine. See engine.Leaser. All processes of a machine have
// the same one: its number is made of the machine's name and how long it lasts.
func (e *Engine) Lease(ctx context.Context, machine string, ttl time.Duration) (engine.Lease, error) {
	if err := e.understood(ctx); err != nil {
		return engine.Lease{}, err
	}
	seconds := int64(math.Ceil(ttl.Seconds()))
	id := e.leaseOf(machine, seconds)
	const tries = 3 // another process of this machine may make it, or it ends, between two questions
	for range tries {
		sent := time.Now()
		lasts, err := e.keep(ctx, id)
		if errors.Is(err, rpctypes.ErrLeaseNotFound) {
			sent = time.Now()
			lasts, err = e.grant(ctx, id, seconds)
		}
		switch {
		case errors.Is(err, rpctypes.ErrLeaseExist):
			continue
		case err != nil:
			return engine.Lease{}, e.failure("lease", err)
		}
		return engine.Lease{ID: strconv.FormatInt(int64(id), 16), Until: sent.Add(time.Duration(lasts) * time.Second)}, nil
	}
	return engine.Lease{}, fmt.Errorf("the lease of %s ends while it is made; try again", machine)
}

func (e *Engine) leaseOf(machine string, seconds int64) clientv3.LeaseID {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", e.prefix, machine, seconds))
	return clientv3.LeaseID(binary.BigEndian.Uint64(sum[:8])>>1 | 1)
}

func (e *Engine) keep(ctx context.Context, id clientv3.LeaseID) (seconds int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := e.client.KeepAliveOnce(ctx, id)
	if err != nil {
		return 0, err
	}
	return r.TTL, nil
}

func (e *Engine) grant(ctx context.Context, id clientv3.LeaseID, seconds int64) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := clientv3.RetryLeaseClient(e.client).LeaseGrant(ctx, &etcdserverpb.LeaseGrantRequest{ID: int64(id), TTL: seconds})
	if err != nil {
		return 0, rpctypes.Error(err)
	}
	return r.TTL, nil
}

func leaseID(lease string) (clientv3.LeaseID, error) {
	id, err := strconv.ParseInt(lease, 16, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no lease of etcd's", lease)
	}
	return clientv3.LeaseID(id), nil
}

// leaseGone reports whether a change was not made because the lease ended that it hangs on.
func leaseGone(err error) bool { return errors.Is(err, rpctypes.ErrLeaseNotFound) }

// leased are the keys of changes that hang on a lease.
func leased(ops []engine.Op) (keys []string) {
	for _, op := range ops {
		if op.Lease != "" {
			keys = append(keys, op.Key)
		}
	}
	return keys
}
