package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// nobody is a user that owns nothing: root may write everything, whatever the mode.
const nobody = 65534

// A write that the owner and mode forbid is an error, and is not queued: a controller of the same user could
// not write it either. What a sandbox forbids is queued.
func TestAForbiddenWriteIsNotQueued(t *testing.T) {
	if os.Getuid() == 0 {
		dir, err := os.MkdirTemp("", "forbidden-*")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		require.NoError(t, os.Chmod(dir, 0o777))
		program := filepath.Join(dir, "test")
		data, err := os.ReadFile(os.Args[0])
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(program, data, 0o755))
		c := exec.Command(program, "-test.run=^TestAForbiddenWriteIsNotQueued$", "-test.v")
		c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir)
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody, NoSetGroups: true}}
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Contains(t, string(out), "--- PASS: TestAForbiddenWriteIsNotQueued")
		return
	}
	root := layout.Root(t.TempDir())
	require.NoError(t, os.MkdirAll(root.Abs(".idumb/tasks"), 0o755))
	a, refused := &app{}, &os.PathError{Op: "open", Path: "x", Err: syscall.EACCES}
	args := requests.Args{Names: []string{"task/a"}}
	assert.Empty(t, forbidden(root), "nothing but a sandbox can have refused it")
	require.NoError(t, os.Chmod(root.Abs(".idumb/tasks"), 0o555))
	err := a.queueChange(root, args, refused)
	require.ErrorContains(t, err, "no permission to write .idumb/tasks")
	assert.False(t, errors.Is(err, errQueued))
	assert.Empty(t, requests.Waiting(root))
	require.NoError(t, os.Chmod(root.Abs(".idumb/tasks"), 0o755))
	require.NoError(t, os.Mkdir(root.Abs(".idumb/run"), 0o755))
	require.NoError(t, os.WriteFile(root.Abs(layout.WriteLock), nil, 0o400))
	assert.Equal(t, layout.WriteLock, forbidden(root), "the lock of another user")

	dir := t.TempDir()
	link := filepath.Join(dir, "idumb")
	require.NoError(t, os.Symlink(os.Args[0], link))
	idumb := func(args ...string) (string, error) {
		c := exec.Command(link, args...)
		c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "IDUMB_AUTOSTART=off", "IDUMB_TRUST="+dir)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, args := range [][]string{
		{"init", "--agent", "none"}, {"create", "workplan", "p", "--title", "P", "--accept", "ok", "--state", "active"}, {"create", "task", "a", "--plan", "p", "--expect", "x"},
	} {
		out, err := idumb(args...)
		require.NoError(t, err, out)
	}
	root = layout.Root(dir)
	tasks := root.Abs(".idumb/tasks")
	require.NoError(t, os.Chmod(tasks, 0o500))
	for _, args := range [][]string{
		{"start", "a"}, {"add", "b"}, {"patch", "task", "a", "-p", `{"spec":{"title":"A"}}`}, {"delete", "task", "a"}, {"archive", "workplan", "p"}, {"delete", "workplan", "p", "--cascade=background"},
	} {
		out, err := idumb(args...)
		assert.Error(t, err, "%q: %s", args, out)
		assert.Contains(t, out, "no permission to write .idumb/tasks", "%q", args)
		assert.NotContains(t, out, "queued", "%q", args)
	}
	assert.Empty(t, requests.Waiting(root))
	require.NoError(t, os.Chmod(tasks, 0o755))
	out, err := idumb("get", "workplans,tasks", "-o", "name")
	require.NoError(t, err)
	assert.Equal(t, "workplan.idumb.dev/p\ntask.idumb.dev/a\n", out, "nothing was changed")
}
