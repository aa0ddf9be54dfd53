package controllerprocess

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func TestDenialsAreToldOnce(t *testing.T) {
	root := layout.Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o700))
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	deny := func(at time.Time, call string) {
		require.NoError(t, root.AppendEvent(resources.Event{Time: resources.NewTime(at), Type: resources.Warning, Reason: resources.ReasonDenied, Object: "session/s", Message: "m", From: "hook/claude",
			Violation: &resources.Violation{Rule: "write-gate", Call: call}}))
	}
	_, err := root.Make(layout.EventsDir)
	require.NoError(t, err)
	deny(now, "before it began")
	var out strings.Builder
	d := newDenials(root, &lines{writer: &out}, now)
	d.tell(now)
	assert.Empty(t, out.String())
	deny(now, "write a\x1b[31m.go")
	require.NoError(t, root.AppendEvent(resources.Event{Time: resources.NewTime(now), Type: resources.Normal, Reason: "Made", Object: "task/a", Message: "m"}))
	d.tell(now)
	d.tell(now)
	assert.Equal(t, 1, strings.Count(out.String(), "\n"))
	assert.Contains(t, out.String(), `denied by hook/claude: write-gate: write a\x1b[31m.go`)
	for _, reason := range []string{resources.ReasonPassed, resources.ReasonGranted} { // the latter is a person's act and no verdict
		require.NoError(t, root.AppendEvent(resources.Event{Time: resources.NewTime(now), Type: resources.Normal, Reason: reason, Object: "session/s", Message: "m", From: "hook/claude",
			Violation: &resources.Violation{Rule: "write-gate", Call: "write b.go"}}))
	}
	d.tell(now)
	assert.Contains(t, out.String(), "passed later by hook/claude: write-gate: write b.go\n")
	assert.Equal(t, 2, strings.Count(out.String(), "\n"))
	tomorrow := now.AddDate(0, 0, 1)
	deny(tomorrow, "the next day")
	d.tell(tomorrow)
	assert.Contains(t, out.String(), "the next day")
}
