package controller_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/hack/memstore"
	"github.com/idumb-dev/idumb/resources"
)

// task is the key of a task.
func task(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }

// stores are the kinds of stores that there are. Each function opens an empty one.
var stores = map[string]func(t *testing.T) store.Store{
	"memory": func(*testing.T) store.Store { return memstore.New() },
	"files": func(t *testing.T) store.Store {
		root := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
		s, err := filestore.Open(root)
		require.NoError(t, err)
		return onDisk{s}
	},
}

// Every store keeps to the contract in package store. What a store need not be (a
// Leveler) is checked if it is that.
func TestStoresConform(t *testing.T) {
	for kind, open := range stores {
		for _, rule := range rules {
			t.Run(kind+"/"+rule.name, func(t *testing.T) {
				t.Parallel()
				rule.check(t, open(t))
			})
		}
	}
}

// rules is the one list of what is checked.
var rules = []struct {
	name  string
	check func(t *testing.T, s store.Store)
}{
	{"what was put is got", getsWhatWasPut},
	{"the revision follows the spec alone", revisionFollowsSpec},
	{"create fails if it exists", createFailsIfItExists},
	{"a stale revision changes nothing", staleRevision},
	{"what is gone cannot be changed", goneCannotBeChanged},
	{"names that cannot be are refused", impossibleNames},
	{"delete leaves the status", deleteLeavesStatus},
	{"a list shows each object once", listShowsEachOnce},
	{"the kinds of which there is one", singleKinds},
	{"of many writers one wins each round", oneWriterWins},
	{"a put that races an editor loses", editorWins},
	{"what was asked to go is told from what is missing", deletionIsToldFromAbsence},
	{"a series that fails is taken back", seriesIsTakenBack},
	{"what happens meanwhile can keep all from being written", meanwhileRefuses},
	{"nobody comes between a series", seriesIsAlone},
	{"an ended context changes nothing", endedContext},
	{"watch begins with a loss of history", watchBeginsWithLoss},
	{"watch hints every change", watchHintsEveryChange},
	{"level hints at once what was written", levelHintsAtOnce},
	{"archived and restored", archivedAndRestored},
	{"quarantined and released", quarantinedAndReleased},
	{"what is lost goes on counting", lostCounts},
	{"checkpoints are read as they were appended", checkpointsAreRead},
	{"a status is read without its object", statusIsReadAlone},
	{"old events are trimmed by days", oldEventsAreTrimmed},
	{"texts are kept by name", textsAreKept},
	{"texts stay in their place", textsStayInPlace},
	{"one holds a lock", oneHoldsALock},
}

// as is the store as that, if it is that; else the rule is about others.
func as[T any](t *testing.T, s store.Store) T {
	t.Helper()
	is, ok := s.(T)
	if !ok {
		t.Skipf("a %T is no %s, and need not be", s, reflect.TypeFor[T]())
	}
	return is
}

func put(t *testing.T, s store.Store, key resources.Key, spec, rev string) string {
	t.Helper()
	written, err := s.Put(t.Context(), key, []byte(spec), rev)
	require.NoError(t, err)
	return written
}

func statusOf(t *testing.T, s store.Store, key resources.Key) string {
	t.Helper()
	status, err := s.ReadStatus(t.Context(), key)
	require.NoError(t, err)
	return string(status)
}

func getsWhatWasPut(t *testing.T, s store.Store) {
	_, err := s.Get(t.Context(), task("a"))
	require.ErrorIs(t, err, store.ErrNotFound)

	before := time.Now().Add(-time.Second)
	rev := put(t, s, task("a"), "{ }\n", "")
	got, err := s.Get(t.Context(), task("a"))
	require.NoError(t, err)
	assert.Equal(t, task("a"), got.Key)
	assert.Equal(t, "{ }\n", string(got.Spec))
	assert.Equal(t, rev, got.Rev)
	assert.True(t, got.ModTime.After(before), "ModTime is %s", got.ModTime)
}

func revisionFollowsSpec(t *testing.T, s store.Store) {
	one := put(t, s, task("a"), "1", "")
	require.NoError(t, s.PutStatus(t.Context(), task("a"), []byte("s")))
	got, err := s.Get(t.Context(), task("a"))
	require.NoError(t, err)
	assert.Equal(t, one, got.Rev, "a status is not part of the revision")
	assert.Equal(t, "s", statusOf(t, s, task("a")))

	two := put(t, s, task("a"), "2", one)
	assert.NotEqual(t, one, two)
	assert.Equal(t, two, put(t, s, task("a"), "2", two), "the same bytes again")
	assert.Equal(t, "s", statusOf(t, s, task("a")), "the status stays until the controller looks")
}

func createFailsIfItExists(t *testing.T, s store.Store) {
	put(t, s, task("a"), "1", "")
	_, err := s.Put(t.Context(), task("a"), []byte("2"), "")
	require.ErrorIs(t, err, store.ErrExists)
	got, err := s.Get(t.Context(), task("a"))
	require.NoError(t, err)
	assert.Equal(t, "1", string(got.Spec))
}

func staleRevision(t *testing.T, s store.Store) {
	one := put(t, s, task("a"), "1", "")
	put(t, s, task("a"), "2", one)
	_, err := s.Put(t.Context(), task("a"), []byte("3"), one)
	require.ErrorIs(t, err, store.ErrConflict)
	require.ErrorIs(t, s.Delete(t.Context(), task("a"), one), store.ErrConflict)
	got, err := s.Get(t.Context(), task("a"))
	require.NoError(t, err)
	assert.Equal(t, "2", string(got.Spec))
}

func goneCannotBeChanged(t *testing.T, s store.Store) {
	rev := put(t, s, task("a"), "1", "")
	require.NoError(t, s.Delete(t.Context(), task("a"), rev))
	_, err := s.Get(t.Context(), task("a"))
	require.ErrorIs(t, err, store.ErrNotFound)
	require.ErrorIs(t, s.Delete(t.Context(), task("a"), rev), store.ErrNotFound)
	_, err = s.Put(t.Context(), task("a"), []byte("2"), rev)
	require.ErrorIs(t, err, store.ErrConflict)
	put(t, s, task("a"), "again", "")
}

func impossibleNames(t *testing.T, s store.Store) {
	for _, name := range []string{"", "..", "../a", "A", "a/b", "a\x00b", ".hidden", "-a"} {
		_, err := s.Put(t.Context(), task(name), []byte("1"), "")
		assert.Error(t, err, "put %q", name)
		_, err = s.Get(t.Context(), task(name))
		assert.Error(t, err, "get %q", name)
		assert.Error(t, s.PutStatus(t.Context(), task(name), []byte("1")), "status of %q", name)
	}
	_, err := s.Put(t.Context(), resources.Key{Kind: "nothings", Name: "a"}, []byte("1"), "")
	assert.Error(t, err)
}

func deleteLeavesStatus(t *testing.T, s store.Store) {
	rev := put(t, s, task("a"), "1", "")
	require.NoError(t, s.PutStatus(t.Context(), task("a"), []byte("s")))
	require.NoError(t, s.Delete(t.Context(), task("a"), rev))
	keys, err := s.ListStatus(t.Context(), resources.Tasks)
	require.NoError(t, err)
	assert.Equal(t, []resources.Key{task("a")}, keys)
	put(t, s, task("a"), "2", "")
	assert.Equal(t, "s", statusOf(t, s, task("a")))

	require.NoError(t, s.DeleteStatus(t.Context(), task("a")))
	require.NoError(t, s.DeleteStatus(t.Context(), task("a")), "twice is no error")
	assert.Empty(t, statusOf(t, s, task("a")))
}

func listResult(t *testing.T, s store.Store, kind string) map[string]string {
	t.Helper()
	specs := map[string]string{}
	for record, err := range s.List(t.Context(), kind) {
		require.NoError(t, err)
		assert.NotContains(t, specs, record.Key.Name)
		specs[record.Key.Name] = string(record.Spec)
	}
	return specs
}

func listShowsEachOnce(t *testing.T, s store.Store) {
	assert.Empty(t, listResult(t, s, resources.Tasks))
	want := map[string]string{}
	for i := range 50 {
		name := fmt.Sprintf("t%d", i)
		put(t, s, task(name), name, "")
		want[name] = name
	}
	put(t, s, resources.Key{Kind: resources.Mems, Name: "m"}, "m", "")
	require.NoError(t, s.PutStatus(t.Context(), task("t7"), []byte("s")))
	assert.Equal(t, want, listResult(t, s, resources.Tasks))
	for record, err := range s.List(t.Context(), resources.Tasks) {
		require.NoError(t, err)
		assert.Equal(t, record.Key.Name == "t7", record.Status != nil)
	}
	for range s.List(t.Context(), resources.Tasks) {
		break // a caller may have seen enough
	}
}

func singleKinds(t *testing.T, s store.Store) {
	config := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	assert.Empty(t, listResult(t, s, resources.Configs))
	rev := put(t, s, config, "{}", "")
	assert.Equal(t, map[string]string{resources.ConfigName: "{}"}, listResult(t, s, resources.Configs))
	require.NoError(t, s.PutStatus(t.Context(), config, []byte("s")))
	require.NoError(t, s.Delete(t.Context(), config, rev))
}

func oneWriterWins(t *testing.T, s store.Store) {
	const writers, rounds = 4, 10
	put(t, s, task("a"), "0", "")
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for done := 0; done < rounds; {
				got, err := s.Get(t.Context(), task("a"))
				if !assert.NoError(t, err) {
					return
				}
				_, err = s.Put(t.Context(), task("a"), append(got.Spec, '+'), got.Rev)
				switch {
				case err == nil:
					done++
				case !errors.Is(err, store.ErrConflict):
					t.Errorf("put: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	got, err := s.Get(t.Context(), task("a"))
	require.NoError(t, err)
	assert.Len(t, got.Spec, 1+writers*rounds, "every acknowledged change is there")
}

func endedContext(t *testing.T, s store.Store) {
	rev := put(t, s, task("a"), "1", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Put(ctx, task("a"), []byte("2"), rev)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, s.Delete(ctx, task("a"), rev), context.Canceled)
	require.ErrorIs(t, s.PutStatus(ctx, task("a"), []byte("s")), context.Canceled)
	got, err := s.Get(t.Context(), task("a"))
	require.NoError(t, err)
	assert.Equal(t, "1", string(got.Spec))
	assert.Empty(t, statusOf(t, s, task("a")))
}
