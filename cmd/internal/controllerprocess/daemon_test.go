package controllerprocess

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// TestMain lets Start start this very program by a link on PATH: called idumb-controller or with
// "up" it is a controller, and with "stop" who ends it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "nothing" {
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "stop" {
		holder, err := Stop(context.Background(), ".")
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("stopped:", holder.Process())
		os.Exit(0)
	}
	if filepath.Base(os.Args[0]) == "idumb-controller" || len(os.Args) > 1 && os.Args[1] == "up" {
		os.Exit(Main(nil, os.Stdout, os.Stderr))
	}
	os.Exit(runAll(m))
}

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "idumb-daemon-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "idumb-controller"))
	}
	if err != nil {
		panic(err)
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

// repository makes one with a plan and two tasks, the second of which waits.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	write(t, root, ".idumb/workplans/p.json", `{"spec": {"title": "P", "acceptance": ["done"], "state": "active"}}`)
	write(t, root, ".idumb/tasks/first.json", `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`)
	write(t, root, ".idumb/tasks/second.json", `{"spec": {"workPlan": "p", "expectedOutput": "x", "dependsOn": ["first"]}}`)
	return root
}

func write(t *testing.T, root, file, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(file))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func status(root, task string) string {
	data, _ := os.ReadFile(filepath.Join(root, filepath.FromSlash(layout.StatusPath(resources.Key{Kind: resources.Tasks, Name: task}))))
	return string(data)
}

// output is a writer that a test may read while it is written to.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	require.Eventually(t, done, 20*time.Second, 5*time.Millisecond, what)
}

func TestRunTellsOfEveryChange(t *testing.T) {
	t.Parallel()
	root := repository(t)
	ctx, stop := context.WithCancel(t.Context())
	var out, log output
	ended := make(chan error)
	go func() { ended <- Run(ctx, Options{Root: root, Output: &out, Err: &log}) }()
	eventually(t, "the first listing", func() bool { return strings.Contains(out.String(), "settled: 2 tasks, 1 workplan") })
	write(t, root, ".idumb/tasks/first.json", `{"spec": {"workPlan": "p", "expectedOutput": "x", "state": "completed", "result": {"evidence": "seen"}}}`)
	eventually(t, "the dependent", func() bool { return strings.Contains(out.String(), "task/second blocked -> planned") })
	write(t, root, ".idumb/tasks/third.json", `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`)
	eventually(t, "a new task", func() bool { return strings.Contains(out.String(), "task/third added") })
	write(t, root, ".idumb/tasks/third.json", `{"spec": {"workPlan": "p", "expectedOutput": "\u001b[2J`)
	eventually(t, "a broken one", func() bool {
		return strings.Contains(out.String(), "task/third warning: InvalidFile: .idumb/tasks/third.json:1:")
	})
	require.NoError(t, os.Remove(filepath.Join(root, ".idumb", "tasks", "third.json")))
	eventually(t, "a removed one", func() bool {
		return strings.Contains(out.String(), "task/third warning: InvalidFile: .idumb/tasks/third.json: its file was removed")
	})
	stop()
	require.NoError(t, <-ended)
	assert.Contains(t, out.String(), "task/first planned -> completed")
	assert.NotContains(t, out.String(), "task/second is blocked", "what holds at the start is summed up")
	assert.Contains(t, out.String(), "controller ended")
	assert.NotContains(t, out.String(), "\x1b")
	assert.Empty(t, log.String())
	assert.FileExists(t, filepath.Join(root, ".idumb", "context", "context.xml"))
}

// A manifest that somebody changes without any session is looked at again: what speaks against a decision is said,
// and taken back when it is gone.
func TestAManifestThatIsEditedByHandIsHeldAgainstDecisions(t *testing.T) {
	t.Parallel()
	root := repository(t)
	write(t, root, "package.json", `{"dependencies": {"dayjs": "1"}}`)
	sum := sha256.Sum256([]byte(`{"dependencies": {"dayjs": "1"}}`))
	write(t, root, layout.StackFile, `{"seen":true,"files":[{"path":"package.json","sha256":"`+hex.EncodeToString(sum[:])+`","uses":[{"name":"dayjs","version":"1","line":1}]}]}`)
	write(t, root, ".idumb/decisions/dates.json", `{"spec": {"title": "Dates are dayjs's", "state": "accepted", "avoids": ["moment"]}}`)
	ctx, stop := context.WithCancel(t.Context())
	var out, log output
	ended := make(chan error)
	go func() { ended <- Run(ctx, Options{Root: root, Output: &out, Err: &log}) }()
	eventually(t, "the first listing", func() bool { return strings.Contains(out.String(), "settled: ") })
	write(t, root, "package.json", `{"dependencies": {"moment": "2"}}`)
	eventually(t, "it is brought in", func() bool { return strings.Contains(out.String(), "package.json:1 has moment@2") })
	write(t, root, "package.json", `{"dependencies": {"dayjs": "2"}}`)
	eventually(t, "it is taken out", func() bool { return strings.Contains(out.String(), "the map no longer contradicts it") })
	stop()
	require.NoError(t, <-ended)
	assert.Empty(t, log.String())
}

// Run has the loops that make objects run, too: a command that was queued is carried out, and
// one that is refused is told of.
func TestRunCarriesOutWhatIsQueued(t *testing.T) {
	root := repository(t)
	write(t, root, ".idumb/queue.jsonl", `{"id": "one", "verb": "start", "args": {"task": "first"}}`+"\n"+`{"id": "two", "verb": "complete", "args": {"task": "second"}}`+"\n")
	ctx, stop := context.WithCancel(t.Context())
	var out output
	ended := make(chan error)
	go func() { ended <- Run(ctx, Options{Root: root, Output: &out}) }()
	eventually(t, "the first is carried out", func() bool { return strings.Contains(status(root, "first"), `"active"`) })
	eventually(t, "the second is refused", func() bool { return strings.Contains(out.String(), "queued command complete two was set aside") })
	stop()
	require.NoError(t, <-ended)
}

// With --poll, and through config for network mounts.
func TestRunPolls(t *testing.T) {
	for _, test := range []struct {
		name   string
		poll   time.Duration
		config string
	}{
		{"by flag", 20 * time.Millisecond, ""},
		{"by config", 0, `{"spec": {"controller": {"poll": "20ms"}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := repository(t)
			if test.config != "" {
				write(t, root, ".idumb/config.json", test.config)
			}
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- Run(ctx, Options{Root: root, Poll: test.poll}) }()
			eventually(t, "the first status", func() bool { return status(root, "second") != "" })
			write(t, root, ".idumb/tasks/second.json", `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`)
			eventually(t, "the change", func() bool { return strings.Contains(status(root, "second"), `"ready": true`) })
			stop()
			require.NoError(t, <-ended)
		})
	}
}

func TestBackground(t *testing.T) {
	root := repository(t)
	_, err := Stop(t.Context(), root)
	require.NoError(t, err, "none was running")
	holder, err := Start(t.Context(), root)
	require.NoError(t, err)
	t.Cleanup(func() { Stop(context.Background(), root) })
	assert.NotEqual(t, os.Getpid(), holder.PID)
	eventually(t, "statuses", func() bool { return status(root, "second") != "" })

	_, err = Start(t.Context(), root)
	var running *lease.RunningError
	require.ErrorAs(t, err, &running)
	assert.Equal(t, holder.PID, running.PID)

	var out bytes.Buffer
	require.NoError(t, Foreground(t.Context(), Options{Root: root, Output: &out}), "a second controller is nothing wrong")
	assert.Contains(t, out.String(), fmt.Sprintf("already running here (pid %d", holder.PID))

	s, err := Inspect(t.Context(), root)
	require.NoError(t, err)
	assert.True(t, s.Running)
	out.Reset()
	require.NoError(t, s.Print(&out))
	assert.Contains(t, out.String(), fmt.Sprintf("pid %d", holder.PID))

	stopped, err := Stop(t.Context(), root)
	require.NoError(t, err)
	assert.Equal(t, holder.PID, stopped.PID)
	s, err = Inspect(t.Context(), root)
	require.NoError(t, err)
	assert.False(t, s.Running)
	assert.True(t, s.Heartbeat.Ended, "it ended cleanly")
	out.Reset()
	require.NoError(t, Logs(t.Context(), root, &out, false))
	assert.Contains(t, out.String(), "controller started")
	assert.Contains(t, out.String(), "controller ended")
	assert.NotContains(t, out.String(), "error:")
}

// running is a repository's controller, which ends with the test at the latest.
func running(t *testing.T, root string) *os.Process {
	t.Helper()
	started, err := Start(t.Context(), root)
	require.NoError(t, err)
	process, err := os.FindProcess(started.PID)
	require.NoError(t, err)
	t.Cleanup(func() { _ = process.Kill() })
	return process
}

// Somebody deletes the whole repository: nobody would ever stop its controller.
func TestTheControllerEndsWithItsRepository(t *testing.T) {
	t.Parallel()
	root := repository(t)
	process := running(t, root)
	require.Eventually(t, func() bool { return os.RemoveAll(root) == nil }, time.Minute, 10*time.Millisecond)
	require.Eventually(t, func() bool { return process.Signal(syscall.Signal(0)) != nil }, time.Minute, 50*time.Millisecond)
}

// The folder goes first, and the repository long after it.
func TestTheControllerEndsWithItsRepositoryThatGoesLater(t *testing.T) {
	t.Parallel()
	root := repository(t)
	process := running(t, root)
	require.Eventually(t, func() bool { return os.RemoveAll(filepath.Join(root, layout.Dir)) == nil }, time.Minute, 10*time.Millisecond)
	time.Sleep(goneTimeout + time.Second) // it was looked at, and is there
	require.NoError(t, process.Signal(syscall.Signal(0)), "it waits for its folder")
	require.NoError(t, os.RemoveAll(root))
	require.Eventually(t, func() bool { return process.Signal(syscall.Signal(0)) != nil }, time.Minute, 50*time.Millisecond)
}

// Another repository comes in the place of one: what was known of the first is not told of it.
func TestTheControllerEndsWhenAnotherRepositoryTakesThePlace(t *testing.T) {
	t.Parallel()
	for name, away := range map[string]func(root string) error{
		"moved":   func(root string) error { return os.Rename(root, root+"-old") },
		"removed": os.RemoveAll,
	} {
		t.Run(name, func(t *testing.T) {
			root := repository(t)
			process := running(t, root)
			eventually(t, "statuses", func() bool { return status(root, "second") != "" })
			require.Eventually(t, func() bool { return away(root) == nil }, time.Minute, 10*time.Millisecond)
			require.NoError(t, os.MkdirAll(filepath.Join(root, layout.Dir, "tasks"), 0o755))
			require.Eventually(t, func() bool { return process.Signal(syscall.Signal(0)) != nil }, time.Minute, 50*time.Millisecond)
			written, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(layout.StatusDir), "tasks", "*"))
			require.NoError(t, err)
			assert.Empty(t, written, "nothing is told of the other's tasks")
			assert.NoDirExists(t, filepath.Join(root, filepath.FromSlash(layout.QuarantineDir)))
		})
	}
}

// A lock file that was removed lets a second controller in, but not before the first one has ended.
func TestOneControllerStaysWhenTheLockIsReplaced(t *testing.T) {
	t.Parallel()
	root := repository(t)
	first, err := Start(t.Context(), root)
	require.NoError(t, err)
	process, err := os.FindProcess(first.PID)
	require.NoError(t, err)
	t.Cleanup(func() { _ = process.Kill() })
	t.Cleanup(func() { Stop(context.Background(), root) })
	eventually(t, "statuses", func() bool { return status(root, "second") != "" })
	require.NoError(t, os.Remove(filepath.Join(root, filepath.FromSlash(layout.ControllerLock))))
	second, err := Start(t.Context(), root)
	require.NoError(t, err)
	require.NotEqual(t, first.PID, second.PID)
	require.Eventually(t, func() bool { return process.Signal(syscall.Signal(0)) != nil }, time.Minute, 50*time.Millisecond, "two of them")
	s, err := Inspect(t.Context(), root)
	require.NoError(t, err)
	assert.Equal(t, second.PID, s.Holder.PID)
	log, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(logFile)))
	require.NoError(t, err)
	assert.Regexp(t, fmt.Sprintf(`(?s)another controller takes over\n.*controller ended\n.*controller started \(pid %d\)`, second.PID), string(log))
}

func TestStartTellsWhyItFailed(t *testing.T) {
	root := repository(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "idumb-controller"), []byte("#!/bin/sh\necho 'error: no room on this machine' >&2; exit 1\n"), 0o755))
	was := os.Getenv("PATH")
	t.Setenv("PATH", dir)
	_, err := Start(t.Context(), root)
	require.ErrorContains(t, err, "no room on this machine")
	t.Setenv("PATH", root) // programs of the repository are not run
	_, err = Start(t.Context(), root)
	require.ErrorContains(t, err, "find idumb-controller: not beside this program and not on PATH")
	t.Setenv("PATH", was)
	_, err = Start(t.Context(), t.TempDir())
	require.Error(t, err)
}

func TestLogsAreFollowed(t *testing.T) {
	root := repository(t)
	require.Error(t, Logs(t.Context(), root, &bytes.Buffer{}, false), "there is none")
	f, err := layout.Root(root).OpenControllerLog()
	require.NoError(t, err)
	defer f.Close()
	ctx, stop := context.WithCancel(t.Context())
	var out output
	ended := make(chan error)
	go func() { ended <- Logs(ctx, root, &out, true) }()
	for _, line := range []string{"one\n", "two\n"} {
		_, err := f.WriteString(line)
		require.NoError(t, err)
		eventually(t, line, func() bool { return strings.HasSuffix(out.String(), line) })
	}
	stop()
	require.NoError(t, <-ended)
}

func TestTheLogIsNoLink(t *testing.T) {
	root := repository(t)
	victim := filepath.Join(t.TempDir(), "victim")
	require.NoError(t, os.WriteFile(victim, nil, 0o600))
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".idumb", "run"), 0o755))
	require.NoError(t, os.Symlink(victim, filepath.Join(root, ".idumb", "run", "controller.log")))
	_, err := layout.Root(root).OpenControllerLog()
	require.Error(t, err)
}

func TestALongLogIsSetAside(t *testing.T) {
	root := repository(t)
	write(t, root, logFile, strings.Repeat("x", layout.MaxControllerLog+1))
	f, err := layout.Root(root).OpenControllerLog()
	require.NoError(t, err)
	require.NoError(t, f.Close())
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(logFile)))
	require.NoError(t, err)
	assert.Zero(t, info.Size())
	assert.FileExists(t, filepath.Join(root, filepath.FromSlash(logFile)+".1"))
}

func TestWriterErrorsAreReported(t *testing.T) {
	l := &lines{writer: failing{}}
	l.printf("x")
	assert.ErrorIs(t, l.err(), errNoRoom)
}

var errNoRoom = errors.New("no room")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errNoRoom }
