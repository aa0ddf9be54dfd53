package page_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shop is a repository with a store and a running controller.
type shop struct {
	t   *testing.T
	dir string
	bin string
	env []string
}

// files are what stands below .idumb, without the suffix .json.
type files map[string]map[string]any

// openShop makes a repository of these files and starts its controller. The person's settings and the
// file that leads to the page lie beside it.
func (d *driver) openShop(t *testing.T, store files, prepare func(*shop)) *shop {
	t.Helper()
	home := t.TempDir()
	s := &shop{t: t, dir: filepath.Join(home, "shop"), bin: d.bin}
	s.env = append(os.Environ(), "XDG_CONFIG_HOME="+home+"/settings", "XDG_STATE_HOME="+home+"/state", "XDG_RUNTIME_DIR="+home+"/run", "GIT_CONFIG_NOSYSTEM=1",
		"BROWSER="+s.script(home, "#!/bin/sh\nprintf %s \"$1\" >"+home+"/opened.part && mv "+home+"/opened.part "+home+"/opened\n"))
	must(t, os.MkdirAll(filepath.Join(home, "run"), 0o700))
	must(t, os.MkdirAll(s.dir, 0o755))
	s.run("git", "init", "-q", ".")
	s.idumb("init")
	for name, object := range store {
		s.write(name, object)
	}
	if prepare != nil {
		prepare(s)
	}
	s.idumb("controller", "start")
	t.Cleanup(func() { s.idumb("controller", "stop") })
	return s
}

func (s *shop) script(home, text string) string {
	file := filepath.Join(home, "browser")
	must(s.t, os.WriteFile(file, []byte(text), 0o755))
	return file
}

// run runs a program in the repository and returns what it prints.
func (s *shop) run(program string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%s %s: %v: %s%s", filepath.Base(program), strings.Join(args, " "), err, out, complaint.String())
	}
	return strings.TrimSpace(string(out))
}

func (s *shop) idumb(args ...string) string {
	s.t.Helper()
	return s.run(filepath.Join(s.bin, "idumb"), args...)
}

// write puts a file below .idumb into place, as an editor does.
func (s *shop) write(name string, object map[string]any) {
	s.t.Helper()
	file := filepath.Join(s.dir, ".idumb", name+".json")
	must(s.t, os.MkdirAll(filepath.Dir(file), 0o755))
	data, err := json.MarshalIndent(object, "", "  ")
	must(s.t, err)
	must(s.t, os.WriteFile(file+".new", data, 0o644))
	must(s.t, os.Rename(file+".new", file))
}

// handOver asks for a page as a person does, and returns the file that the browser is started with.
func (s *shop) handOver() string {
	s.t.Helper()
	opened := filepath.Join(filepath.Dir(s.dir), "opened")
	_ = os.Remove(opened)
	s.idumb("dash", "--web")
	var file []byte
	eventually(s.t, "the browser is started", func() bool {
		var err error
		file, err = os.ReadFile(opened)
		return err == nil
	})
	return string(file)
}

// link asks for a page as a person at the other end of a tunnel does.
func (s *shop) link() string {
	s.t.Helper()
	return s.idumb("dash", "--web", "--print-url")
}

// read reads a file below .idumb; one that is not there is empty.
func (s *shop) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, ".idumb", name+".json"))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(text)
}

// statuses are the files that the controller wrote about a kind.
func (s *shop) statuses(kind string) []string {
	s.t.Helper()
	all, err := filepath.Glob(filepath.Join(s.dir, ".idumb", "status", kind, "*.json"))
	must(s.t, err)
	return all
}

// denied has an agent ask for what the gate denies.
func (s *shop) denied(session string) {
	s.t.Helper()
	out := s.hook(map[string]any{"session_id": session, "hook_event_name": "PreToolUse", "cwd": s.dir, "tool_name": "Bash", "tool_input": map[string]any{"command": "git push --force"}})
	if !bytes.Contains(out, []byte("GOVERNANCE BLOCK")) {
		s.t.Fatalf("the gate lets a forced push through: %s", out)
	}
}

// listed gives a session a to-do list.
func (s *shop) listed(session string) {
	s.t.Helper()
	s.hook(map[string]any{"session_id": session, "hook_event_name": "PostToolUse", "cwd": s.dir, "tool_name": "TodoWrite", "tool_response": map[string]any{},
		"tool_input": map[string]any{"todos": []any{map[string]any{"content": "Dig the bed", "status": "in_progress", "activeForm": "Digging"}}}})
}

// hook runs the hook of Claude Code and returns what it prints.
func (s *shop) hook(e map[string]any) []byte {
	s.t.Helper()
	event, err := json.Marshal(e)
	must(s.t, err)
	hook := exec.Command(filepath.Join(s.bin, "idumb-hook"), "claude")
	hook.Dir, hook.Env, hook.Stdin = s.dir, append(s.env, "CLAUDE_PROJECT_DIR="+s.dir, "IDUMB_AUTOSTART=off"), bytes.NewReader(event)
	out, err := hook.CombinedOutput()
	must(s.t, err)
	return out
}
