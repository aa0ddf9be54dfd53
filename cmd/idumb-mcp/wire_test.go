package main

import (
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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// TestDefinitionsFitTheirBudget measures what every session pays where nothing is planned: all
// that initialize and tools/list answer and a model is shown, the line of context, and the
// advice at the first write.
func TestDefinitionsFitTheirBudget(t *testing.T) {
	const budget = 1200 // tokens
	c := launch(t, t.TempDir())
	hello := c.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	require.Nil(t, hello.Error)
	list := c.ask("tools/list", map[string]any{})
	require.Nil(t, list.Error)
	text := string(hello.Result) + "\n" + strings.ReplaceAll(string(list.Result), `"_meta":{"anthropic/alwaysLoad":true},`, "")
	text = strings.ReplaceAll(text, `"annotations":{"destructiveHint":false,"idempotentHint":false,"openWorldHint":false,"readOnlyHint":false},`, "") // for the client, as well
	text += string(packer.Build(packer.Input{}).Bytes)
	verdict := admission.Decide(admission.Call{Action: admission.Write, Paths: []admission.Path{{Repo: "a"}}}, bare{graphtest.SnapshotOf()})
	require.NotEmpty(t, verdict.Advice)
	text += verdict.Advice
	t.Logf("%d tokens by the packer's estimate, %d bytes", tokens.Estimate(text), len(text))
	assert.LessOrEqual(t, tokens.Estimate(text), budget*13/10, "of dense JSON the estimate is a third too high")
	assert.LessOrEqual(t, len(text)/4, budget)
}

// bare is a repository without objects and files.
type bare struct{ *graph.Snapshot }

func (bare) HasFile(string) bool    { return false }
func (bare) TrackedFiles() []string { return nil }

func TestToolsAreInSight(t *testing.T) {
	c := start(t, t.TempDir(), "test")
	var answer struct {
		Tools []struct {
			Name, Description string
			InputSchema       map[string]any
			Meta              map[string]any `json:"_meta"`
		}
	}
	require.NoError(t, json.Unmarshal(c.ask("tools/list", map[string]any{}).Result, &answer))
	var names []string
	for _, tool := range answer.Tools {
		names = append(names, tool.Name)
		assert.NotEmpty(t, tool.Description)
		assert.Equal(t, true, tool.Meta["anthropic/alwaysLoad"], tool.Name)
		properties := tool.InputSchema["properties"].(map[string]any)
		assert.NotContains(t, properties, "_idumb")
		if tool.Name != "govern_shell" { // it does one thing
			assert.NotEmpty(t, properties["action"].(map[string]any)["enum"])
		}
	}
	assert.ElementsMatch(t, []string{"govern_plan", "govern_task", "govern_delegate", "govern_shell", "anchor", "mem"}, names)
}

// TestWire sends what a good client never does.
func TestWire(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "test")
	assert.Equal(t, -32601, c.ask("no/such/method", map[string]any{}).Error.Code)
	unknown := c.ask("tools/call", map[string]any{"name": "no_such_tool", "arguments": map[string]any{}})
	assert.NotNil(t, unknown.Error)
	for _, line := range []string{
		"this is not JSON", "{", `{"jsonrpc":"2.0"}`, `[]`, `[{"jsonrpc":"2.0","id":900,"method":"ping"}]`, `"text"`, `17`, `null`, `{"jsonrpc":"1.0","id":901,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":902,"method":7}`, "", "\x00\xff", `{"jsonrpc":"2.0","id":903,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"done"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4711}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","method":"notifications/nobody/knows"}`,
		`{"jsonrpc":"2.0","id":904,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":905,"method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":906,"method":"tools/call","params":{"name":"mem","arguments":"text"}}`,
		`{"jsonrpc":"2.0","id":907,"method":"initialize","params":{}}`,
	} {
		c.send(line)
		m := c.ask("ping", map[string]any{})
		require.Nil(t, m.Error, "after %q", line)
	}
	r := c.must("govern_task", `{"action":"status"}`)
	assert.Equal(t, "success", r.Status)
	assert.Equal(t, 0, c.leave())
	assert.Empty(t, c.junk, "nothing but JSON-RPC on stdout")
	parseErrors := 0
	for _, m := range c.stray {
		if m.Error != nil && m.Error.Code == -32700 {
			parseErrors++
		}
	}
	assert.Equal(t, 3, parseErrors, "each line that is not JSON is answered as such: %v", c.stray)
}

func TestALineThatIsTooLongIsSkipped(t *testing.T) {
	c := start(t, t.TempDir(), "test")
	c.send(`{"jsonrpc":"2.0","id":900,"method":"` + strings.Repeat("x", maxMessage) + `"}`)
	require.Nil(t, c.ask("ping", map[string]any{}).Error)
	assert.Equal(t, 0, c.leave())
}

func TestTheSameIDTwice(t *testing.T) {
	c := start(t, string(repository(t)), "test")
	for range 3 {
		c.send(`{"jsonrpc":"2.0","id":"same","method":"tools/call","params":{"name":"govern_shell","arguments":{"action":"run","command":"sleep 0.2"}}}`)
	}
	require.Nil(t, c.ask("ping", map[string]any{}).Error)
	assert.Equal(t, 0, c.leave())
}

func TestTwentyCallsAtOnce(t *testing.T) {
	c := start(t, string(repository(t)), "test")
	c.must("govern_plan", `{"action":"create","name":"p","title":"x","acceptance":["y"]}`)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			r := c.call("mem", fmt.Sprintf(`{"action":"save","name":"m-%d","content":"mem %d"}`, i, i))
			assert.Equal(t, "success", r.Status, r.text)
		})
	}
	all.Wait()
}

// TestACancelledCallEndsItsCommand: the model does not wait for it any more.
func TestACancelledCallEndsItsCommand(t *testing.T) {
	t.Parallel()
	root := repository(t)
	c := start(t, string(root), "test")
	marker := filepath.Join(t.TempDir(), "alive")
	c.send(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"govern_shell","arguments":{"action":"run","command":"touch ` + marker + `.started; sleep 2; touch ` + marker + `"}}}`)
	require.Eventually(t, func() bool { _, err := os.Stat(marker + ".started"); return err == nil }, 10*time.Second, 10*time.Millisecond)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}`)
	require.Nil(t, c.ask("ping", map[string]any{}).Error)
	time.Sleep(3 * time.Second)
	assert.NoFileExists(t, marker)
}

// TestEndOfInputEndsRunningCommands and leaves with 0, without waiting for them.
func TestEndOfInputEndsRunningCommands(t *testing.T) {
	t.Parallel()
	c := start(t, string(repository(t)), "test")
	held := filepath.Join(t.TempDir(), "held") // whoever reads it waits for the last process that has it open
	require.NoError(t, syscall.Mkfifo(held, 0o600))
	c.send(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"govern_shell","arguments":{"action":"run","command":"sleep 300 3> ` + held + `"}}}`)
	running, err := os.Open(held)
	require.NoError(t, err)
	defer running.Close()
	assert.Equal(t, 0, c.leave())
	_, err = io.ReadAll(running)
	assert.NoError(t, err, "it ended")
}

func TestHandshakeNeedsNoRepository(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	c := start(t, dir, "test")
	r := c.call("govern_task", `{"action":"status"}`)
	assert.Equal(t, "error", r.Status)
	assert.Contains(t, r.UseInstead, "idumb init")

	initialize(t, layout.Root(dir)) // it appears while the server runs
	c.must("govern_task", `{"action":"status"}`)

	require.NoError(t, os.RemoveAll(filepath.Join(dir, ".idumb"))) // and goes again
	assert.Equal(t, "error", c.call("govern_task", `{"action":"status"}`).Status)
	assert.Equal(t, 0, c.leave())
}

// TestBrokenRepositories: whatever stands in the way, the answer has its four parts.
func TestBrokenRepositories(t *testing.T) {
	for name, breakIt := range map[string]func(t *testing.T, root layout.Root){
		"a file in place of the folder": func(t *testing.T, root layout.Root) {
			require.NoError(t, os.RemoveAll(root.Abs(".idumb")))
			require.NoError(t, os.WriteFile(root.Abs(".idumb"), nil, 0o600))
		},
		"a link in place of the folder": func(t *testing.T, root layout.Root) {
			require.NoError(t, os.RemoveAll(root.Abs(".idumb")))
			require.NoError(t, os.Symlink(t.TempDir(), root.Abs(".idumb")))
		},
		"no tasks folder but a file": func(t *testing.T, root layout.Root) {
			require.NoError(t, os.RemoveAll(root.Abs(".idumb/workplans")))
			require.NoError(t, os.WriteFile(root.Abs(".idumb/workplans"), nil, 0o600))
		},
		"a broken plan": func(t *testing.T, root layout.Root) {
			require.NoError(t, os.WriteFile(root.Abs(".idumb/workplans/auth.json"), []byte("{"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := repository(t)
			c := start(t, string(root), "test")
			breakIt(t, root)
			r := c.call("govern_plan", `{"action":"create","name":"auth","title":"x","acceptance":["y"]}`)
			assert.Equal(t, "error", r.Status, r.text)
			r = c.call("govern_plan", `{"action":"abandon","plan":"auth","reason":"y"}`)
			assert.Equal(t, "error", r.Status, r.text)
			assert.Equal(t, 0, c.leave())
		})
	}
}

// TestWhichRepository: the host's word first, then the nearest above; a worktree
// has its own.
func TestWhichRepository(t *testing.T) {
	one, two := repository(t), repository(t)
	below := filepath.Join(string(one), "a", "b")
	require.NoError(t, os.MkdirAll(below, 0o755))
	worktree := layout.Root(filepath.Join(string(one), "trees", "feature"))
	require.NoError(t, os.MkdirAll(string(worktree), 0o755))
	require.NoError(t, os.WriteFile(worktree.Abs(".git"), []byte("gitdir: ../../.git/worktrees/feature\n"), 0o600))
	initialize(t, worktree)
	for _, tc := range []struct {
		name, dir string
		env       string
		want      layout.Root
	}{
		{"the folder itself", string(one), "", one},
		{"a folder below", below, "", one},
		{"a worktree inside", string(worktree), "", worktree},
		{"the host's word", below, "CLAUDE_PROJECT_DIR=" + string(two), two},
		{"a word for nothing", below, "CLAUDE_PROJECT_DIR=" + t.TempDir(), one},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := start(t, tc.dir, "test", tc.env)
			r := c.must("mem", `{"action":"save","content":"x"}`)
			assert.FileExists(t, tc.want.Abs(".idumb/mems/"+r.Name+".json"))
		})
	}
}

// TestEightClientsLoseNothing: each plans and finishes its own tasks, and all take
// one task after the other from the same plan.
func TestEightClientsLoseNothing(t *testing.T) {
	root := repository(t)
	start(t, string(root), "test").must("govern_plan", `{"action":"create","name":"shared","title":"x","acceptance":["y"]}`)
	const clients, rounds = 8, 5
	var all sync.WaitGroup
	for n := range clients {
		c := start(t, string(root), "test")
		all.Go(func() {
			for i := range rounds {
				task := fmt.Sprintf("t-%d-%d", n, i)
				for _, call := range [][2]string{
					{"govern_plan", `{"action":"plan_tasks","plan":"shared","tasks":[{"name":"` + task + `","expectedOutput":"x"},{"name":"` + task + `-b","expectedOutput":"x","dependsOn":["` + task + `"]}]}`},
					{"govern_task", `{"action":"start","task":"` + task + `"}`},
					{"mem", `{"action":"link","name":"hub","to":"tasks/` + task + `"}`},
					{"govern_task", `{"action":"complete","task":"` + task + `","evidence":"seen"}`},
				} {
					if call[0] == "mem" && i == 0 && n == 0 {
						c.call("mem", `{"action":"save","name":"hub","content":"x"}`)
					}
					r := c.call(call[0], call[1])
					if call[0] != "mem" {
						assert.Equal(t, "success", r.Status, "%s: %s", call[1], r.text)
					}
				}
			}
		})
	}
	all.Wait()
	for n := range clients {
		for i := range rounds {
			assert.Equal(t, "completed", taskOf(t, root, fmt.Sprintf("t-%d-%d", n, i)).Spec.State)
			assert.Equal(t, "", taskOf(t, root, fmt.Sprintf("t-%d-%d-b", n, i)).Spec.State)
		}
	}
}

// TestOneHubKeepsAllLinks: eight clients change one object at once.
func TestOneHubKeepsAllLinks(t *testing.T) {
	root := repository(t)
	first := start(t, string(root), "test")
	planned(first)
	first.must("mem", `{"action":"save","name":"hub","content":"x"}`)
	const clients, rounds = 8, 5
	for n := range clients * rounds {
		first.must("mem", fmt.Sprintf(`{"action":"save","name":"leaf-%d","content":"leaf %d"}`, n, n))
	}
	var all sync.WaitGroup
	for n := range clients {
		c := start(t, string(root), "test")
		all.Go(func() {
			for i := range rounds {
				r := c.call("mem", fmt.Sprintf(`{"action":"link","name":"hub","to":"mems/leaf-%d"}`, n*rounds+i))
				assert.Equal(t, "success", r.Status, r.text)
			}
		})
	}
	all.Wait()
	data, err := os.ReadFile(root.Abs(".idumb/mems/hub.json"))
	require.NoError(t, err)
	assert.Equal(t, clients*rounds, strings.Count(string(data), "mems/leaf-"))
}

// TestNothingIsLeftOpen: a server lives as long as its host.
func TestNothingIsLeftOpen(t *testing.T) {
	c := start(t, string(repository(t)), "test")
	open := func() int {
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", c.cmd.Process.Pid))
		if err != nil {
			t.Skip("this system does not tell which files a process has open")
		}
		return len(files)
	}
	planned(c)
	calls := []string{`{"action":"status"}`, `{"action":"start","task":"nothing"}`, `{"action":"start","task":"login-form"}`}
	for _, arguments := range calls {
		c.call("govern_task", arguments)
	}
	before := open()
	for range 50 {
		for _, arguments := range calls {
			c.call("govern_task", arguments)
		}
		c.call("govern_shell", `{"action":"run","command":"true"}`)
	}
	assert.LessOrEqual(t, open(), before+2)
}

func TestFlags(t *testing.T) {
	for _, tc := range []struct {
		args string
		code int
		want string
	}{{"--version", 0, "idumb-mcp "}, {"--help", 0, "Serves iDumb's tools"}, {"--nonsense", 1, "error: flag provided but not defined: -nonsense; see --help\n"}} {
		cmd := exec.Command(binary(), tc.args)
		out, _ := cmd.CombinedOutput()
		assert.True(t, strings.HasPrefix(string(out), tc.want), "%s", out)
		assert.Equal(t, tc.code, cmd.ProcessState.ExitCode())
		if tc.code != 0 {
			assert.Equal(t, tc.want, string(out), "nothing else is printed")
		}
	}
}

// FuzzLine: whatever stands in a line, there is either a message or an answer that
// is JSON-RPC, and never both.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{"", "{", "[]", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"id":{}}`, `{"jsonrpc":"2.0","id":null,"result":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		message, refusal := decode(line, false)
		require.NotEqual(t, message == nil, refusal == nil)
		if refusal != nil {
			var m message2
			require.NoError(t, json.Unmarshal(refusal, &m))
			require.NotZero(t, m.Error.Code)
		}
	})
}

type message2 struct {
	Error struct{ Code int }
}
