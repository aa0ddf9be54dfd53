//go:build unix

package layout

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadSpecDoesNotWaitForAFIFO(t *testing.T) {
	r := repository(t)
	require.NoError(t, syscall.Mkfifo(r.Abs(".idumb/tasks/a.json"), 0o644))
	_, _, err := r.ReadSpec(task("a"))
	wantProblem(t, err, ".idumb/tasks/a.json", "is a FIFO")
}

func TestReadSpecRefusesASocket(t *testing.T) {
	r := Root("/tmp")
	dir, err := os.MkdirTemp("/tmp", "idumb") // a socket's path must be short
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	r = Root(dir)
	require.NoError(t, os.MkdirAll(r.Abs(".idumb/tasks"), 0o755))
	socket, err := net.Listen("unix", r.Abs(".idumb/tasks/a.json"))
	require.NoError(t, err)
	defer socket.Close()
	_, _, err = r.ReadSpec(task("a"))
	wantProblem(t, err, ".idumb/tasks/a.json", "is a socket")
}

func TestControllerAlive(t *testing.T) {
	r := repository(t)
	assert.False(t, r.ControllerAlive(), "no lock file")
	require.NoError(t, os.Mkdir(r.Abs(RunDir), 0o700))
	f, err := os.Create(r.Abs(ControllerLock))
	require.NoError(t, err)
	defer f.Close()
	assert.False(t, r.ControllerAlive(), "nobody holds it")
	require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	assert.True(t, r.ControllerAlive())
	require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_UN))
	assert.False(t, r.ControllerAlive(), "the probe itself holds nothing")
	require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB))
}

func TestModes(t *testing.T) {
	r := repository(t)
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	require.NoError(t, r.Replace(StatusPath(task("a")), []byte("{}")))
	require.NoError(t, r.AppendCheckpoint("a", checkpoint))
	d, err := r.Make(ArchiveDir + "/tasks")
	require.NoError(t, err)
	require.NoError(t, d.Close())
	for path, want := range map[string]os.FileMode{
		StatusPath(task("a")): 0o600, StatusDir: 0o700, StatusDir + "/tasks": 0o700,
		CheckpointPath("a"): 0o600, CheckpointsDir: 0o700, ArchiveDir: 0o755,
	} {
		info, err := os.Stat(r.Abs(path))
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), path)
	}
}

// Root reads everything, so this needs an ordinary user.
func TestReadSpecWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		asOrdinaryUser(t)
		return
	}
	r := repository(t)
	require.NoError(t, os.WriteFile(r.Abs(".idumb/tasks/a.json"), []byte("{}"), 0))
	_, _, err := r.ReadSpec(task("a"))
	wantProblem(t, err, ".idumb/tasks/a.json", "may not be read")
	assert.ErrorContains(t, err, "ls -ld .idumb/tasks/a.json")
}

// asOrdinaryUser runs the test that calls it once more, as nobody.
func asOrdinaryUser(t *testing.T) {
	t.Helper()
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		self, err = os.ReadFile(os.Args[0])
	}
	require.NoError(t, err)
	dir, err := os.MkdirTemp("/tmp", "idumb") // where anybody may go
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	require.NoError(t, os.WriteFile(dir+"/test", self, 0o755))
	cmd := exec.Command(dir+"/test", "-test.run", "^"+t.Name()+"$")
	cmd.Dir, cmd.Env = "/tmp", []string{"TMPDIR=/tmp", "HOME=/tmp"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestFindStaysWithOneOwner: what another user put above a folder does not govern it.
func TestFindStaysWithOneOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give folders away")
	}
	top := t.TempDir()
	inner := filepath.Join(top, "ann/src")
	require.NoError(t, os.MkdirAll(inner, 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(top, Dir), 0o755))
	got, err := Find(inner)
	require.NoError(t, err)
	assert.Equal(t, Root(top), got)

	for _, dir := range []string{inner, filepath.Dir(inner)} {
		require.NoError(t, os.Chown(dir, 12345, -1))
	}
	_, err = Find(inner)
	require.ErrorIs(t, err, ErrNoRoot)
	assert.ErrorContains(t, err, "up to "+filepath.Dir(inner)+";")
	require.NoError(t, os.Mkdir(filepath.Join(top, "ann", Dir), 0o755))
	got, err = Find(inner)
	require.NoError(t, err)
	assert.Equal(t, Root(filepath.Join(top, "ann")), got)
}
