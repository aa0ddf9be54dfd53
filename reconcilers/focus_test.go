package reconcilers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/resources"
)

// Whoever edits the read-head's file sets aside what was worked on, as focus does: it is planned again, and nobody holds it.
func TestAnEditOfTheReadHeadSetsTasksAside(t *testing.T) {
	t.Parallel()
	s := repository(t)
	s.task("first", `,"state":"active"`)
	s.file(".idumb/workplans/other.json", `{"spec":{"title":"O","state":"active"}}`)
	s.file(".idumb/tasks/page.json", `{"spec":{"workPlan":"other","expectedOutput":"o"}}`)
	s.start()
	defer s.end()
	s.settled()
	book := leases.Open(s.store.Root())
	snapshot, err := s.store.Load(t.Context(), time.Now())
	require.NoError(t, err)
	first, _ := snapshot.Task("first")
	_, err = book.Claim(first, book.Session("ses", nil), false, time.Now().Add(-time.Hour))
	require.NoError(t, err)

	state := func() string {
		s.settled()
		snapshot, err := s.store.Load(t.Context(), time.Now())
		require.NoError(t, err)
		first, _ := snapshot.Task("first")
		return resources.TaskState(first)
	}
	require.Equal(t, resources.TaskActive, state())
	s.file(".idumb/trajectory.json", `{"spec":{"activePlan":"other"}}`)
	require.Eventually(t, func() bool { return state() == resources.TaskPlanned }, 10*time.Second, 5*time.Millisecond)
	require.Nil(t, book.Get(first), "nobody holds it")
}
