package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/lifecycle"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// buildCommand puts the command beside the hook that is tested.
var buildCommand = sync.OnceValue(func() error {
	return exec.Command("go", "build", "-o", filepath.Join(filepath.Dir(binary), "idumb"), "../idumb").Run()
})

// sandboxed runs a command of idumb's as an agent's shell in a sandbox does: it may read
// everything, reach no socket, and write what is named.
func (p *project) sandboxed(writable []string, args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	require.NoError(p.t, buildCommand())
	run := filepath.Join(p.root, ".idumb/run")
	box := []string{"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-net", "--unshare-pid"}
	if _, err := os.Stat(run); err == nil {
		box = append(box, "--tmpfs", run, "--remount-ro", run)
	}
	for _, name := range writable {
		file := filepath.Join(p.root, name)
		box = append(box, "--bind", file, file)
	}
	if err := exec.Command("bwrap", "--ro-bind", "/", "/", "true").Run(); err != nil {
		p.t.Skipf("no sandbox can be made here (bwrap: %v)", err)
	}
	require.NoError(p.t, exec.Command("bwrap", append(box, "true")...).Run())
	box = append(box, "--chdir", p.root, filepath.Join(filepath.Dir(binary), "idumb"))
	cmd := exec.Command("bwrap", append(box, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(p.root, "home"), "IDUMB_TRUST=" + p.root}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// call has an agent run a command line in its sandbox: the gate is asked, and told of the end.
func (p *project) call(args ...string) (printed string, after answer) {
	p.t.Helper()
	line := map[string]any{"command": "idumb " + strings.Join(args, " ")}
	asked := p.tool("PreToolUse", "Bash", line)
	require.Empty(p.t, asked.decision, asked.reason)
	out, errs, _ := p.sandboxed([]string{".idumb/queue.jsonl"}, args...)
	return out + errs, p.tool("PostToolUse", "Bash", line)
}

func TestASandboxedCommandIsCarriedOutOutside(t *testing.T) {
	p := starting(t)
	p.write(".idumb/queue.jsonl", "")
	p.session("5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01")
	p.pid()

	printed, after := p.call("start", "db-schema")
	assert.Contains(t, printed, "task.idumb.dev/db-schema queued")
	assert.Contains(t, printed, `"start task/db-schema" is queued in .idumb/queue.jsonl`)
	assert.Contains(t, after.context, "iDumb carried out what this call queued, because its shell may not write there: start task/db-schema.")
	assert.Contains(t, p.read(".idumb/tasks/db-schema.json"), `"active"`)
	p.silent(p.wants("src/a.go"))

	p.write(".idumb/queue.jsonl", "")
	printed, after = p.call("start", "login-form")
	assert.Contains(t, printed, "queued")
	assert.Contains(t, after.context, "iDumb refused what this call queued: start task/login-form: ")
	assert.Contains(t, after.context, "db-schema", "why")
	assert.NotContains(t, after.context, "carried out", "that was another call's")
}

// Whatever a verb would have written is carried out outside, in the order in which it was asked for.
func TestEverySandboxedVerbIsCarriedOutOutside(t *testing.T) {
	p := starting(t)
	p.write(".idumb/queue.jsonl", "")
	p.session("5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01")
	p.pid()
	p.write("plan.yaml", `
kind: TaskNode
metadata: {name: second}
spec: {workPlan: user-auth, expectedOutput: x, dependsOn: [first]}
---
kind: TaskNode
metadata: {name: first}
spec: {workPlan: user-auth, expectedOutput: x}
`)
	for _, tc := range []struct {
		args []string
		done string // as the hook says it
		file string
		want string // in the file; "": it is gone
	}{
		{[]string{"apply", "-f", "plan.yaml"}, "apply task/second, task/first", "tasks/second", `"first"`},
		{[]string{"patch", "task", "first", "-p", `{"spec":{"priority":"high"}}`}, "patch task/first", "tasks/first", `"high"`},
		{[]string{"label", "task", "first", "second", "area=web"}, "label task/first", "tasks/first", `"web"`},
		{[]string{"annotate", "task", "first", "why=because"}, "annotate task/first", "tasks/first", `"because"`},
		{[]string{"label", "task", "first", "area=db", "--overwrite"}, "label task/first", "tasks/first", `"db"`},
		{[]string{"create", "anchor", "--content", "kept"}, "create anchor/", "", ""},
		{[]string{"mem", "save", "known", "--content", "tokens are opaque"}, "mem save mem/known", "mems/known", "opaque"},
		{[]string{"archive", "task", "second"}, "archive task/second", "archive/tasks/second", `"web"`},
		{[]string{"delete", "task", "first"}, "delete task/first", "tasks/first", ""},
	} {
		p.write(".idumb/queue.jsonl", "")
		printed, after := p.call(tc.args...)
		assert.Contains(t, printed, " queued\n", tc.args)
		assert.Contains(t, after.context, "iDumb carried out what this call queued, because its shell may not write there: "+tc.done, tc.args)
		file := filepath.Join(p.root, ".idumb", tc.file+".json")
		data, err := os.ReadFile(file)
		switch {
		case tc.want != "" && assert.NoError(t, err, tc.args):
			assert.Contains(t, string(data), tc.want, tc.args)
		case tc.want == "" && tc.file != "":
			assert.ErrorIs(t, err, os.ErrNotExist, tc.args)
		}
	}
	p.write(".idumb/queue.jsonl", "")
	printed, _ := p.call("delete", "task", "nowhere")
	assert.NotContains(t, printed, "queued", "nothing to delete")
	p.write("half.yaml", "kind: Mem\nmetadata: {name: fine}\nspec: {content: x}\n---\nkind: Mem\nmetadata: {name: odd}\nspec: {content: x, type: nonsense}\n")
	p.write(".idumb/queue.jsonl", "")
	printed, _ = p.call("apply", "-f", "half.yaml")
	assert.Contains(t, printed, "mem.idumb.dev/fine queued")
	assert.Contains(t, printed, `error when creating "half.yaml": The Mem "odd" is invalid`)
	p.write(".idumb/queue.jsonl", "")
	printed, after := p.call("patch", "task", "db-schema", "-p", `{"spec":{"dependsOn":["nowhere"]}}`)
	assert.Contains(t, printed, `spec.dependsOn[0]: Not found: "nowhere"`, "what breaks a rule is refused at once")
	assert.NotContains(t, after.context, "db-schema")
}

func TestASandboxedCommandWaitsForAController(t *testing.T) {
	p := starting(t)
	p.write(".idumb/queue.jsonl", "")
	require.NoError(t, lifecycle.Stop(layout.Root(p.root)))
	p.session("5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01")
	_, after := p.call("start", "db-schema")
	assert.Contains(t, after.context, "what this call queued waits in .idumb/queue.jsonl for a controller (`idumb controller start`): start task/db-schema.")
	assert.NotContains(t, p.read(".idumb/tasks/db-schema.json"), `"active"`)
}

func TestReadOnlyCheckout(t *testing.T) {
	p := newProject(t)
	p.write(".idumb/mems/m.json", `{"spec": {"content": "tokens are opaque", "type": "insight"}}`)
	for _, args := range [][]string{{"get", "tasks"}, {"describe", "task", "db-schema"}, {"next"}, {"tree"}, {"context"}, {"events"}} {
		out, errs, code := p.sandboxed(nil, args...)
		assert.Zero(t, code, "%v: %s", args, errs)
		assert.NotEmpty(t, out+errs)
	}
	out, errs, code := p.sandboxed(nil, "mem", "recall", "tokens")
	assert.Zero(t, code)
	assert.Contains(t, out, "tokens are opaque")
	assert.Contains(t, errs, "cannot record the recall")
	for _, args := range [][]string{{"start", "db-schema"}, {"create", "anchor", "--content", "x"}, {"create", "mem", "--content", "x"}} {
		out, errs, code = p.sandboxed(nil, args...)
		assert.Equal(t, 1, code)
		assert.Empty(t, out)
		assert.Contains(t, errs, "read-only")
	}
}
