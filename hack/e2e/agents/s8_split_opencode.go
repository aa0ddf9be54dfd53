package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// splitSession tests that a conversation continues in a new session when 80% of its window is used.
// The first turn of the new session contains the governance context and the last six messages. The
// new session works on the same task, and the complete old session is exported.
func splitSession(s *stage) {
	workPlan(s)
	s.idumb("create", "anchor", "soil", "--type", "decision", "--priority", "critical", "--content", "The soil is not turned twice")
	s.idumb("start", "dig")
	s.serve(clients.Options{}, func(v *served) {
		old := v.open()
		v.turn(old, "an-early-word", mainLane(model.Say("Begun.")))
		for _, word := range []string{"two", "three", "four"} {
			v.turn(old, "prompt-"+word, mainLane(model.Say("answer-"+word)))
		}
		s.check(len(v.otherSessions(old)) == 0, "a session was split that had room")
		v.turn(old, "prompt-five", mainLane(model.Say("answer-five").Reporting(fullWindow*85/100)))

		next := ""
		s.eventually("a session that continues the full one", func() error {
			found := v.otherSessions(old)
			if len(found) != 1 {
				return errors.New("the session does not exist")
			}
			next = found[0].ID
			return nil
		})
		if next == "" {
			return
		}
		var first *model.Request
		s.eventually("the first turn of the new session", func() error {
			if !strings.Contains(v.text(next), "answer-five") {
				return errors.New("it does not contain the last messages: " + v.text(next))
			}
			return nil
		})
		requests := v.turn(next, "go on", mainLane(model.Use(s.Write("bed.txt", "dug\n")), model.Say("Dug.").Rejecting("GOVERNANCE BLOCK")))
		if len(requests) > 0 {
			first = requests[0]
			for _, want := range []string{"answer-three", "prompt-four", "answer-four", "prompt-five", "answer-five", "Plan garden", "The soil is not turned twice", "dig"} {
				s.check(strings.Contains(first.All(), want), "the new session was not sent %q", want)
			}
			s.check(!strings.Contains(first.All(), "an-early-word"), "the new session was sent the whole conversation")
		}
		s.wantExport("an-early-word", "answer-five")
	})
	s.wantFile("bed.txt", "dug\n")
	s.wantPhase("task/dig", "active")
}

// otherSessions returns the conversations except known.
func (v *served) otherSessions(known string) []clients.OpenCodeSession {
	all, err := v.Sessions(v.ctx)
	v.stage.must(err)
	var rest []clients.OpenCodeSession
	for _, session := range all {
		if session.ID != known {
			rest = append(rest, session)
		}
	}
	return rest
}

// text returns the complete text of a conversation as the server returns it.
func (v *served) text(session string) string {
	var messages json.RawMessage
	v.stage.must(v.Call(v.ctx, "GET", "/session/"+session+"/message", nil, &messages))
	return string(messages)
}

// wantExport checks that one exported file contains all these words: the whole conversation. The
// exports of turns contain only their last messages.
func (s *stage) wantExport(words ...string) {
	files, err := filepath.Glob(s.path(".idumb/sessions/exports/*.json"))
	s.must(err)
	whole := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		s.must(err)
		s.check(json.Valid(data), "%s is no JSON", filepath.Base(file))
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(string(data), word) }) {
			whole++
		}
	}
	s.check(whole == 1, "%d of %d stored files contain the conversation, want 1", whole, len(files))
}
