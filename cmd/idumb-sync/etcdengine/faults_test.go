package etcdengine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/engine"
)

const ttl = 2 * time.Second

func newEngine(t testing.TB, server *etcdtest.Server, record Record) *Engine {
	e, err := New(server.Client(t), "acme", "shop", record)
	require.NoError(t, err)
	return e
}

// Fifty machines want one task: one gets it, in each of many rounds.
func TestOneOfFifty(t *testing.T) {
	server := etcdtest.Start(t, nil)
	const claimants = 50
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	machines, leases := make([]*Engine, claimants), make([]string, claimants)
	for i := range machines {
		machines[i] = newEngine(t, server, nil)
		lease, err := machines[i].Lease(t.Context(), "", time.Minute)
		require.NoError(t, err)
		leases[i] = lease.ID
	}
	for round := range rounds {
		var won atomic.Int32
		var all sync.WaitGroup
		key := fmt.Sprintf("claims/t-%d", round)
		for i, e := range machines {
			all.Go(func() {
				err := e.Txn(t.Context(), engine.Op{Key: key, Value: fmt.Appendf(nil, "%d", i), Lease: leases[i]})
				var conflict *engine.ConflictError
				if err == nil {
					won.Add(1)
				} else {
					assert.ErrorAs(t, err, &conflict)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, won.Load(), "round %d", round)
	}
}

// An etcd that was set back to an older day, or is another one, is noticed before anything is said
// to it; a person who agrees meets it as it is.
func TestSetBack(t *testing.T) {
	server, other := etcdtest.Start(t, nil), etcdtest.Start(t, nil)
	record := File(filepath.Join(t.TempDir(), "sync", "etcd.json"))
	e := newEngine(t, server, record)
	require.NoError(t, e.Txn(t.Context(), engine.Op{Key: "claims/a", Value: []byte("1")}))
	_, err := e.List(t.Context(), "claims/")
	require.NoError(t, err)
	seen, err := record.Load()
	require.NoError(t, err)
	require.Positive(t, seen.Revision)

	var person *engine.PersonError
	_, err = newEngine(t, other, record).List(t.Context(), "claims/")
	require.ErrorAs(t, err, &person)
	assert.ErrorContains(t, err, "the etcd cluster changed")
	require.NoError(t, record.Save(LastSeen{Cluster: seen.Cluster, Revision: seen.Revision + 1000}))
	_, err = e.List(t.Context(), "claims/")
	require.ErrorAs(t, err, &person)
	assert.ErrorContains(t, err, fmt.Sprintf("rolled back from revision %d to %d", seen.Revision+1000, seen.Revision))
	require.NoError(t, record.Forget())
	_, err = e.List(t.Context(), "claims/")
	require.NoError(t, err)

	require.NoError(t, record.Save(LastSeen{}))
	again, err := record.Load()
	require.NoError(t, err)
	assert.Zero(t, again)
}

// Who hears of changes and does not list sends nothing to an etcd that was set back.
func TestNothingGoesToOneThatWasSetBack(t *testing.T) {
	server := etcdtest.Start(t, nil)
	e := newEngine(t, server, nil)
	change := func(key string) error {
		return e.Txn(t.Context(), engine.Op{Key: key, Value: []byte("1")})
	}
	require.NoError(t, change("state/o/a"))
	require.NoError(t, change("state/o/b"))
	_, err := server.Client(t).Delete(t.Context(), "/idumb/acme/shop/"+turnKey) // as before anybody changed anything
	require.NoError(t, err)
	var conflict *engine.ConflictError
	require.ErrorAs(t, change("state/o/c"), &conflict)
	require.NoError(t, change("claims/c"), "claims are read before they are made")
	_, err = server.Client(t).Put(t.Context(), "/idumb/acme/shop/"+turnKey, "")
	require.NoError(t, err)
	_, err = e.List(t.Context(), "")
	require.NoError(t, err)
	require.NoError(t, change("state/o/c"), "what is listed is what counts")
}

// Who only listens hears that an etcd was put back to a backup as soon as it is there again, though nobody changes
// anything; what is listed then says so as well.
func TestSetBackWhileNothingChanges(t *testing.T) {
	var dir string
	server := etcdtest.Start(t, func(c *embed.Config) { dir = c.Dir })
	e := newEngine(t, server, File(filepath.Join(t.TempDir(), "etcd.json")))
	change := func(key string) { require.NoError(t, e.Txn(t.Context(), engine.Op{Key: key, Value: []byte("1")})) }
	again := func(meanwhile func()) {
		server.Etcd.Close()
		meanwhile()
		server.Run(t)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	change("state/o/a")
	_, at, err := e.ListAt(t.Context(), "")
	require.NoError(t, err)
	told, ended := make(chan string, 10), make(chan error, 1)
	go func() {
		ended <- e.Watch(t.Context(), "", at, func(changed []engine.Item, _ string) { told <- changed[0].Key })
	}()
	again(func() { require.NoError(t, os.CopyFS(backup, os.DirFS(dir))) })
	etcdtest.Eventually(t, func() error { _, err := e.get(t.Context(), "x"); return err })
	change("state/o/b")
	assert.Equal(t, "state/o/b", <-told, "one that was started again with what it had is the same")
	again(func() {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, os.CopyFS(dir, os.DirFS(backup)))
	})
	var person *engine.PersonError
	require.ErrorAs(t, <-ended, &person)
	_, err = e.List(t.Context(), "")
	require.ErrorAs(t, err, &person)
}

// Keys that a later protocol wrote are not read; what stands there that is none is told of.
func TestALaterProtocol(t *testing.T) {
	server := etcdtest.Start(t, nil)
	client := server.Client(t)
	for _, c := range []struct{ value, wants string }{ // the last is one that is read, also below
		{`{"protocol":7,"minReader":2}`, "requires protocol 2"}, {`junk`, "version item is invalid"}, {`{"protocol":7,"minReader":1}`, ""},
	} {
		_, err := client.Put(t.Context(), "/idumb/acme/shop/v", c.value)
		require.NoError(t, err)
		e := newEngine(t, server, nil)
		_, err = e.List(t.Context(), "claims/")
		if c.wants == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.wants)
		_, err = e.Lease(t.Context(), "", ttl)
		require.Error(t, err)
		require.Error(t, e.Txn(t.Context(), engine.Op{Key: "claims/a", Value: []byte("1")}))
	}
	e := newEngine(t, server, nil)
	items, err := e.List(t.Context(), "")
	require.NoError(t, err)
	assert.Empty(t, items, "the version is no item, and nothing was written")

	_, err = client.Put(t.Context(), "/idumb/acme/shop/v", `{"protocol":7,"minReader":2}`)
	require.NoError(t, err)
	require.Less(t, time.Now().Add(believed/2).UnixMilli(), e.versionTrustedUntil.Load())
	e.versionTrustedUntil.Store(0) // it was upgraded while this one ran, a minute ago
	_, err = e.List(t.Context(), "")
	require.ErrorContains(t, err, "requires protocol 2")
}

// A list that takes several questions is of one moment.
func TestPages(t *testing.T) {
	server := etcdtest.Start(t, nil)
	e := newEngine(t, server, nil)
	const many = 3*page + 7
	for n := 0; n < many; n += MostOps {
		var ops []engine.Op
		for i := n; i < min(n+MostOps, many); i++ {
			ops = append(ops, engine.Op{Key: fmt.Sprintf("claims/t-%05d", i), Value: []byte("0")})
		}
		require.NoError(t, e.Txn(t.Context(), ops...))
	}
	stop := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() { // the first and the last key always say the same
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			_, err := e.client.Txn(t.Context()).Then(clientv3.OpPut(e.key("claims/t-00000"), fmt.Sprint(n)), clientv3.OpPut(e.key(fmt.Sprintf("claims/t-%05d", many-1)), fmt.Sprint(n))).Commit()
			assert.NoError(t, err)
		}
	})
	for range 20 {
		items, err := e.List(t.Context(), "claims/")
		require.NoError(t, err)
		require.Len(t, items, many)
		assert.Equal(t, string(items[0].Value), string(items[many-1].Value))
	}
	close(stop)
	all.Wait()
	require.ErrorContains(t, e.Txn(t.Context(), make([]engine.Op, MostOps+1)...), "at once")
}

// A full etcd is told of in words that say what to do, and claims that stand go on standing.
func TestNoSpace(t *testing.T) {
	server := etcdtest.Start(t, func(c *embed.Config) { c.QuotaBackendBytes = 2 << 20 })
	e := newEngine(t, server, nil)
	lease, err := e.Lease(t.Context(), "", time.Minute)
	require.NoError(t, err)
	require.NoError(t, e.Txn(t.Context(), engine.Op{Key: "claims/a", Value: []byte("1"), Lease: lease.ID}))
	big := []byte(strings.Repeat("x", 200<<10))
	for n := 0; err == nil; n++ {
		require.Less(t, n, 100, "it is never full")
		err = e.Txn(t.Context(), engine.Op{Key: fmt.Sprintf("o/t-%d", n), Value: big})
		time.Sleep(5 * time.Millisecond) // an etcd looks at its size ten times a second
	}
	require.ErrorIs(t, err, rpctypes.ErrNoSpace)
	require.ErrorContains(t, err, "accepts no changes")
	var person *engine.PersonError
	require.NotErrorAs(t, err, &person, "it is tried again")
	kept, err := e.Lease(t.Context(), lease.ID, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, lease.ID, kept.ID)
	items, err := e.List(t.Context(), "claims/")
	require.NoError(t, err)
	assert.Len(t, items, 1)

	alarms, err := e.client.AlarmList(t.Context())
	require.NoError(t, err)
	require.Equal(t, etcdserverpb.AlarmType_NOSPACE, alarms.Alarms[0].Alarm)
	_, err = e.client.Delete(t.Context(), "/idumb/acme/shop/o/", clientv3.WithPrefix())
	require.NoError(t, err)
	require.NoError(t, e.Compact(t.Context()))
	_, err = e.client.Defragment(t.Context(), server.URL)
	require.NoError(t, err)
	_, err = e.client.AlarmDisarm(t.Context(), (*clientv3.AlarmMember)(alarms.Alarms[0]))
	require.NoError(t, err)
	require.NoError(t, e.Txn(t.Context(), engine.Op{Key: "claims/b", Value: []byte("1")}))
}

// Names of teams and repositories are parts of keys, by which rights are given.
func TestPrefix(t *testing.T) {
	prefix, err := Prefix("acme", "shop.web-2")
	require.NoError(t, err)
	assert.Equal(t, "/idumb/acme/shop.web-2/", prefix)
	for _, bad := range []string{"", "a/b", "..", "a..b", "A", "a ", "-a", "a.", strings.Repeat("a", 64), "a\x00"} {
		_, err := Prefix(bad, "shop")
		require.ErrorContains(t, err, "team", "%q", bad)
		_, err = Prefix("acme", bad)
		require.ErrorContains(t, err, "repo", "%q", bad)
	}
}
