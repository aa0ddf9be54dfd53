package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
	"github.com/idumb-dev/idumb/resources"
)

// scene is a scratch repository with the objects of a project, a controller, and an agent of Claude
// Code in one session. The agent is simulated by its hook events.
type scene struct {
	repo       *drive.Repo
	controller *drive.Controller
	session    string
	calls      int
	read       map[string]bool // files read since the session began
	touching   string          // file of the last call
	heard      func(when moment, text string)
}

// moment is the time of a delivery to an agent.
type moment string

// Moments in the order of a turn.
const (
	atStart   moment = "the session's start"
	atPrompt  moment = "a prompt"
	atTask    moment = "a task's start or end"
	atFile    moment = "a file that is read"
	atFailure moment = "a failure"
	atEdit    moment = "an edit"
	atEnd     moment = "the rest of a turn"
)

// moments lists the moments in order.
var moments = [...]moment{atStart, atPrompt, atTask, atFile, atFailure, atEdit, atEnd}

// openScene creates the repository of a project, and starts its controller.
func openScene(bin drive.Bin, p *project) (*scene, error) {
	repo, err := drive.NewRepo(bin)
	if err != nil {
		return nil, err
	}
	s := &scene{repo: repo}
	if err := s.fill(p); err != nil {
		s.close()
		return nil, err
	}
	if s.controller, err = repo.StartController(); err == nil {
		err = repo.AwaitStatuses(p.tasks[0].ID)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *scene) close() {
	if s.controller != nil {
		_ = s.controller.Stop()
	}
	_ = s.repo.Remove()
}

// fill writes the files and the objects.
func (s *scene) fill(p *project) error {
	for _, path := range p.paths() {
		text, known := p.files[path]
		if !known {
			text = "// " + filepath.Base(path) + "\n"
		}
		if err := s.write(path, text); err != nil {
			return err
		}
	}
	plan := resources.WorkPlanSpec{Title: "Work on " + p.name, Acceptance: []string{"All tasks are done"}, State: resources.PlanActive}
	if err := s.object(resources.WorkPlans, "work", resources.Meta{}, plan); err != nil {
		return err
	}
	for _, t := range p.tasks {
		spec := resources.TaskSpec{WorkPlan: "work", Title: t.Title, ExpectedOutput: t.Output}
		if err := s.object(resources.Tasks, t.ID, resources.Meta{}, spec); err != nil {
			return err
		}
	}
	later, err := p.sinceNewest(time.Now())
	for i := 0; err == nil && i < len(p.mems); i++ {
		err = s.mem(&p.mems[i], later)
	}
	return err
}

// sinceNewest returns the shift of the dates of mems, so that the newest is from yesterday: their
// confidence must not depend on the day of the measurement.
func (p *project) sinceNewest(now time.Time) (time.Duration, error) {
	var newest time.Time
	for _, m := range p.mems {
		at, err := time.Parse(time.DateOnly, m.Date)
		if err != nil {
			return 0, fmt.Errorf("the date of the mem %s: %w", m.ID, err)
		}
		if at.After(newest) {
			newest = at
		}
	}
	return now.Add(-24 * time.Hour).Sub(newest).Truncate(time.Hour), nil
}

// mem writes a mem with paths as evidence and globs as the files that it applies to.
func (s *scene) mem(m *learnt, later time.Duration) error {
	made, err := time.Parse(time.DateOnly, m.Date)
	if err != nil {
		return err
	}
	spec := resources.MemSpec{
		Title: m.Title, Content: m.Text + m.Content, Type: m.Type, Tags: m.Tags, Confidence: m.Confidence,
		AppliesWhen: &resources.AppliesWhen{Paths: m.Globs, Symbols: m.Symbols, Cues: m.Cues},
	}
	for _, path := range m.Paths {
		file, part, _ := strings.Cut(path, "#")
		spec.Evidence = append(spec.Evidence, resources.MemEvidence{Path: file, Section: part})
	}
	return s.object(resources.Mems, string(m.ID), resources.Meta{CreationTimestamp: resources.NewTime(made.Add(later))}, spec)
}

// object writes the file of an object.
func (s *scene) object(kind, name string, meta resources.Meta, spec any) error {
	data, err := json.MarshalIndent(map[string]any{"metadata": meta, "spec": spec}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.repo.Path(kind, name+".json"), append(data, '\n'), 0o644)
}

// write writes a file of the repository.
func (s *scene) write(path, text string) error {
	file := filepath.Join(s.repo.Dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// tell sends an event to the hook, and records the texts for the agent.
func (s *scene) tell(when moment, name string, event map[string]any) error {
	event["hook_event_name"], event["session_id"], event["cwd"] = name, s.session, s.repo.Dir
	data, err := json.Marshal(event)
	if err != nil {
		return err
	}
	cmd := exec.Command(s.repo.Bin.Path("idumb-hook"), "claude")
	cmd.Dir, cmd.Stdin = s.repo.Dir, bytes.NewReader(data)
	cmd.Env = append(os.Environ(), append(s.repo.Env(), "CLAUDE_PROJECT_DIR="+s.repo.Dir, "IDUMB_AUTOSTART=off")...)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("the hook, at %s: %w", name, err)
	}
	var answer struct {
		Reason   string `json:"reason"`
		Specific struct {
			Context string `json:"additionalContext"`
			Reason  string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if len(out) > 0 {
		if err := json.Unmarshal(out, &answer); err != nil {
			return fmt.Errorf("the hook's answer at %s: %w: %s", name, err, out)
		}
	}
	s.hears(when, answer.Specific.Context+answer.Specific.Reason+answer.Reason)
	return nil
}

func (s *scene) hears(when moment, text string) {
	if text != "" {
		s.heard(when, text)
	}
}

// call simulates a tool call: the hooks, and does between them. If failed is true, result is the
// error for the agent.
func (s *scene) call(when moment, tool string, input map[string]any, does func() (result string, failed bool)) error {
	s.calls++
	call := func() map[string]any {
		return map[string]any{"tool_name": tool, "tool_use_id": fmt.Sprintf("toolu_%d", s.calls), "tool_input": input}
	}
	if err := s.tell(when, "PreToolUse", call()); err != nil {
		return err
	}
	result, failed := does()
	after, name := call(), "PostToolUse"
	if after["tool_response"] = map[string]any{"stdout": result, "stderr": ""}; failed {
		delete(after, "tool_response")
		after["error"], name = "Exit code 1\n"+result, "PostToolUseFailure"
	}
	return s.tell(when, name, after)
}

// bash simulates a command with a known result.
func (s *scene) bash(when moment, command, result string, failed bool) error {
	return s.call(when, "Bash", map[string]any{"command": command, "description": "run it"}, func() (string, bool) { return result, failed })
}

// idumb simulates a command of the agent that runs idumb. The agent reads all its output.
func (s *scene) idumb(args ...string) (err error) {
	quoted := "idumb"
	for _, arg := range args {
		if strings.ContainsAny(arg, " ") {
			arg = "'" + arg + "'"
		}
		quoted += " " + arg
	}
	told := s.call(atTask, "Bash", map[string]any{"command": quoted}, func() (string, bool) {
		out, failed := s.repo.Command(args...).CombinedOutput()
		if err = failed; err != nil {
			err = fmt.Errorf("%s: %w: %s", quoted, failed, out)
		}
		s.hears(atTask, string(out))
		return string(out), failed != nil
	})
	if err == nil {
		err = told
	}
	return err
}
