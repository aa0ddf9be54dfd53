package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// folder is one clone's repository.
type folder struct {
	t     testing.TB
	root  layout.Root
	store *filestore.Store
}

func newFolder(t testing.TB) folder {
	dir := t.TempDir()
	require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
	require.NoError(t, os.MkdirAll(filepath.Join(dir, layout.Dir, "tasks"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, layout.Dir, "config.json"), []byte(`{"spec": {"sync": {"subscribe": ["p"]}}}`), 0o600))
	store, err := filestore.Open(dir)
	require.NoError(t, err)
	return folder{t, layout.Root(dir), store}
}

func (f folder) file(name string) string {
	return f.root.Abs(layout.Path(resources.Key{Kind: resources.Tasks, Name: name}))
}

// write is a person's editor.
func (f folder) write(name, title string) {
	text := fmt.Sprintf(`{"spec": {"workPlan": "p", "title": %q, "expectedOutput": "x"}}`, title)
	require.NoError(f.t, os.WriteFile(f.file(name), []byte(text), 0o600))
}

func (f folder) has(name, title string) bool {
	text, err := os.ReadFile(f.file(name))
	return err == nil && strings.Contains(string(text), fmt.Sprintf("%q", title))
}

// office is a clone whose team is at an etcd, as the person's settings name it.
type office struct {
	folder
	*sync.Team
}

// newOffice reaches an etcd by the idumb-sync beside the program that runs: a test's is found as itself.
func newOffice(t testing.TB, url, repo, clone string) office {
	f := newFolder(t)
	getenv := func(name string) string { return map[string]string{"IDUMB_SYNC_URL": url}[name] }
	team, err := sync.TeamOf(f.root, getenv, &sync.Settings{Engine: sync.EngineEtcd, Team: "acme", Repo: repo, Clone: clone, Plans: true})
	require.NoError(t, err)
	t.Cleanup(func() { team.Close() })
	team.Share(f.store)
	return office{f, team}
}

func (o office) round() sync.Report {
	r, err := o.Round(o.t.Context(), time.Now())
	require.NoError(o.t, err)
	return r
}

// An edit in one clone is a file in the other, as soon as the team tells of it; who changes the same field
// gets a mark; a start is claimed on a lease.
func TestPlansOfTwoClones(t *testing.T) {
	server := etcdtest.Members(t, 1)[0]
	a, b := newOffice(t, server.URL, "shop", "a"), newOffice(t, server.URL, "shop", "b")
	a.write("login", "T0")
	etcdtest.Eventually(t, func() error { _, err := a.Round(t.Context(), time.Now()); return err })
	b.round()
	require.True(t, b.has("login", "T0"))

	follows(t, b)
	const edits = 200
	took := heard(t, a, b, edits)
	puts := alone(t, server.URL, edits, 0)
	t.Logf("an edit here is a file there: p50 %v p99 %v; a put alone: p50 %v p99 %v", at(took, 50), at(took, 99), at(puts, 50), at(puts, 99))
	assert.Less(t, at(took, 50), time.Second)
}

// heard is how long it takes until what one clone edits is a file in one that follows.
func heard(t *testing.T, here, there office, edits int) (took []time.Duration) {
	for n := range edits {
		title := fmt.Sprintf("T%d", n+1)
		began := time.Now()
		here.write("login", title)
		here.round()
		for !there.has("login", title) {
			require.Less(t, time.Since(began), time.Minute)
			time.Sleep(100 * time.Microsecond)
		}
		took = append(took, time.Since(began))
	}
	return took
}

// follows has a clone do a round whenever the team tells of something, until the test ends.
func follows(t *testing.T, o office) {
	ctx, stop := context.WithCancel(t.Context())
	news, ended := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-news:
				_, err := o.Round(ctx, time.Now())
				assert.True(t, err == nil || ctx.Err() != nil, "%v", err)
			}
		}
	}()
	go func() {
		_ = o.Follow(ctx, func() {
			select {
			case news <- struct{}{}:
			default:
			}
		})
	}()
	t.Cleanup(func() { stop(); <-ended })
}

// alone is how long puts take that nobody waits for, one so long after the other.
func alone(t testing.TB, url string, n int, pause time.Duration) (took []time.Duration) {
	client := etcdtest.Client(t, url)
	for n := range n {
		time.Sleep(pause)
		began := time.Now()
		_, err := client.Put(t.Context(), "/other", fmt.Sprint(n))
		require.NoError(t, err)
		took = append(took, time.Since(began))
	}
	return took
}

// at is a percentile.
func at(took []time.Duration, percent int) time.Duration {
	slices.Sort(took)
	return took[len(took)*percent/100].Round(10 * time.Microsecond)
}

// Who changes the same field as others did gets the team's value, and keeps theirs in a mark.
func TestPlansInConflict(t *testing.T) {
	server := etcdtest.Start(t, nil)
	a, b := newOffice(t, server.URL, "shop", "a"), newOffice(t, server.URL, "shop", "b")
	a.write("login", "T")
	a.round()
	b.round()
	a.write("login", "A")
	b.write("login", "B")
	a.round()
	r := b.round()
	assert.Len(t, r.Plans.Marked, 1)
	assert.True(t, b.has("login", "A"))
	marks, err := b.Marks()
	require.NoError(t, err)
	require.Len(t, marks, 1)
	assert.Contains(t, marks[0].Ours, `"B"`)

	const many = 300 // more than etcd makes at once
	for n := range many {
		a.write(fmt.Sprintf("t%d", n), strings.Repeat("long", 2000))
	}
	assert.Len(t, a.round().Plans.Pushed, many)
	assert.Len(t, b.round().Plans.Pulled, many)
}

// nothing is what else is said to the team.
type nothing struct{}

func (nothing) Ops([]engine.Item) (map[string][]engine.Op, error) { return nil, nil }
func (nothing) RecordClaims(resources.Key)                        {}

// exchanging is a clone whose idumb-sync may be killed.
type exchanging struct {
	folder
	*machine
	x    *exchange.Exchange
	done *atomic.Int32 // rounds that succeeded
}

func newExchanging(t *testing.T, url, name string) exchanging {
	f := newFolder(t)
	x, err := exchange.Open(f.root.SyncFolder(), f.store, name)
	require.NoError(t, err)
	t.Cleanup(func() { x.Close() })
	return exchanging{f, newMachine(t, "shop", url), x, new(atomic.Int32)}
}

// round goes on until one succeeds: others and the one who kills are in the way.
func (e exchanging) round() {
	for deadline := time.Now().Add(time.Minute); ; {
		_, err := e.x.Round(e.t.Context(), e.machine, nothing{})
		if err == nil {
			e.done.Add(1)
			return
		}
		var conflict *engine.ConflictError
		require.False(e.t, errors.As(err, &conflict), "it looks again by itself")
		require.True(e.t, time.Now().Before(deadline), "%v", err)
	}
}

// Nothing that was edited is lost when idumb-sync is killed again and again: each clone edits tasks of its
// own, and both have all of them in the end.
func TestPlansWhileKilled(t *testing.T) {
	t.Parallel()
	server := etcdtest.Start(t, nil)
	clones := []exchanging{newExchanging(t, server.URL, "a"), newExchanging(t, server.URL, "b")}
	const edits, tasks = 40, 5
	var kills atomic.Int32
	ctx, stop := context.WithCancel(t.Context())
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		last := make([]int32, len(clones))
		for n := 0; ctx.Err() == nil; n++ {
			time.Sleep(30 * time.Millisecond)
			i := n % len(clones)
			if done := clones[i].done.Load(); done > last[i] { // else none came through since, on a busy machine
				last[i] = done
				clones[i].kill()
				kills.Add(1)
			}
		}
	}()
	done := make(chan struct{}, len(clones))
	for i, c := range clones {
		go func() {
			defer func() { done <- struct{}{} }()
			for n := range edits {
				c.write(fmt.Sprintf("t%d-%d", i, n%tasks), fmt.Sprintf("V%d", n))
				c.round()
			}
		}()
	}
	for range clones {
		<-done
	}
	stop()
	<-killed
	for range 2 {
		for _, c := range clones {
			c.round()
		}
	}
	for i := range clones {
		for n := range tasks {
			for _, c := range clones {
				assert.True(t, c.has(fmt.Sprintf("t%d-%d", i, n), fmt.Sprintf("V%d", edits-tasks+n)), "t%d-%d", i, n)
			}
		}
	}
	for _, c := range clones {
		marks, err := exchange.Marks(c.root.SyncFolder())
		require.NoError(t, err)
		assert.Empty(t, marks, "nobody changed what another one did")
	}
	t.Logf("%d edits, none lost; idumb-sync killed %d times", len(clones)*edits, kills.Load())
	assert.Greater(t, int(kills.Load()), 3)
}
