package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// What a newer machine sends with a field that this one does not know is not written, and where it says that
// this one reads nothing, nothing is read or sent: that is a person's to mend.
func TestTwoVersionsSideBySide(t *testing.T) {
	server := etcdtest.Start(t, nil)
	a, newer := newOffice(t, server.URL, "shop", "a"), server.Client(t)
	a.write("login", "T")
	a.round()
	const key = "/idumb/acme/shop/o/tasks/p/login"
	_, err := newer.Put(t.Context(), key, `{"v":1,"by":"newer"}`+"\n"+`{"spec": {"workPlan": "p", "title": "N", "expectedOutput": "x", "colour": "red"}}`)
	require.NoError(t, err)
	_, err = newer.Put(t.Context(), "/idumb/acme/shop/g", "") // as with every change of the state
	require.NoError(t, err)
	r := a.round()
	require.Len(t, r.Plans.Refused, 1)
	assert.Contains(t, r.Plans.Refused[0].Reason, "spec.colour: unknown field")
	assert.True(t, a.has("login", "T"), "the last good version")
	marks, err := a.Marks()
	require.NoError(t, err)
	require.Len(t, marks, 1)
	assert.Contains(t, marks[0].Base, `"T"`)
	assert.Contains(t, marks[0].Theirs, `"red"`)

	_, err = newer.Put(t.Context(), "/idumb/acme/shop/v", `{"protocol":2,"minReader":2}`)
	require.NoError(t, err)
	at, err := newer.Get(t.Context(), key)
	require.NoError(t, err)
	require.NoError(t, a.Close()) // the next idumb-sync asks again at once, and not within a minute
	a.write("login", "mine")
	_, err = a.Round(t.Context(), time.Now())
	var person *engine.PersonError
	require.ErrorAs(t, err, &person)
	require.ErrorContains(t, err, "it requires protocol 2")
	after, err := newer.Get(t.Context(), "/idumb/acme/shop/", clientv3.WithPrefix())
	require.NoError(t, err)
	for _, kv := range after.Kvs {
		assert.LessOrEqual(t, kv.ModRevision, at.Header.Revision, "nothing was written: %s", kv.Key)
	}
	assert.True(t, a.has("login", "mine"))
}
