package controller_test

import (
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
	ctx, now := t.Context(), time.Now()
	require.NoError(t, s.TrimEvents(ctx, now), "nothing to trim is no error")
	for days := range 4 {
		at := resources.NewTime(now.AddDate(0, 0, -days))
		require.NoError(t, s.AppendEvent(ctx, resources.Event{Time: at, Reason: "Tested", Object: "task/a"}))
	}
	require.NoError(t, s.TrimEvents(ctx, now.AddDate(0, 0, -2)))
	require.NoError(t, s.TrimEvents(ctx, now.AddDate(0, 0, -2)), "twice is no error")
}

func contextsAreKept(t *testing.T, s store.Store) {
	ctx := t.Context()
	assert.Nil(t, s.LastPack(""))
	names, err := s.ListContext(ctx, "sessions")
	require.NoError(t, err)
	assert.Empty(t, names)
	for _, session := range []string{"", "two", "one"} {
		require.NoError(t, s.WriteContext(ctx, store.PackName(session), []byte("for "+session)))
	}
	assert.Equal(t, "for ", string(s.LastPack("")))
	assert.Equal(t, "for one", string(s.LastPack("one")))
	names, err = s.ListContext(ctx, "sessions")
	require.NoError(t, err)
	assert.Equal(t, []string{"sessions/one.xml", "sessions/two.xml"}, names)
	require.NoError(t, s.DeleteContext(ctx, store.PackName("one")))
	require.NoError(t, s.DeleteContext(ctx, store.PackName("one")), "twice is no error")
	assert.Nil(t, s.LastPack("one"))
}

func contextsStayInPlace(t *testing.T, s store.Store) {
	for _, name := range []string{"", ".", "..", "../tasks/a.json", "a/../../x", "/etc/passwd", "a//b", `a\b`, "./a"} {
		assert.Error(t, s.WriteContext(t.Context(), name, []byte("x")), "write %q", name)
		assert.Error(t, s.DeleteContext(t.Context(), name), "delete %q", name)
		_, err := s.ListContext(t.Context(), name)
		assert.Error(t, err, "list %q", name)
	}
	assert.Nil(t, s.LastPack("../../tasks/a"))
}
