//go:build unix

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
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/lifecycle"
	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// buildController puts a controller beside the hook that is tested.
var buildController = sync.OnceValue(func() error {
	out, err := exec.Command("go", "build", "-o", filepath.Join(filepath.Dir(binary), "idumb-controller"), "../idumb-controller").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

// starting is a project whose sessions may start a controller.
func starting(t *testing.T) *project {
	require.NoError(t, buildController())
	p := newProject(t)
	p.env = []string{"IDUMB_AUTOSTART=on"}
	t.Cleanup(p.stopController)
	return p
}

func (p *project) alive() bool { return layout.Root(p.root).ControllerAlive() }

// pid is the process of the controller that lives.
func (p *project) pid() int {
	p.t.Helper()
	var holder lease.Holder
	require.Eventually(p.t, func() bool {
		var err error
		holder, err = lease.ReadHolder(p.root)
		return err == nil && p.alive() && syscall.Kill(holder.PID, 0) == nil
	}, 10*time.Second, 2*time.Millisecond)
	return holder.PID
}

func (p *project) stopController() {
	if _, err := os.Stat(filepath.Join(p.root, ".idumb/run/controller.log")); err == nil {
		for end := time.Now().Add(2 * time.Second); !p.alive() && time.Now().Before(end); { // it is starting, or has ended
			time.Sleep(5 * time.Millisecond)
		}
	}
	for quiet := time.Now(); time.Since(quiet) < 300*time.Millisecond; time.Sleep(5 * time.Millisecond) { // another one may wait for the lease
		if holder, err := lease.ReadHolder(p.root); err == nil && p.alive() {
			_ = syscall.Kill(holder.PID, syscall.SIGTERM)
			quiet = time.Now()
		}
	}
}

// session starts one and returns the line to the person.
func (p *project) session(id string) (notice string, a answer) {
	a = p.ask("SessionStart", map[string]any{"source": "startup", "session_id": id})
	var out struct{ SystemMessage string }
	if a.stdout != "" {
		require.NoError(p.t, json.Unmarshal([]byte(a.stdout), &out))
	}
	return out.SystemMessage, a
}

func TestASessionStartsAController(t *testing.T) {
	p := starting(t)
	notice, first := p.session("one")
	assert.Contains(t, notice, "controller was started in the background")
	assert.NotContains(t, notice, "\n")
	assert.NotContains(t, first.context, notice, "it is for the user")
	assert.Contains(t, first.context, "<idumb_context>")
	pid := p.pid()

	notice, second := p.session("two")
	assert.Empty(t, notice, "one lives")
	assert.NotContains(t, second.context, "controller was started")
	assert.Equal(t, pid, p.pid())

	require.Eventually(t, func() bool {
		packed, err := os.ReadFile(filepath.Join(p.root, ".idumb/context/sessions/two.xml"))
		return err == nil && string(packed) == p.read(".idumb/run/hook/two.pack")
	}, 10*time.Second, 10*time.Millisecond, "the controller packs what the hook packed")
	assert.Equal(t, p.read(".idumb/run/hook/two.pack"), second.context)

	info, err := os.Stat(filepath.Join(p.root, ".idumb/run/controller.log"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
	assert.Contains(t, p.read(".idumb/run/controller.log"), "controller started")

	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	require.Eventually(t, func() bool { return !p.alive() }, 10*time.Second, time.Millisecond)
	notice, _ = p.session("two")
	assert.NotEmpty(t, notice)
	require.Eventually(t, func() bool { return p.pid() != pid }, 10*time.Second, 2*time.Millisecond, "it holds the lease a moment before it signs it")
}

func TestTheControllerLeavesTheHostAlone(t *testing.T) {
	p := starting(t)
	p.session("one")
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid()))
	if err != nil {
		t.Skip("no /proc here")
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	assert.Equal(t, fmt.Sprint(p.pid()), fields[3], "a session of its own")
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.pid()))
	require.NoError(t, err)
	assert.Contains(t, string(command), "--until-idle\x0030m0s")
}

// A host reads until the last writer has closed: the controller must not be one.
func TestNoPipeStaysOpen(t *testing.T) {
	p := starting(t)
	var readers []*os.File
	var writers []*os.File
	for range 3 {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		readers, writers = append(readers, r), append(writers, w)
	}
	cmd := exec.Command(binary, "claude")
	cmd.Dir = p.root
	cmd.Env = append([]string{"HOME=" + p.root, "CLAUDE_PROJECT_DIR=" + p.root, "IDUMB_TRUST=" + p.root}, p.env...)
	cmd.Stdin = strings.NewReader(`{"hook_event_name":"SessionStart","source":"startup","session_id":"s"}`)
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = writers[0], writers[1], writers[2:]
	require.NoError(t, cmd.Start())
	for _, w := range writers {
		w.Close()
	}
	require.NoError(t, cmd.Wait())
	for _, r := range readers {
		require.NoError(t, r.SetReadDeadline(time.Now().Add(20*time.Second)))
		_, err := io.ReadAll(r)
		require.NoError(t, err, "still open while the controller runs")
		r.Close()
	}
	p.pid()
}

func TestSessionsThatStartAtOnceStartOneController(t *testing.T) {
	p := starting(t)
	var all sync.WaitGroup
	var tried atomic.Int64
	for i := range 6 {
		all.Go(func() {
			if notice, _ := p.session(fmt.Sprint("s", i)); notice != "" {
				tried.Add(1)
			}
		})
	}
	all.Wait()
	require.Positive(t, tried.Load())
	pid := p.pid()
	said := func(what string) int { return strings.Count(p.read(".idumb/run/controller.log"), what) }
	require.Eventually(t, func() bool { // each has come to its end, or to work: none comes when the test is over
		return said("settled") == 1 && said("controller started")+said("already running here") == int(tried.Load())
	}, 30*time.Second, 5*time.Millisecond)
	assert.Equal(t, 1, said("controller started"))
	assert.Equal(t, pid, p.pid())
}

func TestControllersThatNobodyWants(t *testing.T) {
	for name, prepare := range map[string]func(*project){
		"by config": func(p *project) {
			p.write(".idumb/config.json", `{"spec": {"controller": {"autoStart": false}}}`)
			p.env = nil
		},
		"by variable": func(p *project) { p.env = []string{"IDUMB_AUTOSTART=off"} },
		"mode off":    func(p *project) { p.env = append(p.env, "IDUMB_ENFORCE=off") },
	} {
		t.Run(name, func(t *testing.T) {
			p := starting(t)
			p.env = []string{"IDUMB_AUTOSTART=on"}
			prepare(p)
			if p.env == nil {
				p.env = []string{"IDUMB_AUTOSTART="}
			}
			notice, _ := p.session("one")
			assert.Empty(t, notice)
			assert.NoFileExists(t, filepath.Join(p.root, ".idumb/run/controller.log"))
		})
	}
}

// ends waits for the end of the controller.
func (p *project) ends() {
	p.t.Helper()
	require.Eventually(p.t, func() bool { return !p.alive() }, 20*time.Second, 2*time.Millisecond)
}

func TestNobodyStartsAControllerThatAPersonStopped(t *testing.T) {
	p := starting(t)
	require.NoError(t, lifecycle.Stop(layout.Root(p.root)))
	notice, a := p.session("one")
	assert.Contains(t, notice, "the user stopped the controller")
	assert.Contains(t, notice, "`idumb controller start`")
	assert.Contains(t, a.context, notice, "the agent is told as well")
	for event, fields := range map[string]map[string]any{
		"UserPromptSubmit": {"prompt": "go on"}, "SessionStart": {"source": "compact"}, "SubagentStart": {"agent_id": "x", "agent_type": "Explore"},
	} {
		fields["session_id"] = "one"
		assert.NotContains(t, p.ask(event, fields).stdout, "stopped the controller", "once is enough: %s", event)
	}
	l := p.lasting()
	assert.Contains(t, fmt.Sprint(l.ask("session", nil)["toasts"]), "the user stopped the controller")
	assert.Contains(t, l.ask("system", nil)["system"], "the user stopped the controller")
	assert.NoFileExists(t, filepath.Join(p.root, ".idumb/run/controller.log"))
	require.NoError(t, lifecycle.AllowStart(layout.Root(p.root)))
	notice, _ = p.session("one")
	assert.Contains(t, notice, "controller was started")
	p.pid()
}

func TestAControllerThatDoesNotStayIsNotStartedForEver(t *testing.T) {
	t.Parallel()
	p := starting(t)
	for range lifecycle.MaxStarts {
		notice, _ := p.session("one")
		assert.Contains(t, notice, "controller was started")
		require.NoError(t, syscall.Kill(p.pid(), syscall.SIGKILL))
		p.ends()
	}
	for range 2 {
		notice, a := p.session("one")
		assert.Contains(t, notice, "idumb doctor")
		assert.Contains(t, a.context, "<idumb_context>", "the context as it was written last")
	}
	assert.False(t, p.alive())
}

func TestInOneJobTheControllerEndsWithTheLastSession(t *testing.T) {
	t.Parallel()
	p := starting(t)
	p.env = append(p.env, "CI=true")
	for range lifecycle.MaxStarts + 1 {
		require.Eventually(t, func() bool { // the one before may be on its way out still
			notice, _ := p.session("one")
			return strings.Contains(notice, "it ends with the last session")
		}, 10*time.Second, 2*time.Millisecond)
		p.pid()
		require.Eventually(t, func() bool { // it may be listing still: what ended before it came is nothing that it waits for
			_, err := os.Stat(filepath.Join(p.root, ".idumb/status/sessions/one.json"))
			return err == nil
		}, 10*time.Second, 2*time.Millisecond)
		p.ask("SessionEnd", map[string]any{"reason": "exit", "session_id": "one"})
		p.ends()
	}
	assert.Contains(t, p.read(".idumb/run/controller.log"), "the last session ended")
}
