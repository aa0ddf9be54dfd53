package records

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// logStage is a repository with logs of events.
type logStage struct {
	t    *testing.T
	root layout.Root
}

func newLogStage(t *testing.T) logStage {
	s := logStage{t, layout.Root(t.TempDir())}
	require.NoError(t, os.MkdirAll(s.root.Abs(layout.EventsDir), 0o700))
	return s
}

func (s logStage) write(day string, lines ...string) {
	s.t.Helper()
	f, err := os.OpenFile(filepath.Join(s.root.Abs(layout.EventsDir), day+".jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(s.t, err)
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	require.NoError(s.t, err)
	require.NoError(s.t, f.Close())
}

func line(second int, object, message string) string {
	data, _ := json.Marshal(resources.Event{Time: resources.NewTime(time.Unix(int64(second), 0)), Type: "Normal", Reason: "Made", Object: object, Message: message})
	return string(data)
}

func messages(events []resources.Event) (found []string) {
	for _, e := range events {
		found = append(found, e.Message)
	}
	return found
}

func TestEventsOfSomeObjectsAreThoseOfAllThatAreAboutThem(t *testing.T) {
	s := newLogStage(t)
	objects := []string{"task/a", "task/a-b", "workplan/a", "anchor/c.d", "config/config"}
	var lines []string
	for i := range 60 {
		lines = append(lines, line(i, objects[i%len(objects)], fmt.Sprintf("%d: also of task/a and c.d", i)))
	}
	s.write("2026-01-01", lines[:30]...)
	s.write("2026-01-02", lines[30:]...)
	s.write("2026-01-03", `{"time":"2026-01-03T00:00:00Z","type":"Normal","reason":"Made","object":"t\u0061sk\/\u0061","message":"spelled otherwise"}`, "", "{torn", `{"object":"task/a"}`)
	all, err := Events(s.root)
	require.NoError(t, err)
	require.Len(t, all, 61)
	for _, wanted := range [][]string{{"task/a"}, {"anchor/c.d"}, {"task/a-b", "config/config"}, {"task/none"}, objects} {
		var want []resources.Event
		for _, e := range all {
			for _, object := range wanted {
				if e.Object == object {
					want = append(want, e)
				}
			}
		}
		got, err := Events(s.root, wanted...)
		require.NoError(t, err)
		assert.Equal(t, messages(want), messages(got), wanted)
	}
}

func TestAnEventLogReadsWhatIsNew(t *testing.T) {
	s := newLogStage(t)
	log := &EventLog{Root: s.root}
	read := func() []string {
		events, err := log.Events()
		require.NoError(t, err)
		return messages(events)
	}
	assert.Empty(t, read())
	s.write("2026-01-01", line(1, "task/a", "one"))
	assert.Equal(t, []string{"one"}, read())
	assert.Equal(t, []string{"one"}, read(), "as it was")
	s.write("2026-01-01", line(2, "task/a", "two"))
	s.write("2026-01-02", line(3, "task/a", "three"))
	assert.Equal(t, []string{"one", "two", "three"}, read())
	require.NoError(t, os.Remove(filepath.Join(s.root.Abs(layout.EventsDir), "2026-01-01.jsonl")))
	assert.Equal(t, []string{"three"}, read(), "a day that was removed")
	require.NoError(t, os.RemoveAll(s.root.Abs(layout.EventsDir)))
	assert.Empty(t, read())
}
