//go:build linux

package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// served is a server in a repository of its own.
type served struct {
	*Server
	t       *testing.T
	root    layout.Root
	log     *safeBuffer
	stopped chan struct{}
}

// safeBuffer may be written to by several goroutines.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func repository(t *testing.T, in string) layout.Root {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(in, layout.Dir), 0o755))
	return layout.Root(in)
}

func open(t *testing.T) *served { return openIn(t, repository(t, t.TempDir())) }

func openIn(t *testing.T, root layout.Root) *served {
	t.Helper()
	k := &served{t: t, root: root, log: &safeBuffer{}, stopped: make(chan struct{}, 1)}
	k.Server = New(root, Options{
		Version: "v1", Log: slog.New(slog.NewTextHandler(k.log, nil)),
		Status: func() controller.Heartbeat { return controller.Heartbeat{PID: 7, Reconciles: 3} },
		Stop:   func() { k.stopped <- struct{}{} },
	})
	require.NoError(t, k.Open())
	t.Cleanup(func() { assert.NoError(t, k.Close()) })
	return k
}

// answererFunc answers hooks.
type answererFunc func(context.Context, frame.Question, func() bool) (frame.Answer, bool)

func (f answererFunc) AnswerHook(ctx context.Context, q frame.Question, _ func() int, late func() bool) (frame.Answer, bool) {
	return f(ctx, q, late)
}

// echo answers with what it understood.
func echo(_ context.Context, q frame.Question, _ func() bool) (frame.Answer, bool) {
	return frame.Answer{Exit: 2, Stdout: []byte(fmt.Sprintf("%s %s %s %v", q.Host, q.Version, q.Cwd, q.Env)), Stderr: q.Event}, true
}

func (k *served) dial(socket string) *net.UnixConn {
	k.t.Helper()
	conn, _, err := dial(k.t.Context(), k.root, socket)
	require.NoError(k.t, err)
	k.t.Cleanup(func() { conn.Close() })
	return conn
}

// own is what decides in this process.
func own() []string {
	return []string{"HOME=" + os.Getenv("HOME"), "XDG_CONFIG_HOME=" + os.Getenv("XDG_CONFIG_HOME")}
}

// say sends bytes to the hook's socket and returns the answer: "" where a busy machine was too late to read
// all of it, and hung up.
func (k *served) say(text string) string {
	k.t.Helper()
	conn := k.dial(layout.HookSocket)
	_, _ = io.WriteString(conn, text) // who refuses to read on may have hung up
	_ = conn.CloseWrite()
	answer, err := io.ReadAll(conn)
	if errors.Is(err, syscall.ECONNRESET) {
		return ""
	}
	require.NoError(k.t, err)
	return string(answer)
}

func (k *served) ask(q frame.Question) string {
	k.t.Helper()
	head, err := q.AppendHead(nil)
	require.NoError(k.t, err)
	for range 20 {
		answer := strings.TrimPrefix(k.say(string(head)+string(q.Event)), frame.Waiting)
		if answer != "" && answer != "NO too late\n" { // a busy machine may be too late, and says nothing then
			return answer
		}
	}
	return ""
}

func TestHooksAreAnswered(t *testing.T) {
	k := open(t)
	q := frame.Question{Host: "claude", Version: "v2", Cwd: "/a b", Env: own(), Event: []byte("{}")}
	assert.Equal(t, "NO the controller is not ready\n", k.ask(q))
	k.AnswerHooks(answererFunc(echo))
	answer, err := frame.ParseAnswer([]byte(k.ask(q)))
	require.NoError(t, err)
	assert.Equal(t, frame.Answer{Exit: 2, Stdout: []byte(fmt.Sprintf("claude v2 /a b %v", own())), Stderr: []byte("{}")}, answer)

	q.Event = bytes.Repeat([]byte("x"), 3<<20)
	answer, err = frame.ParseAnswer([]byte(k.ask(q)))
	require.NoError(t, err)
	assert.Len(t, answer.Stderr, 3<<20)

	k.AnswerHooks(answererFunc(func(context.Context, frame.Question, func() bool) (frame.Answer, bool) { return frame.Answer{}, false }))
	assert.Equal(t, "NO the controller does not know\n", k.ask(q))
	k.AnswerHooks(nil)
	assert.Equal(t, "NO the controller is not ready\n", k.ask(q))
}

// One hook is answered while all but one of those that may be at a time are not yet.
func TestHooksAreAnsweredBesideOthers(t *testing.T) {
	k := open(t)
	begun, end := make(chan struct{}), make(chan struct{})
	var waiting sync.WaitGroup
	defer waiting.Wait()
	defer close(end)
	k.AnswerHooks(answererFunc(func(ctx context.Context, q frame.Question, late func() bool) (frame.Answer, bool) {
		if string(q.Event) == "wait" {
			select {
			case begun <- struct{}{}:
			case <-end:
			}
			<-end
		}
		return echo(ctx, q, late)
	}))
	head, err := (&frame.Question{Host: "claude", Cwd: "/", Env: own()}).AppendHead(nil)
	require.NoError(t, err)
	for n := 0; n < maxAtOnce-1; {
		waiting.Go(func() { k.say(string(head) + "wait") })
		select {
		case <-begun:
			n++
		case <-time.After(20 * frame.Timeout): // a busy machine was too late, and another one asks
		}
	}
	assert.Contains(t, k.ask(frame.Question{Host: "claude", Cwd: "/", Env: own()}), "OK 2")
}

// Connections that say nothing, or not all, keep no hook waiting; one that says the rest late is answered.
func TestSilentConnectionsKeepNobodyWaiting(t *testing.T) {
	k := open(t)
	k.AnswerHooks(answererFunc(echo))
	head, err := (&frame.Question{Host: "claude", Cwd: "/", Env: own()}).AppendHead(nil)
	require.NoError(t, err)
	for range maxAtOnce {
		k.dial(layout.HookSocket)
		half := k.dial(layout.HookSocket)
		_, err := half.Write(head[:len(head)/2])
		require.NoError(t, err)
	}
	slow := k.dial(layout.HookSocket)
	_, err = slow.Write(head[:10])
	require.NoError(t, err)
	began := time.Now()
	for range 10 {
		assert.Contains(t, k.say(string(head)), "OK 2")
	}
	assert.Less(t, time.Since(began), questionTimeout, "one of them would have waited so long")
	_, err = slow.Write(head[10:])
	require.NoError(t, err)
	require.NoError(t, slow.CloseWrite())
	answer, err := io.ReadAll(slow)
	require.NoError(t, err)
	assert.NotEmpty(t, answer)
}

func TestWhatIsNoQuestionIsRefused(t *testing.T) {
	k := open(t)
	k.AnswerHooks(answererFunc(echo))
	for text, says := range map[string]string{
		"":                                  "NO frame: the question has no end",
		"IDUMB/9 claude v1\ncwd=/\n\n{}":    "NO " + frame.ErrProtocol.Error(),
		"GET / HTTP/1.1\r\n\r\n":            "NO " + frame.ErrProtocol.Error(),
		"IDUMB/1 claude v1\nHOME=/a\n\n{}":  "NO frame: the question names no directory",
		"IDUMB/1 claude v1\ncwd=/\nX=1\n\n": "NO frame: the variable \"X\"",
	} {
		assert.Contains(t, k.say(text), says, text)
	}
}

// TestAnotherPersonsSettings: what a person trusts is kept in their own folder.
func TestAnotherPersonsSettings(t *testing.T) {
	k := open(t)
	k.AnswerHooks(answererFunc(echo))
	for _, env := range [][]string{{"HOME=/elsewhere", "XDG_CONFIG_HOME="}, {"XDG_CONFIG_HOME=/elsewhere"}, nil} {
		q := frame.Question{Host: "claude", Cwd: "/", Env: env}
		if env == nil {
			t.Setenv("XDG_CONFIG_HOME", "/elsewhere")
		}
		assert.Contains(t, k.ask(q), "NO the controller works with the settings of another home")
	}
}

func TestAPanicIsAnswered(t *testing.T) {
	k := open(t)
	k.AnswerHooks(answererFunc(func(context.Context, frame.Question, func() bool) (frame.Answer, bool) { panic("oh dear") }))
	q := frame.Question{Host: "claude", Cwd: "/", Env: own()}
	assert.Equal(t, "NO broke\n", k.ask(q))
	assert.Equal(t, "NO broke\n", k.ask(q))
	assert.Contains(t, k.log.String(), "oh dear")
}

// TestAnAnswerTooLate: who answers learns that nobody waits any more, in both ways.
func TestAnAnswerTooLate(t *testing.T) {
	k := open(t)
	begun, learned := make(chan struct{}), make(chan string)
	k.AnswerHooks(answererFunc(func(ctx context.Context, q frame.Question, late func() bool) (frame.Answer, bool) {
		if late() {
			learned <- "late at once"
			return frame.Answer{}, true
		}
		begun <- struct{}{}
		for end := time.Now().Add(frame.Timeout - 10*time.Millisecond); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if late() {
				learned <- "gone"
				return frame.Answer{}, true
			}
		}
		<-ctx.Done()
		learned <- fmt.Sprint("over ", late())
		return frame.Answer{}, true
	}))
	head, err := (&frame.Question{Host: "claude", Cwd: "/", Env: own()}).AppendHead(nil)
	require.NoError(t, err)

	leaving := k.dial(layout.HookSocket)
	_, err = leaving.Write(head)
	require.NoError(t, err)
	require.NoError(t, leaving.CloseWrite())
	<-begun
	require.NoError(t, leaving.Close())
	assert.Equal(t, "gone", <-learned)

	waiting := k.dial(layout.HookSocket)
	_, err = waiting.Write(head)
	require.NoError(t, err)
	require.NoError(t, waiting.CloseWrite())
	<-begun
	assert.Equal(t, "over true", <-learned)
	answer, err := io.ReadAll(waiting)
	require.NoError(t, err)
	assert.Equal(t, frame.Waiting, string(answer), "an answer that was dropped is not given")
}

func TestALongFolder(t *testing.T) {
	deep := t.TempDir()
	for len(deep) < 400 {
		deep = filepath.Join(deep, strings.Repeat("d", 40))
	}
	k := openIn(t, repository(t, deep))
	k.AnswerHooks(answererFunc(echo))
	assert.Contains(t, k.ask(frame.Question{Host: "claude", Cwd: deep, Env: own()}), deep)
	client, err := Dial(t.Context(), k.root)
	require.NoError(t, err)
	defer client.Close()
	var v Version
	require.NoError(t, client.Ask(t.Context(), http.MethodGet, "/version", &v))
	assert.Equal(t, deep, v.Root)
}

func TestTheSocketsAreTheOwners(t *testing.T) {
	root := repository(t, t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(layout.RunDir), 0o755))
	require.NoError(t, os.WriteFile(root.Abs(layout.HookSocket), []byte("left over"), 0o644))
	k := openIn(t, root)
	for file, mode := range map[string]os.FileMode{layout.RunDir: os.ModeDir | 0o700, layout.HookSocket: os.ModeSocket | 0o600, layout.APISocket: os.ModeSocket | 0o600} {
		info, err := os.Lstat(root.Abs(file))
		require.NoError(t, err)
		assert.Equal(t, mode, info.Mode(), file)
	}
	require.NoError(t, k.Close())
	assert.NoFileExists(t, root.Abs(layout.HookSocket))
	assert.NoFileExists(t, root.Abs(layout.APISocket))
	_, err := Dial(t.Context(), root)
	assert.ErrorIs(t, err, ErrNoController)
	require.NoError(t, k.Open(), "what is closed stays closed")
	assert.NoFileExists(t, root.Abs(layout.HookSocket))
}

// TestAStrangerIsNotHeard: whatever the modes of the files have become.
func TestAStrangerIsNotHeard(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as somebody else")
	}
	top, err := os.MkdirTemp("/tmp", "idumb-serve-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(top) })
	require.NoError(t, os.Chmod(top, 0o755))
	k := openIn(t, repository(t, top))
	k.AnswerHooks(answererFunc(echo))
	require.NoError(t, os.Chmod(k.root.Abs(layout.RunDir), 0o755))
	for _, socket := range []string{layout.HookSocket, layout.APISocket} {
		require.NoError(t, os.Chmod(k.root.Abs(socket), 0o666))
		program := filepath.Join(top, filepath.Base(socket)+".test")
		own, err := os.ReadFile("/proc/self/exe")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(program, own, 0o755))
		cmd := exec.Command(program, "-test.run", "^TestAsAStranger$", "-test.v")
		cmd.Dir = "/"
		cmd.Env = []string{"STRANGER=" + k.root.Abs(socket)}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		assert.Contains(t, string(out), "heard nothing", socket)
	}
	assert.Equal(t, 1, strings.Count(k.log.String(), "another user asked"), "once")
	assert.Contains(t, k.log.String(), "uid=65534")
}

// TestAsAStranger is the other side of TestAStrangerIsNotHeard.
func TestAsAStranger(t *testing.T) {
	socket := os.Getenv("STRANGER")
	if socket == "" {
		t.Skip("it is run by TestAStrangerIsNotHeard")
	}
	conn, err := net.Dial("unix", socket)
	require.NoError(t, err)
	_, _ = io.WriteString(conn, "GET /version HTTP/1.0\r\n\r\n")
	answer, _ := io.ReadAll(conn)
	if len(answer) == 0 {
		fmt.Println("heard nothing")
	}
}

func TestTheSocketsFollowTheRepository(t *testing.T) {
	k := open(t)
	k.AnswerHooks(answererFunc(echo))
	q := frame.Question{Host: "claude", Cwd: "/", Env: own()}
	require.NoError(t, k.Open())
	assert.Contains(t, k.ask(q), "OK", "nothing happened")

	require.NoError(t, os.Remove(k.root.Abs(layout.HookSocket)))
	require.NoError(t, k.Open())
	assert.Contains(t, k.ask(q), "OK")

	require.NoError(t, os.Rename(k.root.Abs(layout.Dir), k.root.Abs("away")))
	repository(t, string(k.root))
	require.NoError(t, k.Open())
	assert.Contains(t, k.ask(q), "OK")
	assert.NoFileExists(t, k.root.Abs("away/run/hook.sock"))

	require.NoError(t, os.RemoveAll(k.root.Abs(layout.Dir)))
	require.Error(t, k.Open())
	repository(t, string(k.root))
	require.NoError(t, k.Open())
	assert.Contains(t, k.ask(q), "OK")
}

// TestWhatIsUnderWayEndsInTime: an answerer that hangs does not keep the controller.
func TestWhatIsUnderWayEndsInTime(t *testing.T) {
	k := open(t)
	begun, end := make(chan struct{}), make(chan struct{})
	defer close(end)
	k.AnswerHooks(answererFunc(func(context.Context, frame.Question, func() bool) (frame.Answer, bool) {
		close(begun)
		<-end
		return frame.Answer{}, false
	}))
	go func() {
		conn, err := net.Dial("unix", socketName(k.sockets.run, "hook.sock"))
		if err == nil {
			head, _ := (&frame.Question{Host: "claude", Cwd: "/", Env: own()}).AppendHead(nil)
			_, _ = conn.Write(head)
			_ = conn.(*net.UnixConn).CloseWrite()
			_, _ = io.ReadAll(conn)
		}
	}()
	<-begun
	started := time.Now()
	require.NoError(t, k.Close())
	assert.Less(t, time.Since(started), closeTimeout+time.Second)
}
