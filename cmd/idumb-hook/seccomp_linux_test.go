package main

import (
	"bytes"
	order "encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noSockets is a seccomp filter in the form that bwrap takes: socket(2) ends in EPERM,
// every other call passes (classic BPF: seccomp(2), linux/filter.h).
func noSockets(t *testing.T) *os.File {
	t.Helper()
	const load, equal, give = 0x20, 0x15, 0x06 // BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K
	const refuse, allow = 0x00050000, 0x7fff0000
	var filter bytes.Buffer
	for _, step := range []struct {
		Code   uint16
		JT, JF uint8
		K      uint32
	}{
		{Code: load, K: 0}, // the number of the call
		{Code: equal, JF: 1, K: syscall.SYS_SOCKET},
		{Code: give, K: refuse | uint32(syscall.EPERM)},
		{Code: give, K: allow},
	} {
		require.NoError(t, order.Write(&filter, order.NativeEndian, step))
	}
	name := filepath.Join(t.TempDir(), "filter")
	require.NoError(t, os.WriteFile(name, filter.Bytes(), 0o600))
	f, err := os.Open(name)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// withoutSockets runs a program where no socket can be made, as the sandbox of some
// agents' shells is, with the repository writable.
func (p *project) withoutSockets(stdin string, program ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	require.NoError(p.t, buildCommand())
	run := func(words ...string) (*exec.Cmd, error) {
		filter := noSockets(p.t)
		cmd := exec.Command("bwrap", append([]string{"--dev-bind", "/", "/", "--seccomp", "3", "--chdir", p.root}, words...)...)
		cmd.ExtraFiles = []*os.File{filter}
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(p.root, "home"), "IDUMB_TRUST=" + p.root}
		cmd.Stdin = bytes.NewBufferString(stdin)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		stdout, stderr = out.String(), errs.String()
		return cmd, err
	}
	if _, err := run("true"); err != nil {
		p.t.Skipf("no sandbox can be made here (bwrap: %v, %s)", err, stderr)
	}
	_, _ = run("bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/1")
	require.Contains(p.t, stderr, "Operation not permitted", "the filter holds")
	program[0] = filepath.Join(filepath.Dir(binary), program[0])
	cmd, _ := run(program...)
	return stdout, stderr, cmd.ProcessState.ExitCode()
}

func TestNothingNeedsASocket(t *testing.T) {
	p := starting(t)
	p.session("5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01")
	p.pid() // a controller runs, and cannot be reached from within

	out, errs, code := p.withoutSockets("", "idumb", "get", "tasks")
	assert.Zero(t, code, errs)
	assert.Contains(t, out, "db-schema")
	out, errs, code = p.withoutSockets("", "idumb", "start", "db-schema")
	assert.Zero(t, code, errs)
	assert.Contains(t, out, "task.idumb.dev/db-schema started")
	assert.Contains(t, p.read(".idumb/tasks/db-schema.json"), `"active"`)

	// The gate holds there too: it judges from the files.
	event := `{"session_id": "another", "cwd": "` + p.root + `", "hook_event_name": "PreToolUse", "tool_name": "Bash",
		"tool_input": {"command": "git push --force"}}`
	out, errs, code = p.withoutSockets(event, "idumb-hook", "claude")
	assert.Zero(t, code, errs)
	assert.Contains(t, out, `"permissionDecision":"deny"`)
	assert.NotContains(t, out, "internal")
}
