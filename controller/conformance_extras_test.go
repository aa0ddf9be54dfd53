package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func archivedAndRestored(t *testing.T, s store.Store) {
	ctx := t.Context()
	require.ErrorIs(t, s.Archive(ctx, task("a"), "rev"), store.ErrNotFound)
	require.ErrorIs(t, s.Restore(ctx, task("a")), store.ErrNotFound)

	one := put(t, s, task("a"), "1", "")
	require.ErrorIs(t, s.Archive(ctx, task("a"), "stale"), store.ErrConflict)
	require.NoError(t, s.Archive(ctx, task("a"), one))
	_, err := s.Get(ctx, task("a"))
	require.ErrorIs(t, err, store.ErrNotFound)

	two := put(t, s, task("a"), "2", "")
	require.ErrorIs(t, s.Restore(ctx, task("a")), store.ErrExists)
	require.NoError(t, s.Archive(ctx, task("a"), two))
	keys, err := s.ListArchived(ctx)
	require.NoError(t, err)
	assert.Equal(t, []resources.Key{task("a"), task("a.1")}, keys, "the older one has a name of its own")
	for name, spec := range map[string]string{"a": "2", "a.1": "1"} {
		aside, err := s.ReadArchived(ctx, task(name))
		require.NoError(t, err)
		assert.Equal(t, spec, string(aside))
	}
	_, err = s.ReadArchived(ctx, task("b"))
	require.ErrorIs(t, err, store.ErrNotFound)

	require.NoError(t, s.Restore(ctx, task("a")))
	assert.Equal(t, map[string]string{"a": "2"}, listResult(t, s, resources.Tasks))
	require.NoError(t, s.Restore(ctx, task("a.1")))
	assert.Equal(t, map[string]string{"a": "2", "a.1": "1"}, listResult(t, s, resources.Tasks))
	keys, err = s.ListArchived(ctx)
	require.NoError(t, err)
	assert.Empty(t, keys)
}

func quarantinedAndReleased(t *testing.T, s store.Store) {
	marks := store.MarksIn(s.Scratch())
	put(t, s, task("a"), "broken", "")
	_, err := marks.Get(task("a"))
	require.ErrorIs(t, err, store.ErrNotFound)
	require.NoError(t, marks.Remove(task("a")), "nothing to release is no error")

	mark := store.Mark{
		Problem:  resources.Problem{Key: task("a"), Object: "tasks/a", File: "a.json", Line: 3, Column: 7, Reason: "why", Remedy: "what next"},
		Since:    resources.NewTime(time.Now()),
		LastGood: []byte("{}\n"), Revision: "r",
		ModTime: time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.UTC), // of two mems the later one counts
	}
	require.NoError(t, marks.Put(task("a"), mark))
	got, err := marks.Get(task("a"))
	require.NoError(t, err)
	assert.True(t, mark.Since.Equal(got.Since.Time))
	got.Since = mark.Since
	assert.Equal(t, mark, got)
	assert.Equal(t, map[string]string{"a": "broken"}, listResult(t, s, resources.Tasks), "the object is not touched")
	keys, err := marks.Keys()
	require.NoError(t, err)
	assert.Equal(t, []resources.Key{task("a")}, keys)
	require.NoError(t, marks.Remove(task("a")))
	_, err = marks.Get(task("a"))
	require.ErrorIs(t, err, store.ErrNotFound)
}

// What people plan goes on counting while its file is missing, until somebody sets it aside.
func lostCounts(t *testing.T, s store.Store) {
	ctx, marks, mem := t.Context(), store.MarksIn(s.Scratch()), resources.Key{Kind: resources.Mems, Name: "m"}
	assert.Nil(t, s.MarkOf(task("a")))
	for _, key := range []resources.Key{task("a"), task("b"), mem} {
		require.NoError(t, marks.Put(key, store.Mark{Problem: store.RemovedProblem(key, "x.json"), LastGood: []byte("{}")}))
	}
	require.NotNil(t, s.MarkOf(task("a")))
	assert.Equal(t, "{}", string(s.MarkOf(task("a")).LastGood))
	assert.Nil(t, s.MarkOf(mem))
	require.NoError(t, s.Archive(ctx, task("b"), put(t, s, task("b"), "{}", "")))
	assert.Nil(t, s.MarkOf(task("b")))
	require.NoError(t, marks.Put(task("a"), store.Mark{Problem: resources.Problem{Key: task("a"), Reason: "broken"}, LastGood: []byte("{}")}))
	assert.Nil(t, s.MarkOf(task("a")))
}

func checkpointsAreRead(t *testing.T, s store.Store) {
	ctx, key := t.Context(), resources.Key{Kind: resources.CheckpointsKind, Name: "a"}
	_, err := s.Get(ctx, key)
	require.ErrorIs(t, err, store.ErrNotFound)
	for _, command := range []string{"go build", "go test ./..."} {
		require.NoError(t, s.AppendCheckpoint(ctx, "a", resources.Checkpoint{Tool: "shell", Command: command}))
	}
	got, err := s.Get(ctx, key)
	require.NoError(t, err)
	seen, problems := status.ReadEvidence(got.Spec)
	assert.Empty(t, problems)
	assert.Equal(t, []status.Command{{Line: "go build"}, {Line: "go test ./..."}}, seen.Commands)
	assert.Len(t, listResult(t, s, resources.CheckpointsKind), 1)
	_, err = s.Put(ctx, key, []byte("forged"), got.Rev)
	assert.Error(t, err, "logs are appended to, never written")
}
