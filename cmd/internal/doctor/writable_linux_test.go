package doctor

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func TestFoldersWithoutPermission(t *testing.T) {
	t.Chdir(t.TempDir())
	root := layout.Root(".")
	for _, dir := range []string{layout.Folder(resources.Tasks), layout.Folder(resources.Mems), layout.RunDir} {
		require.NoError(t, os.MkdirAll(root.Abs(dir), 0o755))
	}
	if os.Getuid() == 0 { // root may write everywhere: access(2) asks for the real user of this thread
		const nobody = 65534
		require.NoError(t, filepath.WalkDir(".", func(file string, _ fs.DirEntry, _ error) error { return os.Chown(file, nobody, nobody) }))
		runtime.LockOSThread() // and never unlock it: the thread ends with the test
		_, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, 0, 0)
		require.Zero(t, errno)
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
