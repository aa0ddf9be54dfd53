package main

import (
	"encoding/json"
	"io"
	"net"
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

	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// serving starts a canned controller and returns its process.
func (p *project) serving() *os.Process {
	p.t.Helper()
	cmd := exec.Command("/proc/self/exe", "serve", p.root)
	cmd.Stderr = os.Stderr
	_, err := cmd.StdinPipe()
	require.NoError(p.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, cmd.Start())
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGCONT)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line := make([]byte, len("ready\n"))
	_, err = io.ReadFull(out, line)
	require.NoError(p.t, err)
	return cmd.Process
}

// asked is the question that the canned controller got. A machine that is short of time may
// keep an answer for longer than a hook waits.
func (p *project) asked(run func() answer) frame.Question {
	p.t.Helper()
	var a answer
	require.Eventually(p.t, func() bool { a = run(); return a.code == 7 }, 10*time.Second, time.Millisecond, "nobody answers")
	assert.Equal(p.t, "canned", a.stderr)
	var q frame.Question
	require.NoError(p.t, json.Unmarshal([]byte(a.stdout), &q))
	return q
}

// writes wants to write a file.
func (p *project) writes() answer { return p.wants("src/a.go") }

// computed checks that the hook judged by itself, and rightly.
func (p *project) computed(a answer) {
	p.t.Helper()
	assert.Zero(p.t, a.code)
	assert.Equal(p.t, "deny", a.decision)
	assert.Contains(p.t, a.reason, `"task":"db-schema"`)
}

// person makes the hook's settings folder the controller's own.
func (p *project) person() {
	p.env = append(p.env, "HOME="+os.Getenv("HOME"), "XDG_CONFIG_HOME="+os.Getenv("XDG_CONFIG_HOME"))
}

// served is a project whose controller answers.
func served(t *testing.T) *project {
	p := newProject(t)
	p.person()
	p.serving()
	return p
}

func TestTheControllerIsAsked(t *testing.T) {
	p := served(t)
	p.env = append(p.env, "IDUMB_ENFORCE=log", "EDITOR=vi")
	q := p.asked(p.writes)
	assert.Equal(t, "claude", q.Host)
	assert.Equal(t, p.root, q.Cwd)
	assert.Equal(t, p.root, frame.Getenv(q.Env, "CLAUDE_PROJECT_DIR"))
	assert.Equal(t, "log", frame.Getenv(q.Env, "IDUMB_ENFORCE"))
	assert.Empty(t, frame.Getenv(q.Env, "EDITOR"))
	var event struct {
		Name string `json:"hook_event_name"`
	}
	require.NoError(t, json.Unmarshal(q.Event, &event))
	assert.Equal(t, "PreToolUse", event.Name)

	long := p.asked(func() answer {
		return p.ask("UserPromptSubmit", map[string]any{"prompt": strings.Repeat("x", 1<<20)})
	})
	assert.Greater(t, len(long.Event), 1<<20)
	assert.True(t, json.Valid(long.Event))
}

func TestTheControllerIsFoundFromBelow(t *testing.T) {
	p := served(t)
	deep := p.root
	for len(deep) < len(p.root)+400 {
		deep = filepath.Join(deep, strings.Repeat("d", 60))
	}
	p.write(strings.TrimPrefix(deep, p.root)+"/.git", "gitdir: elsewhere") // a submodule
	run := func(dir string, env ...string) func() answer {
		return func() answer {
			return p.run(dir, append(env, p.env...), `{"session_id":"s","hook_event_name":"Stop","cwd":"`+p.root+`"}`)
		}
	}
	assert.Equal(t, deep, p.asked(run(deep)).Cwd, "by the working folder")
	assert.Equal(t, "/", p.asked(run("/", "CLAUDE_PROJECT_DIR="+deep)).Cwd, "by the host's word")
	assert.Zero(t, run("/")().code)
	assert.Zero(t, run("/", "CLAUDE_PROJECT_DIR="+deep+"/nothing")().code)
}

func TestALongFolderIsServed(t *testing.T) {
	p := newProject(t)
	root := p.root
	for len(p.root) < 400 {
		p.root = filepath.Join(p.root, strings.Repeat("d", 60))
	}
	require.NoError(t, os.MkdirAll(p.root, 0o755))
	require.NoError(t, os.Rename(filepath.Join(root, ".idumb"), filepath.Join(p.root, ".idumb")))
	p.person()
	p.serving()
	assert.Equal(t, p.root, p.asked(p.writes).Cwd)
}

// run runs the hook in a folder, in an environment of its own.
func (p *project) run(dir string, env []string, input string) answer {
	cmd := exec.Command(binary, "claude")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(input)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	return answer{stdout: stdout.String(), stderr: stderr.String(), code: cmd.ProcessState.ExitCode()}
}

// TestTheWrongControllerIsNotAsked: the nearest .idumb decides, and neither another owner's
// nor another's settings.
func TestTheWrongControllerIsNotAsked(t *testing.T) {
	outer := served(t)
	inner := newProject(t)
	require.NoError(t, os.Rename(inner.root, filepath.Join(outer.root, "inner")))
	inner.root = filepath.Join(outer.root, "inner")
	inner.person()
	inner.computed(inner.wants("src/a.go"))

	outer.env = append(outer.env, "XDG_CONFIG_HOME=/elsewhere")
	outer.computed(outer.wants("src/a.go"))
	outer.env[len(outer.env)-1] = "XDG_CONFIG_HOME=" + os.Getenv("XDG_CONFIG_HOME")
	outer.asked(outer.writes)
	outer.env = append(outer.env, "IDUMB_NOTE=two\nlines")
	outer.computed(outer.wants("src/a.go"))
	outer.env = outer.env[:len(outer.env)-1]

	if os.Geteuid() == 0 {
		given := filepath.Join(outer.root, "given")
		require.NoError(t, os.Mkdir(given, 0o755))
		require.NoError(t, os.Chown(given, 12345, -1))
		a := outer.run(given, outer.env, `{"session_id":"s","hook_event_name":"Stop"}`)
		assert.Zero(t, a.code)
	}
}

func TestAKilledController(t *testing.T) {
	p := newProject(t)
	p.person()
	p.computed(p.wants("src/a.go"))
	server := p.serving()
	p.asked(p.writes)
	require.NoError(t, server.Kill())
	require.Eventually(t, func() bool { return p.wants("src/a.go").code == 0 }, 5*time.Second, 5*time.Millisecond)
	assert.FileExists(t, filepath.Join(p.root, layout.HookSocket), "it is left over")
	p.computed(p.wants("src/b.go"))
	p.serving()
	p.asked(p.writes)
}

// TestAControllerThatHangs: the answer is right within half a second.
func TestAControllerThatHangs(t *testing.T) {
	p := newProject(t)
	p.person()
	server := p.serving()
	require.NoError(t, server.Signal(syscall.SIGSTOP))
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(server.Pid) + "/stat")
		return err == nil && strings.Contains(string(stat), ") T ")
	}, 10*time.Second, time.Millisecond)
	fastest := time.Hour
	for range 5 { // the machine may be busy
		begun := time.Now()
		p.computed(p.wants("src/a.go"))
		fastest = min(fastest, time.Since(begun))
	}
	assert.GreaterOrEqual(t, fastest, frame.Timeout)
	assert.Less(t, fastest, 500*time.Millisecond)
	begun := time.Now()
	long := p.ask("UserPromptSubmit", map[string]any{"prompt": strings.Repeat("x", 4<<20)})
	assert.NotEqual(t, 7, long.code, "it cannot even be sent")
	assert.Less(t, time.Since(begun), 5*time.Second)
	require.NoError(t, server.Signal(syscall.SIGCONT))
	p.asked(p.writes)
}

// TestWhatIsNoAnswer: whatever stands in the controller's place, the hook is right.
func TestWhatIsNoAnswer(t *testing.T) {
	p := newProject(t)
	p.person()
	require.NoError(t, os.MkdirAll(filepath.Join(p.root, layout.RunDir), 0o700))
	listener, err := net.Listen("unix", filepath.Join(p.root, layout.HookSocket))
	require.NoError(t, err)
	defer listener.Close()
	replies := make(chan func(net.Conn), 1)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func(reply func(net.Conn)) { reply(conn); conn.Close() }(<-replies)
		}
	}()
	text := func(parts ...string) func(net.Conn) {
		return func(conn net.Conn) {
			_, _ = io.Copy(io.Discard, conn)
			for i, part := range parts {
				if i > 0 {
					time.Sleep(frame.Timeout * 2 / 3)
				}
				_, _ = io.WriteString(conn, part)
			}
		}
	}
	for name, reply := range map[string]func(net.Conn){
		"another protocol":     text("IDUMB/2 what?\n"),
		"HTTP":                 text("HTTP/1.1 400 Bad Request\r\n\r\n"),
		"no":                   text("NO broke\n"),
		"nothing":              text(""),
		"half of it":           text("OK 7 20 0\n{}"),
		"half of its head":     text("OK 7"),
		"more than it says":    text("OK 7 1 0\n{}"),
		"too late":             text("", "", "OK 7 2 0\n{}"),
		"drop by drop":         text("OK", " 7", " 2 0\n", "{}"),
		"no word, hangs up":    func(net.Conn) {},
		"answers unasked":      func(conn net.Conn) { _, _ = io.WriteString(conn, "NO\n") },
		"an absurd length":     text("OK 7 999999999999 0\n"),
		"a status that is not": text("OK 700 0 0\n"),
	} {
		t.Run(name, func(t *testing.T) {
			replies <- reply
			got := p.wants("src/a.go")
			assert.Equal(t, "deny", got.decision)
			assert.Zero(t, got.code)
		})
	}
	require.Eventually(t, func() bool {
		replies <- text("OK 7 2 0\n{}")
		return p.writes().code == 7
	}, 10*time.Second, time.Millisecond, "and this is one")
}

// TestAStrangersSocket: anybody may leave one where others work.
func TestAStrangersSocket(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as somebody else")
	}
	p := newProject(t)
	p.person()
	run := filepath.Join(p.root, layout.RunDir)
	require.NoError(t, os.MkdirAll(run, 0o700))
	socket, err := net.Listen("unix", filepath.Join(p.root, layout.HookSocket))
	require.NoError(t, err)
	defer socket.Close()
	go func() { // a good answer, whoever gives it
		for {
			conn, err := socket.Accept()
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, conn)
			_, _ = io.WriteString(conn, "OK 7 0 0\n")
			conn.Close()
		}
	}()
	require.Eventually(t, func() bool { return p.writes().code == 7 }, 10*time.Second, time.Millisecond)

	// The same socket seen by another user, whom its files do not stop.
	for _, dir := range []string{filepath.Dir(p.root), p.root, run} {
		require.NoError(t, os.Chmod(dir, 0o755))
	}
	require.NoError(t, os.Chmod(filepath.Join(p.root, layout.HookSocket), 0o777))
	program := filepath.Join(p.root, "idumb-hook")
	data, err := os.ReadFile(binary)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(program, data, 0o755))
	cmd := exec.Command(program, "claude")
	cmd.Dir = p.root
	cmd.Env = []string{"HOME=" + os.Getenv("HOME"), "CLAUDE_PROJECT_DIR=" + p.root, "IDUMB_AUTOSTART=off"}
	cmd.Stdin = strings.NewReader(`{"session_id":"s","hook_event_name":"Stop","cwd":"` + p.root + `"}`)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	_ = cmd.Run()
	assert.NotEqual(t, 7, cmd.ProcessState.ExitCode())
}

// TestAHostThatIsSlow: the event is read to its end before anybody is asked.
func TestAHostThatIsSlow(t *testing.T) {
	p := served(t)
	cmd := exec.Command(binary, "claude")
	cmd.Dir = p.root
	cmd.Env = append([]string{"CLAUDE_PROJECT_DIR=" + p.root, "IDUMB_AUTOSTART=off"}, p.env...)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	var out strings.Builder
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	event := `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Write","tool_use_id":"t","tool_input":{"file_path":"` + p.root + `/a","content":"x"}}`
	_, err = io.WriteString(in, event[:40])
	require.NoError(t, err)
	time.Sleep(1200 * time.Millisecond)
	_, err = io.WriteString(in, event[40:])
	require.NoError(t, err)
	require.NoError(t, in.Close())
	_ = cmd.Wait()
	assert.Equal(t, 7, cmd.ProcessState.ExitCode(), "the controller's answer to the whole event")
	assert.Contains(t, out.String(), `"Event"`)
}

// In a linked working tree without a .idumb the main one's controller is asked, and judges what is
// written there by its place in that tree.
func TestALinkedWorkingTreeAsksTheMainOnesController(t *testing.T) {
	p := newProject(t)
	git := func(args ...string) {
		out, err := exec.Command("git", append([]string{"-C", p.root, "-c", "user.name=a", "-c", "user.email=a@localhost"}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(p.root, ".git")))
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "first")
	tree := filepath.Join(t.TempDir(), "tree")
	git("worktree", "add", "-q", tree)
	p.serving()
	run := func() answer {
		cmd := exec.Command(binary, "claude")
		require.NoError(t, os.MkdirAll(filepath.Join(tree, "src"), 0o755))
		cmd.Dir = filepath.Join(tree, "src")
		cmd.Env = []string{"HOME=" + os.Getenv("HOME"), "IDUMB_AUTOSTART=off"}
		cmd.Stdin = strings.NewReader(`{"hook_event_name":"PreToolUse"}`)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, _ := cmd.Output()
		return answer{stdout: string(out), stderr: stderr.String(), code: cmd.ProcessState.ExitCode()}
	}
	assert.Equal(t, filepath.Join(tree, "src"), p.asked(run).Cwd)
}

// TestAnAnswerThatTakesLonger: the controller announces it, and the hook waits, but not for ever.
func TestAnAnswerThatTakesLonger(t *testing.T) {
	p := served(t)
	p.asked(func() answer { return p.wants("src/takes-long.go") })
	begun := time.Now()
	p.computed(p.wants("src/takes-for-ever.go"))
	assert.GreaterOrEqual(t, time.Since(begun), frame.WorkTimeout)
}
