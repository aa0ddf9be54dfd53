package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// binary is the built server: these tests run it as a host does. It is built when it
// is first asked for, because fuzzing starts this program many times without.
var binary = sync.OnceValue(func() string {
	file := filepath.Join(builds(), "idumb-mcp")
	if out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("build: %v\n%s", err, out))
	}
	return file
})

// builds is the folder that it stands in.
var builds = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "idumb-mcp-")
	if err != nil {
		panic(err)
	}
	return dir
})

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "main" {
		main() // keeps the program in this binary: cached results must not outlive a change of it
	}
	code := m.Run()
	_ = os.RemoveAll(builds())
	os.Exit(code)
}

// repository makes a repository as idumb init leaves it.
func repository(t *testing.T) layout.Root {
	t.Helper()
	root := layout.Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(".git"), 0o755))
	initialize(t, root)
	return root
}

func initialize(t *testing.T, root layout.Root) {
	t.Helper()
	entries, err := scaffold.Entries(scaffold.CoreRoles)
	require.NoError(t, err)
	_, err = scaffold.Write(root.Abs(layout.Dir), entries, scaffold.Options{})
	require.NoError(t, err)
}

// message is a JSON-RPC message, as far as these tests look at one.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// client is a host that has started the server.
type client struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser

	mu      sync.Mutex
	next    int
	waiting map[string]chan message
	stray   []message // answers to nothing that was asked
	junk    []string  // lines that are no JSON-RPC
	ended   chan struct{}
}

// start starts the server in a folder, as that client, and shakes hands.
func start(t *testing.T, dir, name string, env ...string) *client {
	t.Helper()
	c := launch(t, dir, env...)
	m := c.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": name, "version": "1"}})
	require.Nil(t, m.Error)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func launch(t *testing.T, dir string, env ...string) *client {
	t.Helper()
	c := &client{t: t, cmd: exec.Command(binary()), waiting: map[string]chan message{}, ended: make(chan struct{})}
	c.cmd.Dir = dir
	c.cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=", "IDUMB_ENFORCE=", "IDUMB_TRUST=/")
	c.cmd.Env = append(c.cmd.Env, env...)
	c.cmd.Stderr = os.Stderr
	var err error
	c.stdin, err = c.cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := c.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.cmd.Start())
	go c.read(stdout)
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
	})
	return c
}

func (c *client) read(stdout io.Reader) {
	defer close(c.ended)
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var m message
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.Version != "2.0" {
			c.mu.Lock()
			c.junk = append(c.junk, lines.Text())
			c.mu.Unlock()
			continue
		}
		c.mu.Lock()
		to, asked := c.waiting[string(m.ID)]
		delete(c.waiting, string(m.ID))
		if !asked {
			c.stray = append(c.stray, m)
		}
		c.mu.Unlock()
		if asked {
			to <- m
		}
	}
}

func (c *client) send(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := io.WriteString(c.stdin, line+"\n")
	require.NoError(c.t, err)
}

// ask sends a request and waits for its answer.
func (c *client) ask(method string, params any) message {
	c.t.Helper()
	c.mu.Lock()
	c.next++
	id, answered := c.next, make(chan message, 1)
	c.waiting[fmt.Sprint(id)] = answered
	c.mu.Unlock()
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	require.NoError(c.t, err)
	c.send(string(data))
	select {
	case m := <-answered:
		return m
	case <-c.ended:
		require.FailNow(c.t, "the server is gone")
	case <-time.After(60 * time.Second):
		_ = c.cmd.Process.Signal(syscall.SIGQUIT) // it says what it waits for
		<-c.ended
		require.FailNow(c.t, "no answer to "+method, "%s", data)
	}
	return message{}
}

// reply is what a tool says.
type reply struct {
	Status     string   `json:"status"`
	Name       string   `json:"name"`
	UID        string   `json:"uid"`
	State      string   `json:"state"`
	Phase      string   `json:"phase"`
	What       string   `json:"what"`
	Why        string   `json:"why"`
	UseInstead string   `json:"useInstead"`
	Evidence   any      `json:"evidence"`
	Unblocked  []string `json:"unblocked"`
	Output     string   `json:"output"`
	ExitCode   int      `json:"exitCode"`
	Succeeded  bool     `json:"succeeded"`
	Tag        string   `json:"tag"`
	Tasks      []struct {
		Name, UID, Phase string
		Ready            bool
	} `json:"tasks"`
	text string
}

// call calls a tool; arguments are JSON.
func (c *client) call(tool, arguments string) reply { return c.callAs("", tool, arguments) }

// callAs is call with the host's id of the call, as Claude Code sends it.
func (c *client) callAs(id, tool, arguments string) reply {
	c.t.Helper()
	params := map[string]any{"name": tool, "arguments": json.RawMessage(arguments)}
	if id != "" {
		params["_meta"] = map[string]any{"claudecode/toolUseId": id}
	}
	m := c.ask("tools/call", params)
	require.Nil(c.t, m.Error, "%s %s: %+v", tool, arguments, m.Error)
	return readReply(c.t, m.Result)
}

func readReply(t *testing.T, result json.RawMessage) reply {
	t.Helper()
	var r struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	require.NoError(t, json.Unmarshal(result, &r))
	require.Len(t, r.Content, 1)
	var said reply
	require.NoError(t, json.Unmarshal([]byte(r.Content[0].Text), &said), r.Content[0].Text)
	said.text = r.Content[0].Text
	require.Equal(t, r.IsError, said.Status == "error", said.text)
	if r.IsError {
		for _, part := range []string{said.What, said.Why, said.UseInstead, fmt.Sprint(said.Evidence)} {
			require.NotEmpty(t, part, said.text)
			require.NotEqual(t, "<nil>", part, said.text)
		}
	}
	return said
}

// must is call for what has to work.
func (c *client) must(tool, arguments string) reply {
	c.t.Helper()
	r := c.call(tool, arguments)
	require.Equal(c.t, "success", r.Status, r.text)
	return r
}

// do makes the call that a refusal printed: TOOL {...}.
func (c *client) do(step string) reply {
	c.t.Helper()
	tool, arguments, found := strings.Cut(step, " ")
	require.True(c.t, found && strings.HasPrefix(arguments, "{"), "no call: %s", step)
	return c.call(tool, arguments)
}

// task reads a task's file.
func taskOf(t *testing.T, root layout.Root, name string) *resources.Task {
	t.Helper()
	key := resources.Key{Kind: resources.Tasks, Name: name}
	data, _, err := root.ReadSpec(key)
	require.NoError(t, err)
	o, _, err := resources.Decode(key, data)
	require.NoError(t, err)
	return o.(*resources.Task)
}

// leave ends the input and returns the exit code.
func (c *client) leave() int {
	c.t.Helper()
	require.NoError(c.t, c.stdin.Close())
	select {
	case <-c.ended:
	case <-time.After(10 * time.Second):
		require.FailNow(c.t, "the server does not leave")
	}
	_ = c.cmd.Wait()
	return c.cmd.ProcessState.ExitCode()
}
