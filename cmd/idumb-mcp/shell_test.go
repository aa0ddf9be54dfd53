//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/records"
)

// progressOf are the notifications of progress that have come, as they came.
func (c *client) progressOf(t *testing.T, token string) (texts []string, bytes []float64) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.stray {
		var p struct {
			ProgressToken, Message string
			Progress               float64
		}
		if m.Method != "notifications/progress" {
			continue
		}
		require.NoError(t, json.Unmarshal(m.Params, &p))
		assert.Equal(t, token, p.ProgressToken)
		texts, bytes = append(texts, p.Message), append(bytes, p.Progress)
	}
	return texts, bytes
}

// TestShellStreams: who asks for progress sees what a command writes while it runs.
func TestShellStreams(t *testing.T) {
	t.Parallel()
	root := repository(t)
	c := start(t, string(root), "test")
	planned(c)
	c.must("govern_task", `{"action":"start","task":"db-schema"}`)
	release := filepath.Join(t.TempDir(), "go-on")
	answered := make(chan message, 1)
	go func() {
		answered <- c.ask("tools/call", map[string]any{
			"name":      "govern_shell",
			"arguments": map[string]any{"action": "run", "command": "printf 'one\\n\\033[31mred\\033[0m\\n'; while [ ! -e " + release + " ]; do sleep 0.05; done; i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; echo last"},
			"_meta":     map[string]any{"progressToken": "tok"},
		})
	}()
	require.Eventually(t, func() bool {
		texts, _ := c.progressOf(t, "tok")
		return strings.Contains(strings.Join(texts, "\n"), "one\nred")
	}, 20*time.Second, 20*time.Millisecond, "it comes while the command waits")
	select {
	case <-answered:
		require.Fail(t, "the command has not ended")
	default:
	}
	require.NoError(t, os.WriteFile(release, nil, 0o600))
	r := readReply(t, (<-answered).Result)
	assert.Zero(t, r.ExitCode)
	assert.True(t, strings.HasPrefix(r.Output, "one\nred\nline 0\n"), "the answer holds the beginning")
	assert.True(t, strings.HasSuffix(r.Output, "\nlast"), "and the end")

	texts, bytes := c.progressOf(t, "tok")
	assert.True(t, strings.HasSuffix(texts[len(texts)-1], "last"))
	for i := 1; i < len(bytes); i++ {
		assert.Greater(t, bytes[i], bytes[i-1])
	}
	for _, text := range texts {
		assert.LessOrEqual(t, len(text), 4100)
	}
	time.Sleep(600 * time.Millisecond)
	after, _ := c.progressOf(t, "tok")
	assert.Len(t, after, len(texts), "nothing comes behind the answer")

	c.must("govern_shell", `{"action":"run","command":"echo quiet; sleep 0.6"}`)
	after, _ = c.progressOf(t, "tok")
	assert.Len(t, after, len(texts), "nobody asked")
}

// TestShellRecordsHowItEnded: with the exit code and how long it took, at the timeout as well.
func TestShellRecordsHowItEnded(t *testing.T) {
	t.Parallel()
	root := repository(t)
	c := start(t, string(root), "test")
	planned(c)
	c.must("govern_task", `{"action":"start","task":"db-schema"}`)
	c.must("govern_shell", `{"action":"run","command":"make -n nothing; sleep 0.2; exit 7"}`)
	c.must("govern_shell", `{"action":"run","command":"echo only words"}`)
	require.Equal(t, "error", c.call("govern_shell", `{"action":"run","command":"make -n nothing; sleep 20","timeoutSeconds":1}`).Status)
	found, err := records.Checkpoints(root, "db-schema")
	require.NoError(t, err)
	require.Len(t, found, 3)
	for i, want := range []struct {
		command string
		code    int
		ms      int
	}{{"make -n nothing", 7, 200}, {"echo only words", 0, 1}, {"make -n nothing", -1, 950}} { // the timeout begins shortly before the command
		got := found[i]
		assert.Equal(t, want.command, got.Command)
		require.NotNil(t, got.ExitCode)
		assert.Equal(t, want.code, *got.ExitCode)
		assert.GreaterOrEqual(t, got.DurationMs, want.ms)
		assert.Less(t, got.DurationMs, want.ms+15000)
	}
}

// TestShellEndsGrandchildren: at the timeout the children of children end as well, also
// those that are deaf to being asked.
func TestShellEndsGrandchildren(t *testing.T) {
	t.Parallel()
	root := repository(t)
	c := start(t, string(root), "test")
	planned(c)
	c.must("govern_task", `{"action":"start","task":"db-schema"}`)
	dir := t.TempDir()
	script := filepath.Join(dir, "child.sh")
	require.NoError(t, os.WriteFile(script, []byte("trap '' TERM INT HUP\nsh -c 'trap \"\" TERM INT HUP; echo $$ > "+dir+"/grandchild; while :; do sleep 0.1; done' &\necho $$ > "+dir+"/child\nwait\n"), 0o600))
	r := c.call("govern_shell", `{"action":"run","command":"sh `+script+` & wait","timeoutSeconds":2}`)
	require.Equal(t, "error", r.Status)
	for _, who := range []string{"child", "grandchild"} {
		data, err := os.ReadFile(filepath.Join(dir, who))
		require.NoError(t, err)
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		require.NoError(t, err)
		assert.Eventually(t, func() bool { return gone(pid) }, 5*time.Second, 20*time.Millisecond, "the %s has ended", who)
	}
}

// gone reports whether a process has ended; one that nobody has waited for counts.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}
