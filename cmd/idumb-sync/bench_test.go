package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// BenchmarkClaim is one claim: by the program that runs, and by one that is started for it, as a
// command does; beside a put alone.
func BenchmarkClaim(b *testing.B) {
	server := etcdtest.Members(b, 1)[0]
	m := newMachine(b, "shop", server.URL)
	etcdtest.Eventually(b, func() error { _, err := m.List(b.Context(), "claims/"); return err })
	client := etcdtest.Client(b, server.URL)
	lease, err := m.Lease(b.Context(), "", time.Minute)
	require.NoError(b, err)
	n := 0
	next := func() engine.Op {
		n++
		return engine.Op{Key: fmt.Sprintf("claims/t-%d", n), Value: []byte(`{"v":1}`), Lease: lease.ID}
	}
	b.Run("put", func(b *testing.B) {
		for b.Loop() {
			n++
			_, err := client.Put(b.Context(), fmt.Sprintf("/idumb/acme/shop/x/%d", n), `{"v":1}`)
			require.NoError(b, err)
		}
	})
	b.Run("running", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, m.Txn(b.Context(), next()))
		}
	})
	b.Run("started", func(b *testing.B) {
		for b.Loop() {
			once := newMachine(b, "shop", server.URL)
			require.NoError(b, once.Txn(b.Context(), next()))
			once.Engine.Close()
		}
	})
}
