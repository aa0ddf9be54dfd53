package hooks

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission"
)

// What opens the Kubernetes API is not read by tools, however its path is spelt; all else is.
func TestToolsDoNotReadTheToken(t *testing.T) {
	house := newHouse(t)
	house.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	require.NoError(t, os.MkdirAll(house.root.Abs(layout.KubeDir), 0o700))
	require.NoError(t, os.WriteFile(house.root.Abs(layout.KubeDir+"/access.json"), []byte("{}"), 0o600))
	for file, denied := range map[string]bool{
		house.root.Abs(layout.KubeDir + "/access.json"): true, ".idumb/tasks/../run/api/access.json": true, ".idumb/tasks/a.json": false, "README.md": false,
	} {
		e := hosts.Event{Type: hosts.BeforeTool, Host: "claude", Session: "s", Cwd: string(house.root), Tool: "Read", Action: admission.Read, Paths: []string{file}}
		h := &handler{repo: openPacking(house.root, nil, house.now), event: e, limit: 10000}
		assert.Equal(t, denied, h.handle().Deny != "", file)
	}
}
