package main

import (
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// allowedOnce tests that a call that was denied by the hook or by idumb's
// own tool passes after a user allows it. The agent must be shown who
// allowed it, and the next identical call must be denied again. The user
// does not need to give more than a reason.
func allowedOnce(s *stage) {
	s.idumb("create", "workplan", "shop", "--title", "A shop", "--accept", "People can buy", "--state", "active")
	s.idumb("create", "task", "form", "--plan", "shop", "--title", "The form", "--expect", "A form", "--state", "active", "--paths", "docs/**")
	const push, all = "git push --force", "git push --force --all"
	allow := s.during(func() {
		denial := strings.TrimSpace(s.idumb("violations", "-o", "jsonpath={.items[-1:].denial}"))
		s.idumb("allow", denial, "--reason", "it is mine")
	})
	const allowed = "ALLOWED ONCE by person/"

	s.play(s.actor, clients.Options{Unguarded: true}, []string{"build the form"}, model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write("form.html", "<form>\n")),
		model.Use(s.Write("form.html", "<form>\n")).Wanting("GOVERNANCE BLOCK", "outside task").Doing(allow),
		model.Use(s.Write("form.html", "<form>2\n")).Wanting(allowed, "it is mine").Rejecting("GOVERNANCE BLOCK"),
		model.Use(s.Shell(push)).Wanting("GOVERNANCE BLOCK", "outside task"),
		model.Use(s.Shell(push)).Wanting("GOVERNANCE BLOCK", "git-force-push").Doing(allow),
		model.Use(s.Shell(push)).Wanting(allowed).Rejecting("GOVERNANCE BLOCK"),
		model.Use(s.Own("govern_shell", map[string]any{"command": all})).Wanting("GOVERNANCE BLOCK", "git-force-push"),
		model.Use(s.Own("govern_shell", map[string]any{"command": all})).Wanting("git-force-push").Doing(allow),
		model.Use(s.Own("govern_shell", map[string]any{"command": all})).Wanting(allowed, "exitCode"),
		model.Say("Built.").Wanting("git-force-push"),
	}})

	s.wantFile("form.html", "<form>\n")
	events := s.idumb("get", "events")
	for reason, want := range map[string]int{"AllowedOnce": 3, "Granted": 3} {
		s.check(strings.Count(events, reason) == want, "%d events %s, want %d:\n%s", strings.Count(events, reason), reason, want, events)
	}
	s.check(s.idumb("allow", "--list") == "", "a grant is left")
}
