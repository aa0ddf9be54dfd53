package etcdengine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/engine/progengine"
)

// house is an etcd with TLS, whose users are the names of certificates: one for each team.
type house struct {
	t         *testing.T
	server    *etcdtest.Server
	authority *etcdtest.Authority
}

func newHouse(t *testing.T, teams ...string) *house {
	h := &house{t: t, authority: etcdtest.NewAuthority(t)}
	cert, key := h.authority.Issue(t, "server")
	h.server = etcdtest.Start(t, func(c *embed.Config) {
		c.ListenClientUrls[0].Scheme, c.AdvertiseClientUrls[0].Scheme = "https", "https"
		c.ClientTLSInfo.CertFile, c.ClientTLSInfo.KeyFile = cert, key
		c.ClientTLSInfo.TrustedCAFile, c.ClientTLSInfo.ClientCertAuth = h.authority.File, true
	})
	root := h.client("root")
	ctx := t.Context()
	for _, team := range teams {
		end := clientv3.GetPrefixRangeEnd(Root + team + "/")
		_, err := root.RoleAdd(ctx, team)
		require.NoError(t, err)
		_, err = root.RoleGrantPermission(ctx, team, Root+team+"/", end, clientv3.PermissionType(clientv3.PermReadWrite))
		require.NoError(t, err)
		_, err = root.UserAddWithOptions(ctx, team+"-ann", "", &clientv3.UserAddOptions{NoPassword: true})
		require.NoError(t, err)
		_, err = root.UserGrantRole(ctx, team+"-ann", team)
		require.NoError(t, err)
	}
	_, err := root.UserAddWithOptions(ctx, "root", "", &clientv3.UserAddOptions{NoPassword: true})
	require.NoError(t, err)
	_, err = root.UserGrantRole(ctx, "root", "root")
	require.NoError(t, err)
	_, err = root.AuthEnable(ctx)
	require.NoError(t, err)
	return h
}

func (h *house) place(name string) progengine.Place {
	cert, key := h.authority.Issue(h.t, name)
	return progengine.Place{Endpoints: []string{h.server.URL}, Cert: cert, Key: key, CA: h.authority.File}
}

func (h *house) client(name string) *clientv3.Client {
	c, err := Dial(h.place(name))
	require.NoError(h.t, err)
	h.t.Cleanup(func() { c.Close() })
	return c
}

func (h *house) engine(name, team string) *Engine {
	e, err := New(h.client(name), team, "shop", nil)
	require.NoError(h.t, err)
	return e
}

// A certificate's name is a user, and a user has one team's keys: those of another one are neither
// read nor written nor watched, and what fails so is a person's to mend.
func TestTeamsAreKeptApart(t *testing.T) {
	h := newHouse(t, "acme", "rival")
	ctx := t.Context()
	ann, spy := h.engine("acme-ann", "acme"), h.engine("rival-ann", "acme")
	lease, err := ann.Lease(ctx, "", ttl)
	require.NoError(t, err)
	require.NoError(t, ann.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("1"), Lease: lease.ID}))
	items, at, err := ann.ListAt(ctx, "claims/")
	require.NoError(t, err)
	require.Len(t, items, 1)

	spy.versionTrustedUntil.Store(time.Now().Add(believed).UnixMilli()) // as one that does not ask for the version would
	var person *engine.PersonError
	_, err = spy.List(ctx, "claims/")
	require.ErrorAs(t, err, &person)
	assert.Contains(t, err.Error(), "permission denied")
	require.ErrorAs(t, spy.Txn(ctx, engine.Op{Key: "claims/b", Value: []byte("1")}), &person)
	require.ErrorAs(t, spy.Txn(ctx, engine.Op{Key: "claims/a", Was: items[0].Rev}), &person)
	require.Error(t, spy.Watch(ctx, "claims/", at, func([]engine.Item, string) { t.Error("it was told") }))
	_, err = spy.client.Revoke(ctx, clientv3.LeaseID(mustID(t, lease.ID)))
	require.Error(t, err, "another team's lease")

	own := h.engine("rival-ann", "rival")
	require.NoError(t, own.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("1")}))
}

func mustID(t *testing.T, lease string) clientv3.LeaseID {
	id, err := leaseID(lease)
	require.NoError(t, err)
	return id
}

// Whoever has no certificate, or one that nobody knows, gets no answer; and a server that is not the
// person's is not spoken with.
func TestWithoutACertificate(t *testing.T) {
	h := newHouse(t, "acme")
	stranger := &house{t: t, server: h.server, authority: etcdtest.NewAuthority(t)}
	place := stranger.place("acme-ann")
	place.CA = h.authority.File
	own := h.place("acme-ann")
	impostor := own
	impostor.CA = stranger.authority.File
	for name, p := range map[string]progengine.Place{"another authority's certificate": place, "another authority's server": impostor} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p.Team, p.Repo = "acme", "shop"
			e, err := Open(p)
			require.NoError(t, err)
			defer e.Close()
			_, err = e.List(t.Context(), "claims/")
			var person *engine.PersonError
			require.ErrorAs(t, err, &person, "%v", err)
		})
	}
}

// A person's settings that would have everybody read along, or answer, are not used.
func TestPlaces(t *testing.T) {
	h := &house{t: t, server: &etcdtest.Server{}, authority: etcdtest.NewAuthority(t)}
	cert, key := h.authority.Issue(t, "ann")
	secure := progengine.Place{Cert: cert, Key: key, CA: h.authority.File}
	for address, wants := range map[string]string{
		"http://etcd.example.org:2379":        "not on this machine",
		"https://etcd.example.org:2379":       "requires a certificate",
		"etcd.example.org:2379":               "invalid etcd endpoint",
		"https://ann:secret@etcd.example.org": "without user, path or query",
		"https://etcd.example.org:2379/?x=1":  "without user, path or query",
		"http://127.0.0.1.example.org:2379":   "not on this machine",
		"http://127.0.0.1:2379":               "",
		"http://[::1]:2379":                   "",
		"http://localhost:2379":               "",
		"TLS https://etcd.example.org:2379":   "",
		"TLS http://127.0.0.1:2379":           "disables TLS",
		"TLS unix:///tmp/etcd.sock":           "invalid etcd endpoint",
	} {
		place := progengine.Place{}
		if len(address) > 4 && address[:4] == "TLS " {
			place, address = secure, address[4:]
		}
		place.Endpoints = []string{address}
		client, err := Dial(place)
		if wants == "" {
			require.NoError(t, err, address)
			client.Close()
			continue
		}
		var person *engine.PersonError
		require.ErrorAs(t, err, &person, address)
		assert.ErrorContains(t, err, wants, address)
		assert.NotContains(t, err.Error(), "secret")
	}
	_, err := Dial(progengine.Place{})
	require.Error(t, err)
}
