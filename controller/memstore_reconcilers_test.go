package controller_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/hack/memstore"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
)

// inMemory runs all reconcilers over a store that is no folder, until the test ends it.
func inMemory(t *testing.T, s *memstore.Store) (m *controller.Manager, end func()) {
	t.Helper()
	m = controller.New(s, reconcilers.All(reconcilers.NewPacks(), mutate.Repo{}), controller.Options{QuietPeriod: 20 * time.Millisecond, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	require.NoError(t, m.WaitSettled(t.Context()))
	return m, func() {
		cancel()
		require.NoError(t, <-ended)
	}
}

// putTask writes a task of plan p, whatever stands there.
func putTask(t *testing.T, s store.Store, name, state string, dependsOn ...string) {
	t.Helper()
	list := ""
	for i, first := range dependsOn {
		list += fmt.Sprintf("%.*s%q", min(i, 1), ",", first)
	}
	text := fmt.Sprintf(`{"metadata": {"creationTimestamp": "2026-01-02T03:04:05Z"}, "spec": {"workPlan": "p", "title": %q, "expectedOutput": "x", "state": %q, "dependsOn": [%s], "result": {"evidence": "seen"}}}`, name, state, list)
	old, err := s.Get(t.Context(), task(name))
	if err != nil {
		require.ErrorIs(t, err, store.ErrNotFound)
	}
	_, err = s.Put(t.Context(), task(name), []byte(text), old.Rev)
	require.NoError(t, err)
}

// kept is what a store in memory keeps that reconcilers wrote.
func kept(t *testing.T, s *memstore.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, kind := range resources.Kinds() {
		keys, err := s.ListStatus(t.Context(), kind.Plural)
		require.NoError(t, err)
		for _, key := range keys {
			status, err := s.ReadStatus(t.Context(), key)
			require.NoError(t, err)
			all[key.String()] = string(status)
		}
	}
	all["context"] = string(store.LastPack(s.Scratch(), ""))
	return all
}

// phases are those of tasks, as their statuses say.
func phases(t *testing.T, s *memstore.Store, names ...string) (all []string) {
	t.Helper()
	for _, name := range names {
		status, err := s.ReadStatus(t.Context(), task(name))
		require.NoError(t, err)
		var seen resources.TaskStatus
		if status != nil {
			require.NoError(t, json.Unmarshal(status, &seen))
		}
		all = append(all, seen.Phase)
	}
	return all
}

// The reconcilers need no files: a plan of tasks that wait for one another converges in a
// store of another kind, whoever comes late, and who looks again finds nothing to do.
func TestAPlanConvergesInAnotherStore(t *testing.T) {
	s := memstore.New()
	_, err := s.Put(t.Context(), resources.Key{Kind: resources.WorkPlans, Name: "p"}, []byte(`{"spec": {"title": "P", "acceptance": ["done"], "state": "active"}}`), "")
	require.NoError(t, err)
	putTask(t, s, "a", "planned")
	putTask(t, s, "b", "planned", "a")
	m, end := inMemory(t, s)
	until := func(want ...string) {
		t.Helper()
		require.Eventually(t, func() bool { return slices.Equal(want, phases(t, s, "a", "b", "c")) }, 20*time.Second, time.Millisecond)
		require.NoError(t, m.WaitSettled(t.Context()), "what follows from the phases")
	}
	putTask(t, s, "c", "planned", "a", "b")
	until("planned", "blocked", "blocked")
	putTask(t, s, "a", "completed")
	until("completed", "planned", "blocked")
	putTask(t, s, "b", "completed", "a")
	until("completed", "completed", "planned")
	assert.Contains(t, string(store.LastPack(s.Scratch(), "")), "- c (after a, b)", "the packed context names what is next")
	end()
	once := kept(t, s)
	require.Contains(t, slices.Collect(maps.Keys(once)), "workplans/p")

	_, end = inMemory(t, s)
	end()
	assert.Equal(t, once, kept(t, s), "twice is once")

	record, err := s.Get(t.Context(), task("c"))
	require.NoError(t, err)
	require.NoError(t, s.Delete(t.Context(), task("c"), record.Rev))
	_, end = inMemory(t, s)
	defer end()
	status, err := s.ReadStatus(t.Context(), task("c"))
	require.NoError(t, err)
	assert.Nil(t, status, "what is gone has no status")
}
