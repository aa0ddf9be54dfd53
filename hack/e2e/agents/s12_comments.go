package main

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// comments tests that an agent that starts a task is told about a user's earlier comment and cannot
// write before it has answered the comment. A comment that the user enters on the page while the
// agent works must be shown to the agent once, after its next call.
func comments(s *stage) {
	s.idumb("create", "workplan", "shop", "--title", "A shop", "--accept", "People can buy", "--state", "active")
	s.idumb("create", "task", "form", "--plan", "shop", "--title", "The form", "--expect", "A form")
	name := path.Base(strings.TrimSpace(s.idumb("comment", "task/form", "Which colour?", "--type", "question", "--hold", "-o", "name")))
	const later = "Label each field."
	asked := "(" + name + ")"

	s.prompt("build the form", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Own("govern_task", map[string]any{"action": "start", "task": "form"})),
		model.Use(s.Write("form.html", "<form>\n")).Wanting("COMMENT by person/", asked, "blocks writes until it is answered"),
		model.Use(s.Own("govern_task", map[string]any{"action": "comment", "answer": name, "text": "Blue."})).
			Wanting("GOVERNANCE BLOCK", "a comment holds task", name),
		model.Use(s.Write("form.html", "<form>\n")).Doing(s.during(func() {
			s.wantNoFile("form.html")
			s.openDashboard().act("comment", "task/form", map[string]string{"content": later})
		})),
		model.Use(s.Write("more.html", "<form>\n")).Wanting("COMMENT by person/", later),
		model.Say("Built.").Rejecting("GOVERNANCE BLOCK"),
	}})

	s.wantFile("form.html", "<form>\n")
	told := s.idumb("describe", "task", "form")
	s.check(strings.Count(told, "delivered to ") >= 1, "the comment was not delivered: %s", told)
}
