package main

import (
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// bareTitles tests that the request for a conversation's title does not contain idumb's context and
// that the conversation's own requests still contain it.
func bareTitles(s *stage) {
	workPlan(s)
	s.serve(clients.Options{Env: []string{s.server().Titles()}}, func(v *served) {
		session := v.open()
		title := model.Lane{
			Name: "title", Steps: []model.Step{model.Say("A garden")},
			Match: func(r *model.Request) bool { return strings.Contains(r.System, "You are a title generator") },
		}
		requests := v.turn(session, "which work is open?", title, mainLane(model.Say("To dig.").Looking(wantTexts("Plan garden"))))
		s.check(len(requests) == 2, "%d requests to the model, want 2", len(requests))
		for _, r := range requests {
			if title.Match(r) {
				s.check(!strings.Contains(r.All(), "idumb_context") && !strings.Contains(r.All(), "Plan garden"), "the request for a title holds the context:\n%s", r.All())
			}
		}
	})
}
