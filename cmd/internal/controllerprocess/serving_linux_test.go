package controllerprocess

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// started is a controller in the background that ends with the test.
func started(t *testing.T, root string) lease.Holder {
	t.Helper()
	holder, err := Start(t.Context(), root)
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = Stop(context.Background(), root) })
	return holder
}

// innocent is a process that has nothing to do with it.
func innocent(t *testing.T) *os.Process {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		assert.NoError(t, cmd.Process.Signal(syscall.Signal(0)), "it was killed")
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd.Process
}

// TestANumberInAFileIsNobody: the one who answers is ended, whoever the files name.
func TestANumberInAFileIsNobody(t *testing.T) {
	root := repository(t)
	bystander := innocent(t)
	holder := started(t, root)
	data, err := json.Marshal(lease.Holder{PID: bystander.Pid, Since: holder.Since})
	require.NoError(t, err)
	for _, file := range []string{layout.ControllerLock, layout.ControllerFile} {
		write(t, root, file, string(data))
	}
	s, err := Inspect(t.Context(), root)
	require.NoError(t, err)
	assert.Equal(t, holder.PID, s.Holder.PID)
	assert.Equal(t, map[string]int{"tasks": 2, "workplans": 1}, s.Heartbeat.Objects, "as it is now")
	stopped, err := Stop(t.Context(), root)
	require.NoError(t, err)
	assert.Equal(t, holder.PID, stopped.PID)
	assert.NoFileExists(t, filepath.Join(root, layout.HookSocket))
	assert.NoFileExists(t, filepath.Join(root, layout.APISocket))
}

// TestALockThatNobodyAnswersFor: it is said whose it is, and nobody is killed.
func TestALockThatNobodyAnswersFor(t *testing.T) {
	t.Parallel()
	root := repository(t)
	held, err := lease.Acquire(t.Context(), root, "old")
	require.NoError(t, err)
	defer held.Release()
	_, err = Stop(t.Context(), root)
	require.ErrorIs(t, err, serve.ErrNoController)
	assert.ErrorContains(t, err, "a controller (pid "+strconv.Itoa(os.Getpid())+")")
	s, err := Inspect(t.Context(), root)
	require.NoError(t, err)
	assert.True(t, s.Running)
	assert.Equal(t, os.Getpid(), s.Holder.PID)
	var out bytes.Buffer
	require.NoError(t, s.Print(&out))
	assert.Contains(t, out.String(), "the controller does not answer")
}

func TestAControllerThatHangs(t *testing.T) {
	t.Parallel()
	root := repository(t)
	holder := started(t, root)
	process, err := os.FindProcess(holder.PID)
	require.NoError(t, err)
	require.NoError(t, process.Signal(syscall.SIGSTOP))
	defer process.Signal(syscall.SIGCONT)
	eventually(t, "silence", func() bool {
		s, err := Inspect(t.Context(), root)
		return err == nil && s.Running && s.Silent != nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = Stop(ctx, root)
	require.ErrorContains(t, err, "no data is lost")
	assert.ErrorContains(t, err, "pid "+strconv.Itoa(holder.PID))
	require.NoError(t, process.Signal(syscall.SIGCONT))
	stopped, err := Stop(t.Context(), root)
	require.NoError(t, err)
	assert.Contains(t, []int{holder.PID, 0}, stopped.PID, "unless it ended as it was asked before")
}

// TestAStaleSocket: a controller that was killed leaves its sockets, and the next one takes
// their place.
func TestAStaleSocket(t *testing.T) {
	root := repository(t)
	first := started(t, root)
	process, err := os.FindProcess(first.PID)
	require.NoError(t, err)
	require.NoError(t, process.Kill())
	eventually(t, "its end", func() bool { return !layout.Root(root).ControllerAlive() })
	assert.FileExists(t, filepath.Join(root, layout.APISocket))
	s, err := Inspect(t.Context(), root)
	require.NoError(t, err)
	assert.False(t, s.Running)
	none, err := Stop(t.Context(), root)
	require.NoError(t, err)
	assert.Zero(t, none)
	second := started(t, root)
	s, err = Inspect(t.Context(), root)
	require.NoError(t, err)
	require.NoError(t, s.Silent)
	assert.Equal(t, second.PID, s.Holder.PID)
}

// inNamespace runs this program in a PID namespace of its own, as in a container.
func inNamespace(t *testing.T, root, verb string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", verb)
	cmd.Dir = root
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	return cmd
}

// TestTwoPIDNamespacesOnOneFolder: each side sees that the other one leads, by its name, and
// ends it, and nobody else.
func TestTwoPIDNamespacesOnOneFolder(t *testing.T) {
	if out, err := inNamespace(t, t.TempDir(), "nothing").CombinedOutput(); err != nil {
		t.Skip("no PID namespace can be made here: ", err, string(out))
	}
	root := repository(t)
	inside := inNamespace(t, root, "up")
	require.NoError(t, inside.Start())
	ended := make(chan error, 1)
	go func() { ended <- inside.Wait() }()
	t.Cleanup(func() { _ = inside.Process.Kill() })
	eventually(t, "its answer", func() bool {
		s, err := Inspect(t.Context(), root)
		return err == nil && s.Running && s.Silent == nil
	})
	written, err := lease.ReadHolder(root)
	require.NoError(t, err)
	assert.Equal(t, 1, written.PID, "which is another process here")
	assert.Contains(t, written.Process(), "another PID namespace")
	var out bytes.Buffer
	require.NoError(t, Foreground(t.Context(), Options{Root: root, Output: &out}))
	assert.Contains(t, out.String(), "already running here (pid "+strconv.Itoa(inside.Process.Pid)+",")
	stopped, err := Stop(t.Context(), root)
	require.NoError(t, err)
	assert.Equal(t, inside.Process.Pid, stopped.PID)
	require.NoError(t, <-ended)

	outside := started(t, root)
	said, err := inNamespace(t, root, "stop").CombinedOutput()
	require.NoError(t, err, string(said))
	assert.Equal(t, "stopped: pid "+strconv.Itoa(outside.PID)+" in another PID namespace, as of a container\n", string(said))
	assert.False(t, layout.Root(root).ControllerAlive())
}

// knows answers hooks with how many tasks the cache holds.
type knows struct{ client controller.Client }

func (k knows) AnswerHook(context.Context, frame.Question, func() int, func() bool) (frame.Answer, bool) {
	return frame.Answer{Stdout: []byte(strconv.Itoa(len(k.client.List("tasks"))))}, true
}

// askHook asks as a hook does.
func askHook(t *testing.T, root string) string {
	t.Helper()
	head, err := (&frame.Question{Host: "claude", Cwd: root, Env: frame.RelevantEnv(os.Environ())}).AppendHead(nil)
	require.NoError(t, err)
	run, err := os.Open(filepath.Join(root, layout.RunDir))
	if err != nil {
		return ""
	}
	defer run.Close()
	conn, err := net.Dial("unix", "/proc/self/fd/"+strconv.Itoa(int(run.Fd()))+"/hook.sock")
	if err != nil {
		return ""
	}
	defer conn.Close()
	_, _ = conn.Write(head)
	_ = conn.(*net.UnixConn).CloseWrite()
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

func TestHooksAreAnsweredOnceAllIsListed(t *testing.T) {
	t.Parallel()
	root := repository(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- Run(ctx, Options{Root: root, Hooks: func(m *controller.Manager) serve.HookAnswerer { return knows{m.Client("test")} }})
	}()
	var answers []string
	eventually(t, "the answer", func() bool {
		answers = append(answers, askHook(t, root))
		return strings.HasPrefix(answers[len(answers)-1], "OK")
	})
	for _, before := range answers[:len(answers)-1] {
		assert.Contains(t, []string{"", "NO the controller is not ready\n"}, before)
	}
	assert.Equal(t, "OK 0 1 0\n2", answers[len(answers)-1], "never of less than there is")

	// .idumb is moved away, and another one comes: the sockets stand there as well.
	require.NoError(t, os.Rename(filepath.Join(root, layout.Dir), filepath.Join(root, "away")))
	require.Empty(t, askHook(t, root))
	write(t, root, ".idumb/tasks/only.json", `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`)
	eventually(t, "the answer there", func() bool { return askHook(t, root) == "OK 0 1 0\n3" }) // what was open there goes on to count
	stop()
	require.NoError(t, <-ended)
	assert.NoFileExists(t, filepath.Join(root, layout.HookSocket))
}

func TestTheControllerIsEndedOverItsSocket(t *testing.T) {
	root := repository(t)
	ended := make(chan error)
	go func() { ended <- Run(t.Context(), Options{Root: root}) }()
	var client *serve.Client
	eventually(t, "its socket", func() bool {
		var err error
		client, err = serve.Dial(t.Context(), layout.Root(root))
		return err == nil
	})
	defer client.Close()
	require.NoError(t, client.Ask(t.Context(), http.MethodPost, "/stop", nil))
	require.NoError(t, <-ended)
}
