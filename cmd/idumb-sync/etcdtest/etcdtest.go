// Package etcdtest runs a real etcd in a test's process.
package etcdtest

import (
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// Server is an etcd in the test's process.
type Server struct {
	*embed.Etcd
	URL    string
	config *embed.Config
}

// Start runs an etcd until the test ends. change may modify its configuration;
// it may be nil.
func Start(t testing.TB, change func(*embed.Config)) *Server {
	c := embed.NewConfig()
	c.Dir = t.TempDir()
	c.Logger, c.LogOutputs = "zap", []string{"/dev/null"}
	c.UnsafeNoFsync = true // tests need no durability
	c.TickMs, c.ElectionMs = 10, 100
	client, peer := Address(t), Address(t)
	c.ListenClientUrls, c.AdvertiseClientUrls = client, client
	c.ListenPeerUrls, c.AdvertisePeerUrls = peer, peer
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	if change != nil {
		change(c)
	}
	s := &Server{URL: c.ListenClientUrls[0].String(), config: c}
	s.Run(t)
	t.Cleanup(func() { s.Etcd.Close() })
	return s
}

// Run starts the server, or restarts it with its files.
func (s *Server) Run(t testing.TB) {
	e, err := embed.StartEtcd(s.config)
	require.NoError(t, err)
	s.Etcd = e
	select {
	case <-e.Server.ReadyNotify():
	case err := <-e.Err():
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("etcd is not ready after a minute")
	}
}

// Client returns a client without a certificate.
func (s *Server) Client(t testing.TB) *clientv3.Client { return Client(t, s.URL) }

// Client returns a client of an etcd without a certificate.
func Client(t testing.TB, url string) *clientv3.Client {
	c, err := clientv3.New(clientv3.Config{Endpoints: []string{url}, DialTimeout: 5 * time.Second, Logger: zap.NewNop()})
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// Address returns a free local address.
func Address(t testing.TB) []url.URL {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return []url.URL{{Scheme: "http", Host: l.Addr().String()}}
}
