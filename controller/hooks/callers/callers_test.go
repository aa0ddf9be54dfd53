package callers

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func repository(t *testing.T) layout.Root {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, layout.Dir), 0o700))
	return layout.Root(dir)
}

func TestARecordIsTakenOnce(t *testing.T) {
	root := repository(t)
	want := Caller{Host: "claude", Session: "s-1", Agent: "Explore", Subagent: "a1", Role: "investigator", Time: time.Now().UTC().Truncate(0)}
	for _, id := range []string{"toolu_01", "call with / and \x00 and \n", "..", "TOOLU_01"} {
		require.NoError(t, Record(root, id, want))
	}
	for _, id := range []string{"toolu_01", "call with / and \x00 and \n", "..", "TOOLU_01"} {
		got, found := Take(root, id)
		assert.True(t, found, id)
		assert.Equal(t, want, got)
		_, found = Take(root, id)
		assert.False(t, found, "%q is there a second time", id)
	}
	left, err := os.ReadDir(root.Abs(Dir))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestNoRecord(t *testing.T) {
	root := repository(t)
	for _, id := range []string{"", "unknown"} {
		_, found := Take(root, id)
		assert.False(t, found)
	}
	assert.Error(t, Record(root, "", Caller{}))
	assert.Error(t, Record(layout.Root(t.TempDir()), "x", Caller{}), "there is no .idumb")
}

func TestOldAndBrokenRecordsAreNobody(t *testing.T) {
	root := repository(t)
	require.NoError(t, Record(root, "old", Caller{Host: "claude", Time: time.Now()}))
	_, found := take(root, "old", time.Now().Add(MaxAge+time.Minute))
	assert.False(t, found)

	require.NoError(t, root.Replace(Dir+"/"+fileOf("broken"), []byte("{")))
	_, found = Take(root, "broken")
	assert.False(t, found)
}

func TestSweepRemovesWhatNeverCame(t *testing.T) {
	root := repository(t)
	require.NoError(t, Record(root, "denied", Caller{Time: time.Now()}))
	Sweep(root, time.Now())
	left, err := os.ReadDir(root.Abs(Dir))
	require.NoError(t, err)
	assert.Len(t, left, 1)
	Sweep(root, time.Now().Add(MaxAge+time.Minute))
	left, err = os.ReadDir(root.Abs(Dir))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestOfManyOneIsTold(t *testing.T) {
	root := repository(t)
	require.NoError(t, Record(root, "x", Caller{Host: "claude", Time: time.Now()}))
	var told atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, found := Take(root, "x"); found {
				told.Add(1)
			}
		})
	}
	all.Wait()
	assert.EqualValues(t, 1, told.Load())
}

// FuzzTake: whatever stands in a record, asking is safe.
func FuzzTake(f *testing.F) {
	f.Add("id", []byte(`{"host":"claude"}`))
	f.Add("", []byte("{"))
	f.Fuzz(func(t *testing.T, id string, data []byte) {
		root := repository(t)
		require.NoError(t, root.Replace(Dir+"/"+fileOf(id), data))
		Take(root, id)
		_, again := Take(root, id)
		assert.False(t, again)
	})
}

// A record of a process counts for that process alone: another one may have its number later.
func TestAnAgentsProcess(t *testing.T) {
	root := repository(t)
	process := resources.Process{PID: 7, Started: 100, Namespace: 1}
	require.NoError(t, RecordAgent(root, Agent{Process: process, Session: "s"}))
	d, err := root.Open(agentsDir)
	require.NoError(t, err)
	defer d.Close()
	agent, found := recordedAgent(d, []resources.Process{{PID: 6, Started: 90, Namespace: 1}, process})
	assert.True(t, found)
	assert.Equal(t, "s", agent.Session)
	for name, other := range map[string]resources.Process{"another process": {PID: 8}, "a later one of that number": {PID: 7, Started: 200, Namespace: 1}, "one of another container": {PID: 7, Started: 100, Namespace: 2}} {
		_, found = recordedAgent(d, []resources.Process{other})
		assert.False(t, found, name)
	}
	require.NoError(t, RecordAgent(root, Agent{Process: process, Session: "../s"}))
	_, found = recordedAgent(d, []resources.Process{process})
	assert.False(t, found, "no session has such a name")
}

// A command below the MCP server is an agent's, though no hook has seen the session.
func TestACommandBelowTheToolServer(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("needs sh and /proc")
	}
	root := repository(t)
	for name, want := range map[string]bool{"idumb-mcp": true, "another": false} {
		program := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.Symlink(shell, program))
		c := exec.Command(program, "-c", "sh -c 'echo $$; read x'; true")
		stdin, err := c.StdinPipe()
		require.NoError(t, err)
		stdout, err := c.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		line, err := bufio.NewReader(stdout).ReadString('\n')
		require.NoError(t, err)
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		require.NoError(t, err)
		agent, found := AgentOf(root, pid)
		assert.Equal(t, want, found, name)
		assert.Empty(t, agent.Session)
		stdin.Close()
		require.NoError(t, c.Wait())
	}
}
