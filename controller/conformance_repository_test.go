package controller_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

func statusIsReadAlone(t *testing.T, s store.Store) {
	status, err := s.ReadStatus(t.Context(), task("a"))
	require.NoError(t, err)
	assert.Nil(t, status)
	require.NoError(t, s.PutStatus(t.Context(), task("a"), []byte("s")))
	status, err = s.ReadStatus(t.Context(), task("a"))
	require.NoError(t, err)
	assert.Equal(t, "s", string(status))
}

func oldEventsAreTrimmed(t *testing.T, s store.Store) {
	kept, now := s.Scratch(), time.Now()
	require.NoError(t, store.TrimEvents(kept, now), "nothing to trim is no error")
	for days := range 4 {
		at := resources.NewTime(now.AddDate(0, 0, -days))
		require.NoError(t, store.AppendEvents(kept, resources.Event{Time: at, Reason: "Tested", Object: "task/a"}))
	}
	require.NoError(t, store.TrimEvents(kept, now.AddDate(0, 0, -2)))
	require.NoError(t, store.TrimEvents(kept, now.AddDate(0, 0, -2)), "twice is no error")
	logs, err := kept.List(store.EventsFolder)
	require.NoError(t, err)
	assert.Equal(t, []string{store.EventsName(now.AddDate(0, 0, -2)), store.EventsName(now.AddDate(0, 0, -1)), store.EventsName(now)}, logs)
}

func textsAreKept(t *testing.T, s store.Store) {
	kept := s.Scratch()
	assert.Nil(t, store.LastPack(kept, ""))
	names, err := kept.List(store.SessionsFolder)
	require.NoError(t, err)
	assert.Empty(t, names)
	for _, session := range []string{"", "two", "one"} {
		require.NoError(t, kept.Write(store.PackName(session), []byte("for "+session)))
	}
	assert.Equal(t, "for ", string(store.LastPack(kept, "")))
	assert.Equal(t, "for one", string(store.LastPack(kept, "one")))
	names, err = kept.List(store.SessionsFolder)
	require.NoError(t, err)
	assert.Equal(t, []string{store.PackName("one"), store.PackName("two")}, names)
	require.NoError(t, kept.Remove(store.PackName("one")))
	require.NoError(t, kept.Remove(store.PackName("one")), "twice is no error")
	assert.Nil(t, store.LastPack(kept, "one"))

	_, err = kept.Read("run/log.jsonl")
	require.ErrorIs(t, err, store.ErrNotFound)
	for _, line := range []string{"1\n", "2\n"} {
		require.NoError(t, kept.Append("run/log.jsonl", []byte(line)))
	}
	log, err := kept.Read("run/log.jsonl")
	require.NoError(t, err)
	assert.Equal(t, "1\n2\n", string(log))
	require.NoError(t, kept.WriteDurably("run/log.jsonl", []byte("3\n")))
	log, err = kept.Read("run/log.jsonl")
	require.NoError(t, err)
	assert.Equal(t, "3\n", string(log))
}

func textsStayInPlace(t *testing.T, s store.Store) {
	kept := s.Scratch()
	for _, name := range []string{"", ".", "..", "../tasks/a.json", "context/../../x", "/etc/passwd", "context//b", `context\b`, "./context"} {
		assert.Error(t, kept.Write(name, []byte("x")), "write %q", name)
		assert.Error(t, kept.WriteDurably(name, []byte("x")), "keep %q", name)
		assert.Error(t, kept.Append(name, []byte("x")), "append %q", name)
		assert.Error(t, kept.Remove(name), "remove %q", name)
		_, err := kept.List(name)
		assert.Error(t, err, "list %q", name)
		_, err = kept.Read(name)
		assert.Error(t, err, "read %q", name)
		_, err = kept.Lock(name, 0)
		assert.Error(t, err, "lock %q", name)
	}
	assert.Nil(t, store.LastPack(kept, "../../tasks/a"))
}

func oneHoldsALock(t *testing.T, s store.Store) {
	unlock, err := s.Scratch().Lock("run/a.lock", 0)
	require.NoError(t, err)
	_, err = s.Scratch().Lock("run/a.lock", time.Millisecond)
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	other, err := s.Scratch().Lock("run/b.lock", 0)
	require.NoError(t, err)
	other()
	unlock()
	again, err := s.Scratch().Lock("run/a.lock", 0)
	require.NoError(t, err)
	again()
}
