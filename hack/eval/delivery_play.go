package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// play simulates a conversation: it sends each event like Claude Code. It calls ended after each
// turn.
func (s *scene) play(c conversation, number int, ended func(exchange)) error {
	s.session, s.read = fmt.Sprintf("5d0f7d3e-2f3b-4c9e-9f2c-%012d", number), map[string]bool{}
	if err := s.tell(atStart, "SessionStart", map[string]any{"source": "startup"}); err != nil {
		return err
	}
	task := ""
	for _, e := range c.exchanges {
		if err := s.exchange(e, task); err != nil {
			return fmt.Errorf("%s, at the prompt %q: %w", c.name, e.Prompt, err)
		}
		switch {
		case e.Start != "":
			task = e.Start
		case e.Completes:
			task = ""
		}
		ended(e)
	}
	if task != "" {
		if err := s.complete(task); err != nil {
			return err
		}
	}
	return s.tell(atEnd, "SessionEnd", map[string]any{"reason": "other"})
}

// exchange simulates one prompt and its turn. task is the current task.
func (s *scene) exchange(e exchange, task string) error {
	if err := s.tell(atPrompt, "UserPromptSubmit", map[string]any{"prompt": e.Prompt}); err != nil {
		return err
	}
	if task != "" && (e.Completes || e.Start != "") {
		if err := s.complete(task); err != nil {
			return err
		}
	}
	if e.Start != "" {
		if err := s.idumb("start", e.Start); err != nil {
			return err
		}
	}
	for _, file := range slices.Concat(e.Reads, e.Edits, e.Breaks) {
		if err := s.readFile(file); err != nil {
			return err
		}
	}
	if f := e.Fails; f != nil {
		if err := s.bash(atFailure, f.Command, f.Error, true); err != nil {
			return err
		}
	}
	for _, file := range e.Edits {
		if err := s.edit(file, longer); err != nil {
			return err
		}
	}
	for _, file := range e.Breaks {
		if err := cmp.Or(s.edit(file, unexported), s.edit(file, longer)); err != nil {
			return err
		}
	}
	if len(e.Edits) > 0 {
		if err := s.bash(atEnd, "make test", "ok", false); err != nil {
			return err
		}
	}
	return s.tell(atEnd, "Stop", map[string]any{"stop_hook_active": false})
}

func (s *scene) complete(task string) error {
	return s.idumb("complete", task, "--evidence", "it works as expected", "--tests", "make test: ok")
}

// readFile reads a file once per session.
func (s *scene) readFile(file string) error {
	if s.read[file] {
		return nil
	}
	s.read[file], s.touching = true, file
	path := filepath.Join(s.repo.Dir, filepath.FromSlash(file))
	return s.call(atFile, "Read", map[string]any{"file_path": path}, func() (string, bool) { return "1\t// the file", false })
}

func longer(text string) string     { return text + "\n" }
func unexported(text string) string { return strings.Replace(text, "export ", "", 1) }

// edit simulates an edit of a file.
func (s *scene) edit(file string, change func(text string) string) error {
	s.touching = file
	path := filepath.Join(s.repo.Dir, filepath.FromSlash(file))
	input := map[string]any{"file_path": path, "old_string": "// the file", "new_string": "// the file, changed"}
	return s.call(atEdit, "Edit", input, func() (string, bool) {
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(change(string(data))), 0o644)
		}
		return fmt.Sprint("edited ", err), err != nil
	})
}
