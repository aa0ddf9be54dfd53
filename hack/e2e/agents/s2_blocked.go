package main

import "github.com/idumb-dev/idumb/hack/e2e/agents/model"

// blockedWrite: the write of a task that has to wait is denied with its chain; a
// person completes what it waits for by editing that task's file while the session
// runs; the next try passes.
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
