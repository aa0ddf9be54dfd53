package doctor

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func TestFoldersWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	root := layout.Root(t.TempDir())
	for _, dir := range []string{layout.Folder(resources.Tasks), layout.Folder(resources.Mems), layout.RunDir} {
		require.NoError(t, os.MkdirAll(root.Abs(dir), 0o755))
	}
	x := &examination{root: root}
	x.checkWritable()
	assert.Empty(t, x.report.Problems)
	require.NoError(t, os.Chmod(root.Abs(layout.Folder(resources.Tasks)), 0o555))
	require.NoError(t, os.Chmod(root.Abs(layout.RunDir), 0o555))
	x.checkWritable()
	assert.Equal(t, []resources.Problem{{
		File: layout.RunDir, Reason: "no permission to write .idumb/run, .idumb/tasks: changes are not recorded",
		Remedy: "check owner and mode: ls -ld .idumb/run .idumb/tasks",
	}}, x.report.Problems)
	assert.Empty(t, x.report.Notices)
}
