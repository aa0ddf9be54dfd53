package objectchecks

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
)

// Statuses that are missing, of another revision, of another phase or no JSON are counted; those that a
// controller would not write anew are not.
func TestOutdatedStatuses(t *testing.T) {
	root := t.TempDir()
	write := func(file, text string) {
		file = filepath.Join(root, ".idumb", file)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	spec := `{"spec": {"title": "T", "acceptance": ["x"], "state": "active"}}`
	status := func(revision, phase string) string {
		return fmt.Sprintf(`{"observedRevision": %q, "phase": %q}`, revision, phase)
	}
	for name, status := range map[string]string{
		"current": status(resources.Revision([]byte(spec)), "active"), "edited": status("0", "active"),
		"moved": status(resources.Revision([]byte(spec)), "draft"), "torn": "{", "missing": "",
	} {
		write("workplans/"+name+".json", spec)
		if status != "" {
			write("status/workplans/"+name+".json", status)
		}
	}
	files, err := filestore.Open(root)
	require.NoError(t, err)
	snapshot, err := files.Load(t.Context(), time.Now())
	require.NoError(t, err)
	found, err := find(queries.FromFiles(files.Root(), snapshot), nil)
	require.NoError(t, err)
	assert.Equal(t, 4, found.(*Findings).Outdated)
}
