package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// plan holds the resources of the demo, as a person would write them.
//
//go:embed plan
var plan embed.FS

func loadPlan(s *stage) error {
	s.scene("A repository gets a plan")
	if out, err := exec.CommandContext(s.ctx, "git", "init", "-q", s.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	if out, err := s.command("init").CombinedOutput(); err != nil {
		return fmt.Errorf("idumb init: %w: %s", err, out)
	}
	if err := fs.WalkDir(plan, "plan", s.copyFile); err != nil {
		return err
	}
	if err := s.writeAgingMem(); err != nil {
		return err
	}
	s.say("after idumb init, a person wrote two plans, nine tasks, anchors and mems")
	return s.run("tree")
}

// copyFile writes one embedded resource into the scratch repository.
func (s *stage) copyFile(name string, d fs.DirEntry, err error) error {
	if err != nil || d.IsDir() {
		return err
	}
	data, err := plan.ReadFile(name)
	if err != nil {
		return err
	}
	relative, _ := strings.CutPrefix(name, "plan/")
	return os.WriteFile(s.path(filepath.FromSlash(relative)), data, 0o644)
}

func startController(s *stage) error {
	s.scene("A controller watches the files")
	s.printf("  $ idumb up\n")
	if err := s.startUp(); err != nil {
		return err
	}
	if err := s.awaitPhase(resources.Tasks, "login-form", resources.TaskBlocked); err != nil {
		return err
	}
	s.breathe()
	return s.run("get", "tasks")
}

func finishWork(s *stage) error {
	s.scene("Work is finished, and what waited for it is free")
	before := s.context()
	s.say(`an agent edits tasks/db-schema.json: "state": "completed", with its evidence`)
	if err := s.edit("tasks/db-schema.json", `"state": "active"`, `"state": "completed", "result": {"evidence": "migration 0001 ran on staging"}`); err != nil {
		return err
	}
	for _, name := range []string{"user-model", "session-store"} {
		if err := s.awaitPhase(resources.Tasks, name, resources.TaskPlanned); err != nil {
			return err
		}
	}
	s.breathe()
	if err := s.run("next"); err != nil {
		return err
	}
	s.say("what hooks put into the agent's prompt, the packed context, changed as well:")
	if err := s.await("the context to change", func() bool { return s.context() != before }); err != nil {
		return err
	}
	s.printf("%s", changedLines(before, s.context(), 8))
	return nil
}

// context reads the packed context.
func (s *stage) context() string {
	data, err := os.ReadFile(s.path("context", "context.xml"))
	if err != nil {
		return ""
	}
	return string(data)
}

// wrapper is a line of the context that holds nothing but a tag of a section.
var wrapper = regexp.MustCompile(`^\s*</?[a-z_]+>\s*$`)

// changedLines shows lines that only one of two texts has, at most limit of them.
func changedLines(before, after string, limit int) string {
	var b strings.Builder
	show := func(mark string, in, from string) {
		had := map[string]bool{}
		for line := range strings.Lines(from) {
			had[line] = true
		}
		shown := 0
		for line := range strings.Lines(in) {
			if !had[line] && !wrapper.MatchString(line) && shown < limit/2 {
				b.WriteString("    " + mark + " " + cut(strings.TrimSpace(line), width-6) + "\n")
				shown++
			}
		}
	}
	show("-", before, after)
	show("+", after, before)
	return b.String()
}

func cut(line string, limit int) string {
	runes := []rune(line)
	if len(runes) <= limit {
		return line
	}
	return string(runes[:limit-3]) + "..."
}

func abandonWork(s *stage) error {
	s.scene("A task is abandoned that another one needs")
	s.say(`a person edits tasks/oauth-spike.json: "state": "abandoned"`)
	if err := s.edit("tasks/oauth-spike.json", `"priority": "low"`, `"priority": "low", "state": "abandoned", "reason": "nobody asked for it"`); err != nil {
		return err
	}
	archived := s.path("archive", "tasks", "oauth-spike.json")
	err := s.await("the chain-breaker to be archived", func() bool { _, err := os.Stat(archived); return err == nil })
	if err != nil {
		return err
	}
	s.breathe()
	s.say("nothing was deleted: it is in .idumb/archive, and doctor says how to go on")
	err = s.run("doctor")
	if found := (*exec.ExitError)(nil); errors.As(err, &found) {
		return nil // it found what it was to find
	}
	return err
}

// agingMem is the mem that turns stale while the demo runs.
const agingMem = "staging-is-slow"

const (
	// agingSpan is how long the mem holds without being confirmed.
	agingSpan = 7 * 24 * time.Hour
	// agingIn is how long after the mem is written that is over.
	agingIn = 6 * time.Second
)

// writeAgingMem dates a mem so that it turns stale while the demo runs.
func (s *stage) writeAgingMem() error {
	name := path.Join("plan", "mems", agingMem+".json")
	data, err := plan.ReadFile(name)
	if err != nil {
		return err
	}
	var document map[string]any
	if err := json.Unmarshal(data, &document); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	spec, _ := document["spec"].(map[string]any)
	if spec == nil {
		return fmt.Errorf("%s has no spec", name)
	}
	spec["staleAfter"] = agingSpan.String()
	created := time.Now().Add(agingIn - agingSpan)
	document["metadata"] = map[string]any{"creationTimestamp": created.UTC().Format(time.RFC3339)}
	if data, err = json.MarshalIndent(document, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(s.path("mems", agingMem+".json"), data, 0o644)
}

func fade(s *stage) error {
	s.scene("A memory grows old")
	s.say("nobody confirmed mem/%s for a week, which is all it gives itself: any second now, it is stale", agingMem)
	if err := s.awaitPhase(resources.Mems, agingMem, resources.StalePhase); err != nil {
		return err
	}
	s.breathe()
	return s.run("get", "mems")
}

func gate(s *stage) error {
	s.scene("The hook answers an agent's tool calls")
	s.say(`an agent edits tasks/login-form.json: "state": "active"`)
	if err := s.edit("tasks/login-form.json", `"phase": "frontend"`, `"phase": "frontend", "state": "active"`); err != nil {
		return err
	}
	if err := s.awaitPhase(resources.Tasks, "login-form", resources.TaskBlocked); err != nil {
		return err
	}
	s.breathe()
	s.say("and is about to write src/auth/login.tsx: Claude Code asks the hook first")
	if err := s.callHook(); err != nil {
		return err
	}
	s.pause(700 * time.Millisecond)
	s.say("so the blocking work is done first, by commands this time")
	for _, name := range []string{"user-model", "session-store", "login-api"} {
		if err := s.run("start", name); err != nil {
			return err
		}
		if err := s.run("complete", name, "--evidence", "tests pass"); err != nil {
			return err
		}
	}
	if err := s.awaitPhase(resources.Tasks, "login-form", resources.TaskActive); err != nil {
		return err
	}
	s.breathe()
	s.say("and the agent tries the same write again")
	return s.callHook()
}

// callHook asks idumb hook claude as Claude Code does, and shows the answer.
func (s *stage) callHook() error {
	call, err := json.Marshal(map[string]any{
		"session_id": "5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01", "cwd": s.dir, "hook_event_name": "PreToolUse",
		"tool_name": "Write", "tool_use_id": "toolu_01", "tool_input": map[string]any{"file_path": filepath.Join(s.dir, "src", "auth", "login.tsx"), "content": "..."},
	})
	if err != nil {
		return err
	}
	cmd := s.command("hook", "claude")
	cmd.Stdin = bytes.NewReader(call)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("idumb hook claude: %w", err)
	}
	var answer struct {
		HookSpecificOutput struct {
			PermissionDecision, PermissionDecisionReason string
		} `json:"hookSpecificOutput"`
	}
	if len(bytes.TrimSpace(out)) > 0 {
		if err := json.Unmarshal(out, &answer); err != nil {
			return fmt.Errorf("the hook's answer: %w", err)
		}
	}
	if answer.HookSpecificOutput.PermissionDecision == "deny" {
		s.printf("%s", indent([]byte(answer.HookSpecificOutput.PermissionDecisionReason)))
		return nil
	}
	s.printf("    (no objection: the write goes ahead)\n")
	return nil
}

func finishPlan(s *stage) error {
	s.scene("A plan ends, and the plan that waited for it begins")
	for _, edit := range []struct{ task, old, state, more string }{
		{"login-form", `"state": "active"`, "completed", `"result": {"evidence": "signed in by hand"}`},
		{"auth-tests", `"planAhead": true`, "abandoned", `"reason": "covered by unit tests"`},
		{"social-login", `"priority": "low"`, "abandoned", `"priority": "low", "reason": "waits for demand"`},
	} {
		s.say(`a person edits tasks/%s.json: "state": "%s"`, edit.task, edit.state)
		if err := s.edit("tasks/"+edit.task+".json", edit.old, fmt.Sprintf(`"state": "%s", %s`, edit.state, edit.more)); err != nil {
			return err
		}
	}
	if err := s.awaitPhase(resources.Tasks, "announce", resources.TaskPlanned); err != nil {
		return err
	}
	s.breathe()
	return s.run("get", "workplans,tasks")
}

func farewell(s *stage) error {
	s.scene("Ctrl-C")
	if err := s.stopController(); err != nil {
		return fmt.Errorf("the controller did not end cleanly: %w", err)
	}
	s.printf(`
The scratch repository is gone. In a repository of yours:

    idumb init                   folders, schemas, roles, a README for agents
    idumb up                     the controller, in the foreground
    idumb create workplan hello --title Hello --accept "It works" --state active
    idumb create task first --plan hello --title First --expect "A file"
    idumb next                   what to do, and why
    idumb hook install claude    let Claude Code ask before it writes
    idumb doctor                 is everything well?
`)
	return nil
}
