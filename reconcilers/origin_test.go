package reconcilers

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// commentStatus waits for the status of a comment to be as it is to be.
func (s *stage) commentStatus(name string, as func(resources.CommentStatus) bool) resources.CommentStatus {
	s.t.Helper()
	var st resources.CommentStatus
	require.Eventually(s.t, func() bool {
		data, err := os.ReadFile(s.path(layout.StatusPath(commentKey(name))))
		st = resources.CommentStatus{}
		return err == nil && json.Unmarshal(data, &st) == nil && as(st)
	}, 10*time.Second, 10*time.Millisecond, "%s", name)
	return st
}

// A comment that was written by hand is by who committed it; it binds agents only where they are among
// the person's people.
func TestWhoseACommentIs(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	require.NoError(t, os.MkdirAll(filepath.Join(config, "idumb"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(config, "idumb", "config.json"), []byte(`{"people": ["ANN@x.org"], "research": {}}`), 0o600))
	s := repository(t)
	require.NoError(t, os.RemoveAll(s.path(".git")))
	s.git(daysAgo(0), "init", "-q", "-b", "main")
	said := func(name, author string) {
		s.file(".idumb/comments/"+name+".json", `{"spec": {"about": "task/first", "type": "instruction", "body": "`+name+`", "author": "person/lead"}}`)
		s.git(daysAgo(0), "add", "-A")
		s.git(daysAgo(0), "-c", "user.name="+author, "-c", "user.email="+author+"@x.org", "commit", "-q", "-m", name, "--author", author+" <"+author+"@x.org>")
	}
	said("c-1", "ann")
	s.file(".idumb/checkpoints/c-2.jsonl", `{"time":"2026-11-21T12:00:00Z","tool":"comment"}`+"\n") // eve commits it as well
	said("c-2", "eve")
	s.start()
	defer s.end()
	ann := s.commentStatus("c-1", func(st resources.CommentStatus) bool { return st.From != "" })
	assert.Equal(t, "ann <ann@x.org>", ann.From)
	assert.True(t, ann.Binds)
	eve := s.commentStatus("c-2", func(st resources.CommentStatus) bool { return st.From != "" })
	assert.Equal(t, "eve <eve@x.org>", eve.From, "whatever the file says")
	assert.False(t, eve.Binds)

	s.file(".idumb/comments/c-3.json", `{"spec": {"about": "task/first", "body": "c-3"}}`)
	s.commentStatus("c-3", func(st resources.CommentStatus) bool { return st.Phase == resources.CommentOpen && st.From == "" })
	said("c-3", "ann")
	s.commentStatus("c-3", func(st resources.CommentStatus) bool { return st.From == "ann <ann@x.org>" })
}

// What is said, told and settled shows in the status, and in events.
func TestStatusOfComments(t *testing.T) {
	s := repository(t)
	s.file(".idumb/checkpoints/c-1.jsonl", `{"time":"2026-11-21T12:00:00Z","tool":"comment"}`+"\n")
	s.file(".idumb/comments/c-1.json", `{"spec": {"about": "task/first", "type": "question", "hold": true, "body": "How?", "author": "person/lead"}}`)
	s.start()
	defer s.end()
	st := s.commentStatus("c-1", func(st resources.CommentStatus) bool { return st.Phase == resources.CommentOpen })
	assert.True(t, st.Binds)
	require.NoError(t, s.store.AppendCheckpoint(t.Context(), "c-1", resources.Checkpoint{Time: resources.NewTime(time.Now()), Session: "s", Tool: resources.ToolTold, Turn: 3}))
	st = s.commentStatus("c-1", func(st resources.CommentStatus) bool { return st.Phase == resources.CommentTold })
	assert.Equal(t, "s", st.ToldTo[0].Session)
	assert.Equal(t, 3, st.ToldTo[0].Turn)
	answer := `{"spec": {"about": "task/first", "type": "answer", "inReplyTo": "c-1", "body": "So.", "author": "session/s"}}`
	s.file(".idumb/comments/c-2.json", answer)
	s.commentStatus("c-2", func(st resources.CommentStatus) bool { return st.Phase == resources.CommentOpen })
	s.commentStatus("c-1", func(st resources.CommentStatus) bool {
		return st.Phase == resources.CommentTold && len(st.AnsweredBy) == 1
	})
	require.NoError(t, s.store.AppendCheckpoint(t.Context(), "c-2", resources.Checkpoint{Time: resources.NewTime(time.Now()), Session: "s", Tool: resources.ToolMade}))
	st = s.commentStatus("c-1", func(st resources.CommentStatus) bool { return st.Phase == resources.CommentResolved })
	assert.Equal(t, "c-2", st.SettledBy, "an answer from here counts")
}
