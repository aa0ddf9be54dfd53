package reconcilers

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// The trace of a call does not make the files be packed again at once; whatever says more does.
func TestWhatIsOfACall(t *testing.T) {
	session, task := resources.Key{Kind: resources.Sessions, Name: "s"}, resources.Key{Kind: resources.Tasks, Name: "t"}
	record, spec := &resources.Session{}, &resources.Task{}
	for _, test := range []struct {
		name string
		is   controller.Change
		want bool
	}{
		{"a checkpoint", controller.Change{Key: resources.Key{Kind: resources.CheckpointsKind, Name: "t"}}, true},
		{"a session's record", controller.Change{Key: session, Old: record, New: record}, true},
		{"a status that says the same phase", controller.Change{Key: task, Old: spec, New: spec, StatusOnly: true}, true},
		{"a new session", controller.Change{Key: session, New: record}, false},
		{"a session that is gone", controller.Change{Key: session, Old: record}, false},
		{"another phase", controller.Change{Key: task, Old: spec, New: spec, StatusOnly: true, OldPhase: "blocked", NewPhase: "planned"}, false},
		{"a spec", controller.Change{Key: task, Old: spec, New: spec}, false},
		{"a listing", controller.Change{}, false},
	} {
		assert.Equal(t, test.want, isCallActivity(test.is), test.name)
	}
}

// The files follow calls as well, a little later, and an edit at once.
func TestFilesFollowCallsNowAndThen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plan("p", `,"state":"active"`)
	s.task("a", `,"state":"active"`)
	s.file(".idumb/sessions/s.json", `{"spec": {"host": "claude", "activeTask": "a", "lastSeenAt": "2100-01-01T00:00:00Z"}}`)
	s.start()
	defer s.end()
	s.settled()
	s.file(".idumb/checkpoints/a.jsonl", `{"time":"2026-11-22T12:00:00Z","session":"s","tool":"write","summary":"marks the spot"}`+"\n")
	s.eventually("the checkpoint in the session's pack", func() bool { return s.contains(".idumb/context/sessions/s.xml", "marks the spot") })
	s.file(".idumb/anchors/now.json", `{"spec": {"content": "an edit", "priority": "critical"}}`)
	require.NoError(t, s.manager.WaitSettled(t.Context()))
	s.eventually("the edit", func() bool { return s.contains(".idumb/context/context.xml", "an edit") })
}

func (s *stage) contains(name, text string) bool {
	data, err := os.ReadFile(s.path(name))
	return err == nil && strings.Contains(string(data), text)
}
