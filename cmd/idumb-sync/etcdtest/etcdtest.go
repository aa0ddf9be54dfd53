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

// Server is one etcd, and where its files stand.
type Server struct {
	*embed.Etcd
	URL    string
	config *embed.Config
}

// Start runs one etcd until the test ends. change may change how it runs; nil: as it comes.
func Start(t testing.TB, change func(*embed.Config)) *Server {
	c := embed.NewConfig()
	c.Dir = t.TempDir()
	c.Logger, c.LogOutputs = "zap", []string{"/dev/null"}
	c.UnsafeNoFsync = true // nobody pulls the plug on a test
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

// Run starts it, again after it was closed: with the files that it had.
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

// Client is a client of it without a certificate.
func (s *Server) Client(t testing.TB) *clientv3.Client { return Client(t, s.URL) }

// Client is a client of an etcd without a certificate.
func Client(t testing.TB, url string) *clientv3.Client {
	c, err := clientv3.New(clientv3.Config{Endpoints: []string{url}, DialTimeout: 5 * time.Second, Logger: zap.NewNop()})
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// Address is one on this machine that is free.
func Address(t testing.TB) []url.URL {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return []url.URL{{Scheme: "http", Host: l.Addr().String()}}
}
