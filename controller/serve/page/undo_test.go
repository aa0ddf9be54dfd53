//go:build linux

package page

import (
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// A task on which others wait goes to the archive when it is abandoned: undo takes it out again.
func TestUndoTakesOutOfTheArchive(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	token := s.token()
	schema := resources.Key{Kind: resources.Tasks, Name: "schema"}
	status, text := s.act(token, "abandon", actRequest{Object: "task/schema", Said: acts.Said{Reason: "no"}})
	require.Equal(t, http.StatusOK, status, text)
	assert.Contains(t, text, `"undo":true`)
	require.Eventually(t, func() bool {
		_, err := os.Stat(s.root.Abs(layout.ArchivePath(schema)))
		return err == nil
	}, 10*time.Second, 10*time.Millisecond)
	status, text = s.act(token, "undo", actRequest{})
	require.Equal(t, http.StatusOK, status, text)
	assert.Nil(t, s.spec(schema, "state"))
	assert.Nil(t, s.spec(schema, "reason"))
	assert.NoFileExists(t, s.root.Abs(layout.ArchivePath(schema)))
}

// Somebody may have put another one there: that stays.
func TestUndoLeavesWhatSomebodyElseArchived(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	token := s.token()
	schema := resources.Key{Kind: resources.Tasks, Name: "schema"}
	status, text := s.act(token, "priority", actRequest{Object: "task/schema", Said: acts.Said{Priority: "high"}})
	require.Equal(t, http.StatusOK, status, text)
	archived := s.root.Abs(layout.ArchivePath(schema))
	require.NoError(t, os.MkdirAll(s.root.Abs(layout.ArchiveDir+"/tasks"), 0o755))
	require.NoError(t, os.WriteFile(archived, []byte(`{"spec": {"workPlan": "accounts", "expectedOutput": "y"}}`), 0o644))
	require.NoError(t, os.Remove(s.root.Abs(layout.Path(schema))))
	status, text = s.act(token, "undo", actRequest{})
	assert.Equal(t, http.StatusNotFound, status, text)
	assert.FileExists(t, archived)
}

// What made something new is not undone, and nobody says that it can be.
func TestWhatIsNewIsNotUndone(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	status, text := s.act(s.token(), "intent", actRequest{Object: "workplan/accounts", Said: acts.Said{Intent: "Sign-in first"}})
	require.Equal(t, http.StatusOK, status, text)
	assert.Contains(t, text, `"undo":false`)
}
