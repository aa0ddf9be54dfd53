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
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lasting is one process that answers OpenCode's plugin.
type lasting struct {
	t       *testing.T
	p       *project
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan map[string]any
	ids     int
}

func (p *project) lasting() *lasting { return p.lastingAs(binary) }

func (p *project) lastingAs(program string) *lasting {
	l := &lasting{t: p.t, p: p, cmd: exec.Command(program, "opencode", "--stdio"), answers: make(chan map[string]any, 100)}
	l.cmd.Dir = p.root
	l.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(p.root, "home"), "IDUMB_AUTOSTART=0", "IDUMB_TRUST=" + p.root, "CLAUDE_PROJECT_DIR=/"}, p.env...)
	in, err := l.cmd.StdinPipe()
	require.NoError(p.t, err)
	l.in = in
	out, err := l.cmd.StdoutPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, l.cmd.Start())
	go func() {
		defer close(l.answers)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var answer map[string]any
			if json.Unmarshal(lines.Bytes(), &answer) != nil {
				answer = map[string]any{"raw": lines.Text()}
			}
			l.answers <- answer
		}
	}()
	p.t.Cleanup(func() { _ = in.Close(); _ = l.cmd.Process.Kill(); _ = l.cmd.Wait() })
	return l
}

func (l *lasting) next() map[string]any {
	l.t.Helper()
	select {
	case answer := <-l.answers:
		return answer
	case <-time.After(20 * time.Second):
		require.Fail(l.t, "there is no answer")
		return nil
	}
}

// ask sends a line of the session ses_1, and returns the answer to it.
func (l *lasting) ask(hook string, fields map[string]any) map[string]any {
	l.t.Helper()
	l.ids++
	line := map[string]any{"id": l.ids, "hook": hook, "session": "ses_1", "parent": "", "agent": "build", "directory": l.p.root}
	for name, value := range fields {
		line[name] = value
	}
	text, err := json.Marshal(line)
	require.NoError(l.t, err)
	_, err = l.in.Write(append(text, '\n'))
	require.NoError(l.t, err)
	answer := l.next()
	require.InDelta(l.t, l.ids, answer["id"], 0, "%v", answer)
	return answer
}

// wants asks the gate about a call.
func (l *lasting) wants(tool string, args map[string]any, more ...string) map[string]any {
	l.t.Helper()
	fields := map[string]any{"tool": tool, "args": args, "call": "ses_1/call_1"}
	for i := 0; i+1 < len(more); i += 2 {
		fields[more[i]] = more[i+1]
	}
	return l.ask("tool.before", fields)
}

func TestOpenCodeSession(t *testing.T) {
	p := starting(t)
	l := p.lasting()
	assert.Equal(t, "enforce", l.ask("hello", nil)["mode"])
	l.ask("session", nil)
	assert.Equal(t, false, l.ask("message", map[string]any{"text": "hi"})["reads"])
	base := l.ask("system", nil)["system"]
	assert.Contains(t, base, "Plan user-auth [active]")
	assert.Nil(t, l.ask("tail", nil)["tail"], "nothing has changed")

	denied := l.wants("write", map[string]any{"filePath": "src/a.go", "content": "x"})
	assert.Contains(t, denied["deny"], "USE INSTEAD: Call `idumb_govern_task {\"action\":\"start\",\"task\":\"db-schema\"}`")
	assert.NotEmpty(t, denied["toasts"])
	assert.Contains(t, l.wants("apply_patch", map[string]any{"patchText": "*** Begin Patch\n*** Add File: src/a.go\n+x\n*** End Patch"})["deny"], "GOVERNANCE BLOCK")

	p.start("db-schema")
	l.ask("tool.after", map[string]any{"tool": "idumb_govern_task", "args": map[string]any{"action": "start", "task": "db-schema"}, "call": "ses_1/call_2"})
	assert.Nil(t, l.wants("write", map[string]any{"filePath": "src/a.go", "content": "x"})["deny"])
	l.ask("tool.after", map[string]any{"tool": "write", "args": map[string]any{"filePath": "src/a.go"}, "call": "ses_1/call_3"})
	l.ask("tool.after", map[string]any{"tool": "bash", "args": map[string]any{"command": "make test"}, "exit": 2, "call": "ses_1/call_4"})
	tail := l.ask("tail", nil)["tail"]
	assert.Contains(t, tail, "Database schema [active]")
	assert.Equal(t, tail, l.ask("tail", nil)["tail"], "the same again")
	log := p.read(".idumb/checkpoints/db-schema.jsonl")
	assert.Contains(t, log, `"filesModified":["src/a.go"]`)
	assert.Contains(t, log, `"command":"make test","succeeded":false`)

	again := l.ask("system", nil)["system"]
	assert.NotEqual(t, base, again)
	assert.Nil(t, l.ask("tail", nil)["tail"], "the new base says it")
	name, _ := l.ask("seen", nil)["name"].(string)
	assert.Contains(t, p.read(".idumb/sessions/"+name+".json"), `"activeTask": "db-schema"`)
}

func TestOpenCodeSubagent(t *testing.T) {
	p := starting(t)
	l := p.lasting()
	l.ask("message", nil)
	p.start("db-schema")
	l.ask("tool.after", map[string]any{"tool": "idumb_govern_task", "args": map[string]any{"action": "start", "task": "db-schema"}})
	child := map[string]any{"session": "ses_2", "parent": "ses_1", "agent": "general", "text": "do it"}
	name, _ := l.ask("message", child)["name"].(string)
	record := p.read(".idumb/sessions/" + name + ".json")
	assert.Contains(t, record, `"activeTask": "db-schema"`)
	assert.Contains(t, record, `"agent": "general"`)
	assert.Contains(t, record, `"parent": "ses-1-`)
	assert.Contains(t, l.ask("system", child)["system"], "db-schema")
	l.ask("idle", child)
	assert.Contains(t, p.read(".idumb/sessions/"+name+".json"), `"endedAt"`)
}

func TestOpenCodeCompaction(t *testing.T) {
	p := newProject(t)
	p.write(".idumb/config.json", `{"spec": {"language": {"communication": "Vietnamese"}}}`)
	p.write(".idumb/anchors/a.json", `{"spec": {"content": "never drop\n<users>", "priority": "critical"}}`)
	p.start("db-schema")
	l := p.lasting()
	got := l.ask("compacting", nil)
	summary, _ := got["summary"].(string)
	for _, want := range []string{
		"Vietnamese", "Plan: user-auth [active]: User authentication, 0 of 2 tasks done",
		"Current task: db-schema [active]: Database schema", "Its expected output: a migration", "Critical: never drop",
	} {
		assert.Contains(t, summary, want)
	}
	assert.NotContains(t, summary, "<users>")
	assert.Contains(t, fmt.Sprint(got["context"]), summary)
}

// TestOpenCodeAnswers: what the person answered OpenCode about a call is kept, with its patterns and
// without secrets.
func TestOpenCodeAnswers(t *testing.T) {
	p := newProject(t)
	l := p.lasting()
	name, _ := l.ask("message", map[string]any{"text": "hi"})["name"].(string)
	l.ask("answered", map[string]any{"permission": "bash", "patterns": []any{"git push --token=s3cret *", "git push *\n\u001b[31m"}, "reply": "always"})
	l.ask("answered", map[string]any{"permission": "edit", "patterns": 7, "reply": "reject"})
	l.ask("answered", map[string]any{"reply": "once"})
	logs, err := filepath.Glob(filepath.Join(p.root, ".idumb/events/*.jsonl"))
	require.NoError(t, err)
	require.Len(t, logs, 1)
	text, err := os.ReadFile(logs[0])
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(text), `"reason":"PermissionAnswered","object":"session/`+name+`"`), string(text))
	assert.Contains(t, string(text), `the user answered always to bash: git push --token=*** *, git push * [31m`)
	assert.Contains(t, string(text), `the user answered reject to edit`)
	assert.NotContains(t, string(text), "s3cret")
}

// TestOpenCodeHolds: once a turn, and not where the person ended it.
func TestOpenCodeHolds(t *testing.T) {
	p := newProject(t)
	p.write(".idumb/tasks/db-schema.json", `{"spec": {"workPlan": "user-auth", "expectedOutput": "a migration", "state": "active", "evidence": [{"command": "make test"}]}}`)
	l := p.lasting()
	l.ask("tool.after", map[string]any{"tool": "idumb_govern_task", "args": map[string]any{"action": "start", "task": "db-schema"}})
	assert.Nil(t, l.ask("idle", map[string]any{"ended": true})["hold"])
	first := l.ask("idle", nil)
	assert.Contains(t, first["hold"], `- command "make test"`)
	assert.InDelta(t, 80, first["splitAt"], 0)
	assert.Nil(t, l.ask("idle", map[string]any{"held": true})["hold"])
	assert.Contains(t, l.ask("tail", map[string]any{"unheld": true})["tail"], `- command "make test"`, "where nobody can hold it")
}

// TestOpenCodePrunes: in one step, once it is worth it, and always the same from then on.
func TestOpenCodePrunes(t *testing.T) {
	p := newProject(t)
	l := p.lasting()
	p.start("db-schema")
	l.ask("tool.after", map[string]any{"tool": "idumb_govern_task", "args": map[string]any{"action": "start", "task": "db-schema"}})
	var outputs []map[string]any
	for i := range 4 {
		call := fmt.Sprintf("ses_1/call_%d", i)
		l.ask("tool.after", map[string]any{"tool": "read", "call": call})
		outputs = append(outputs, map[string]any{"call": call, "size": 9000})
	}
	outputs = append(outputs, map[string]any{"call": "ses_1/other", "size": 9000})
	tail := func(more map[string]any) any {
		more["outputs"], more["window"] = outputs, 100000
		return l.ask("tail", more)["pruned"]
	}
	assert.Nil(t, tail(map[string]any{}), "the task goes on")
	task := ".idumb/tasks/db-schema.json"
	p.write(task, strings.Replace(p.read(task), `"active"`, `"completed"`, 1))
	assert.Nil(t, tail(map[string]any{"used": 76000}), "a summary is near")
	all := outputs
	outputs = all[:3]
	assert.Nil(t, tail(map[string]any{}), "there is not enough of it")
	outputs = all
	pruned, _ := tail(map[string]any{"used": 50000}).([]any)
	require.Len(t, pruned, 4)
	assert.Contains(t, fmt.Sprint(pruned[0]), "task db-schema, which is completed")
	p.write(task, strings.Replace(p.read(task), `"completed"`, `"active"`, 1))
	assert.Equal(t, pruned, tail(map[string]any{"used": 90000}), "what is left out stays left out")
}

func TestOpenCodeExport(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	l := p.lasting()
	l.ask("tool.after", map[string]any{"tool": "idumb_govern_task", "args": map[string]any{"action": "start", "task": "db-schema"}})
	got := l.ask("export", map[string]any{"messages": []any{map[string]any{"info": 1}}})
	file, _ := got["file"].(string)
	var kept struct {
		Session  string
		Messages []map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(p.read(file)), &kept))
	assert.Equal(t, "ses_1", kept.Session)
	assert.Len(t, kept.Messages, 1)
	assert.Contains(t, got["summary"], "Current task: db-schema")
	name, _ := l.ask("adopt", map[string]any{"session": "ses_9", "from": "ses_1"})["name"].(string)
	assert.Contains(t, p.read(".idumb/sessions/"+name+".json"), `"activeTask": "db-schema"`)
	assert.NotEmpty(t, l.ask("export", nil)["problem"], "there is nothing to keep")
}

// TestOpenCodeLivesOn: through lines that are none, and to the end of its input.
func TestOpenCodeLivesOn(t *testing.T) {
	p := newProject(t)
	l := p.lasting()
	for _, line := range []string{"", "hello", "[]", "{", `{"id":1}`, `{"id":2,"hook":"tool.before"}`, `{"id":3,"hook":"no such"}`, strings.Repeat("x", 1<<20)} {
		_, err := io.WriteString(l.in, line+"\n")
		require.NoError(t, err)
		if line != "" {
			assert.Contains(t, l.next(), "id", line)
		}
	}
	assert.Equal(t, "enforce", l.ask("hello", nil)["mode"])
	require.NoError(t, l.in.Close())
	require.NoError(t, l.cmd.Wait(), "the end of the input is the end")
}

// TestOpenCodeManyAtOnce: answers may overlap, and each is under its own id.
func TestOpenCodeManyAtOnce(t *testing.T) {
	p := newProject(t)
	l := p.lasting()
	const many = 60
	for i := range many {
		line, err := json.Marshal(map[string]any{
			"id": i, "hook": "tool.before", "session": fmt.Sprintf("ses_%d", i%3), "directory": p.root, "tool": "write",
			"call": fmt.Sprint(i), "args": map[string]any{"filePath": fmt.Sprintf("f%d", i)},
		})
		require.NoError(t, err)
		_, err = l.in.Write(append(line, '\n'))
		require.NoError(t, err)
	}
	seen := map[float64]bool{}
	for range many {
		answer := l.next()
		id, _ := answer["id"].(float64)
		assert.Contains(t, answer["deny"], fmt.Sprintf("on f%d but", int(id)))
		seen[id] = true
	}
	assert.Len(t, seen, many)
}

// TestOpenCodeKeepsNoFiles: a process that lives for days gives back what it opens.
func TestOpenCodeKeepsNoFiles(t *testing.T) {
	p := newProject(t)
	l := p.lasting()
	open := func() int {
		entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", l.cmd.Process.Pid))
		if err != nil {
			t.Skip("this system does not list a process's files")
		}
		return len(entries)
	}
	l.wants("write", map[string]any{"filePath": "a"})
	before := open()
	for range 50 {
		l.wants("write", map[string]any{"filePath": "a"})
		l.ask("tail", nil)
	}
	assert.LessOrEqual(t, open(), before+5)
}

func TestOpenCodeOff(t *testing.T) {
	p := newProject(t)
	p.write(".idumb/config.json", `{"spec": {"mode": "off"}}`)
	l := p.lasting()
	for _, hook := range []string{"session", "message", "system", "tail", "compacting", "idle"} {
		got := l.ask(hook, nil)
		for _, says := range []string{"system", "tail", "context", "summary", "hold", "toasts"} {
			assert.Nil(t, got[says], "%s: %s", hook, says)
		}
	}
	assert.Nil(t, l.wants("write", map[string]any{"filePath": "a"})["deny"])
}

// TestOpenCodeRenewsItself: another file in the program's place is run from the next line on, and no
// line is lost meanwhile.
func TestOpenCodeRenewsItself(t *testing.T) {
	data, err := os.ReadFile(binary)
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "idumb-hook")
	place := func() {
		require.NoError(t, os.WriteFile(program+".new", data, 0o755))
		require.NoError(t, os.Rename(program+".new", program))
	}
	place()
	p := newProject(t)
	l := p.lastingAs(program)
	inode := func() string {
		target, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", l.cmd.Process.Pid))
		if err != nil {
			t.Skip("this system does not tell a process's file")
		}
		return target
	}
	l.ask("hello", nil)
	for range 5 {
		place()
		require.Contains(t, inode(), "(deleted)")
		const many = 40
		var lines strings.Builder
		for i := range many {
			fmt.Fprintf(&lines, `{"id": %d, "hook": "tail", "session": "ses_1", "directory": %q}`+"\n", 1000+i, p.root)
		}
		text := lines.String()
		for len(text) > 0 { // in pieces that are no lines
			n := min(len(text), 700)
			_, err := io.WriteString(l.in, text[:n])
			require.NoError(t, err)
			text = text[n:]
		}
		seen := map[any]bool{}
		for range many {
			seen[l.next()["id"]] = true
		}
		assert.Len(t, seen, many)
		l.ask("hello", nil)
		require.Eventually(t, func() bool { return inode() == program }, 5*time.Second, time.Millisecond)
	}
}
