package main

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// writeGate tests the basic cycle. A write without a task is denied, and the model receives the
// reason. The agent then starts a task with idumb's tool, writes, tests and completes. The
// dependent task is then unblocked, and the context of the next turn must say so.
func writeGate(s *stage) {
	s.idumb("create", "workplan", "site", "--title", "A site", "--accept", "It is up", "--state", "active")
	s.idumb("create", "task", "design", "--plan", "site", "--title", "Design it", "--expect", "A sketch")
	s.idumb("create", "task", "build", "--plan", "site", "--title", "Build it", "--expect", "The page", "--depends-on", "design")
	s.write("test.sh", "grep -q sketch sketch.txt\n")
	s.wantPhase("task/build", "blocked")

	main := model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write("sketch.txt", "a sketch\n")).Wanting("please design", "design", "site").Looking(wantOneContext),
		model.Use(s.Own("govern_task", map[string]any{"action": "start", "task": "design"})).
			Wanting("GOVERNANCE BLOCK", "WHAT:", "WHY:", "USE INSTEAD:", "EVIDENCE:").
			Doing(s.during(func() { s.wantNoFile("sketch.txt") })),
		model.Use(s.Write("sketch.txt", "a sketch\n")).Wanting(`"status":"success"`, "design").
			Doing(s.during(func() { s.wantPhase("task/design", "active") })),
		model.Use(s.Shell("sh test.sh")).Rejecting("GOVERNANCE BLOCK"),
		model.Use(s.Own("govern_task", map[string]any{"action": "complete", "task": "design", "evidence": "sketch.txt, and the test passes"})).
			Rejecting("GOVERNANCE BLOCK"),
		model.Say("Designed.").Wanting(`"status":"success"`),
		model.Say("I will build it.").Wanting("go on", "build").Looking(wantUnblocked),
	}}
	s.play(s.actor, clients.Options{}, []string{"please design it", "go on"}, main)

	s.wantFile("sketch.txt", "a sketch\n")
	s.wantPhase("task/design", "completed")
	s.wantPhase("task/build", "planned")
}

// contextBegins matches the beginning of the complete context. Gemini CLI gets it in square brackets.
var contextBegins = regexp.MustCompile(`[<\[]idumb_context`)

// wantOneContext checks that the model received the complete context exactly once, and not at every
// event of the same turn.
func wantOneContext(r *model.Request) error {
	if n := len(contextBegins.FindAllString(r.All(), -1)); n != 1 {
		return fmt.Errorf("was sent the whole context %d times", n)
	}
	return nil
}

// wantUnblocked checks that the turn's context says that the dependent task can be started.
func wantUnblocked(r *model.Request) error {
	if told := regexp.MustCompile(`(?s)[<\[]next[>\]].*\bbuild\b.*[<\[]/next[>\]]|UNBLOCKED: build\b`); !told.MatchString(r.New()) {
		return errors.New("no text reports that build is unblocked, but:\n" + r.New())
	}
	return nil
}

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
