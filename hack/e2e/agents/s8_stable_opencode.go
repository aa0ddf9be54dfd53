package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// updateTag is the start of the text that reports a change to the model.
const updateTag = "<context_update "

// stablePrompt tests that each request starts with the same bytes as the previous request while
// nothing changes, also across turns. After a change, the text about it must be at the end of the
// request only, and it must have the same bytes until the next change.
func stablePrompt(s *stage) {
	workPlan(s)
	s.idumb("start", "dig")
	s.write("notes.txt", "wet clay\n")
	s.serve(clients.Options{}, func(v *served) {
		session := v.open()
		read := func() model.Step { return model.Use(s.Read("notes.txt")) }
		quiet := append(
			v.turn(session, "look around", mainLane(read(), read(), model.Say("Clay."))),
			v.turn(session, "look again", mainLane(read(), model.Say("Still clay.")))...)
		s.checkQuiet(quiet)

		s.idumb("create", "anchor", "clay", "--type", "decision", "--priority", "critical", "--content", "Clay is drained first")
		told := v.turn(session, "and now?", mainLane(read(), read(), model.Say("Drain it.")))
		s.checkTold(quiet[len(quiet)-1], told, "Clay is drained first")
	})
}

// checkQuiet checks requests that were sent while nothing changed.
func (s *stage) checkQuiet(all []*model.Request) {
	s.check(len(all) == 5, "%d requests to the model, want 5", len(all))
	for i, r := range all {
		s.check(strings.Contains(r.System, "Plan garden"), "request %d has no context in its system prompt", r.N)
		s.check(!strings.Contains(r.All(), updateTag), "request %d tells of a change, and nothing changed:\n%s", r.N, r.New())
		if i > 0 {
			s.must(s.checkPrefix(all[i-1], r))
		}
	}
}

// checkTold checks the requests that were sent after a change. last is the last request before the
// change.
func (s *stage) checkTold(last *model.Request, told []*model.Request, change string) {
	tail := ""
	for _, r := range told {
		if len(r.Messages) == 0 {
			s.fault("request %d has no messages", r.N)
			return
		}
		end := r.Messages[len(r.Messages)-1]
		s.check(r.System == last.System, "request %d has another system prompt than before the change", r.N)
		s.check(strings.Contains(end.Text, updateTag) && strings.Contains(end.Text, change), "request %d does not end with the change but with: %s", r.N, end.Text)
		s.check(strings.Count(r.All(), updateTag) == 1, "request %d tells of the change %d times", r.N, strings.Count(r.All(), updateTag))
		if tail != "" {
			s.check(end.Text == tail, "request %d tells of the same change in other bytes:\n%s\n%s", r.N, tail, end.Text)
		}
		tail = end.Text
	}
}

// checkPrefix compares two raw requests byte for byte: the tools, and all messages of the first
// request.
func (s *stage) checkPrefix(first, then *model.Request) error {
	var a, b struct {
		Messages []json.RawMessage `json:"messages"`
		Tools    json.RawMessage   `json:"tools"`
	}
	if err := json.Unmarshal(first.Body, &a); err != nil {
		return err
	}
	if err := json.Unmarshal(then.Body, &b); err != nil {
		return err
	}
	s.check(bytes.Equal(a.Tools, b.Tools), "requests %d and %d differ in their tools", first.N, then.N)
	if len(b.Messages) < len(a.Messages) {
		return fmt.Errorf("request %d has fewer messages than request %d", then.N, first.N)
	}
	for i := range a.Messages {
		if !bytes.Equal(a.Messages[i], b.Messages[i]) {
			s.fault("requests %d and %d differ in message %d:\n%s\n%s", first.N, then.N, i, a.Messages[i], b.Messages[i])
			return nil
		}
	}
	return nil
}
