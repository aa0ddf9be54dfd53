package reconcilers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Whoever edits the read-head's file sets aside what was worked on: its spec stays, nobody holds it,
// and once the other plan is done it counts again.
func TestAnEditOfTheReadHeadSetsTasksAside(t *testing.T) {
	t.Parallel()
	s := repository(t)
	s.task("first", `,"state":"active"`)
	s.file(".idumb/workplans/other.json", `{"spec":{"title":"O","state":"active"}}`)
	other := func(more string) {
		s.file(".idumb/tasks/page.json", `{"spec":{"workPlan":"other","expectedOutput":"o"`+more+`}}`)
	}
	other("")
	s.start()
	defer s.end()
	s.settled()
	book := leases.Open(s.store.Root())
	snapshot, err := s.store.Load(t.Context(), time.Now())
	require.NoError(t, err)
	first, _ := snapshot.Task("first")
	_, err = book.Claim(first, book.Session("ses", nil), false, time.Now().Add(-time.Hour))
	require.NoError(t, err)

	parked := func() bool {
		s.settled()
		snapshot, err := s.store.Load(t.Context(), time.Now())
		require.NoError(t, err)
		return resources.IsTrue(snapshot.Derived(taskKey("first")).(*resources.TaskStatus).Conditions, resources.Parked)
	}
	require.False(t, parked())
	s.file(".idumb/trajectory.json", `{"spec":{"activePlan":"other"}}`)
	require.True(t, parked())
	require.Eventually(t, func() bool { return book.Get(first) == nil }, 10*time.Second, 5*time.Millisecond, "nobody holds it")
	snapshot, _ = s.store.Load(t.Context(), time.Now())
	first, _ = snapshot.Task("first")
	assert.Equal(t, resources.TaskActive, first.Spec.State, "the spec is a person's")
	assert.False(t, status.InFocus(first, snapshot))

	other(`,"state":"completed","result":{"evidence":"o"}`)
	require.False(t, parked(), "that plan is done")
	other("")
	require.True(t, parked())
}
