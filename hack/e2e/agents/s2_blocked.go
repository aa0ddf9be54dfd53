package main

import "github.com/idumb-dev/idumb/hack/e2e/agents/model"

// blockedWrite tests that a write for a blocked task is denied with the chain of blocking tasks.
// During the session, a user then completes the blocking task by editing its file, and the next
// attempt must succeed.
func blockedWrite(s *stage) {
	s.idumb("create", "workplan", "shop", "--title", "A shop", "--accept", "People can buy", "--state", "active")
	s.idumb("create", "task", "schema", "--plan", "shop", "--title", "The schema", "--expect", "Tables")
	s.idumb("create", "task", "form", "--plan", "shop", "--title", "The form", "--expect", "A form", "--depends-on", "schema")
	s.must(s.editSpec(".idumb/tasks/form.json", map[string]any{"state": "active"}))
	s.wantPhase("task/form", "blocked")

	s.prompt("build the form", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write("form.html", "<form>\n")),
		model.Use(s.Shell("echo '<form>' > form.html")).
			Wanting("GOVERNANCE BLOCK", `"form" is blocked`, "schema", "CHAIN", "schema [planned]", "form [blocked]"),
		model.Use(s.Write("form.html", "<form>\n")).
			Wanting("GOVERNANCE BLOCK", `"form" is blocked`).
			Doing(s.during(func() {
				s.wantNoFile("form.html")
				s.must(s.editSpec(".idumb/tasks/schema.json", map[string]any{
					"state": "completed", "result": map[string]any{"evidence": "migration 0001"},
				}))
			})),
		model.Say("Built.").Rejecting("GOVERNANCE BLOCK"),
	}})

	s.wantFile("form.html", "<form>\n")
	s.wantPhase("task/schema", "completed")
	s.wantPhase("task/form", "active")
}
