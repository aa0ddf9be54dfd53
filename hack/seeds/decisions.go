package main

import (
	"encoding/json"
	"strings"
)

// decisions checks that a task with an open decision cannot start or be written for, that agents
// may propose but not decide, and that avoided technologies are rejected.
func decisions(s *scene) {
	s.plan("a")
	const name = "sessions-are-kept-in-postgresql"
	a := s.claude("s1")
	a.does("govern_plan", map[string]any{"action": "decide", "title": "Sessions are kept in PostgreSQL", "uses": []string{"pg"}, "avoids": []string{"mongodb", "mongoose@<9"}, "reason": "we run it", "task": "a"})
	s.is("task/a", ".status.blockedBy[0]", "decision/"+name)
	s.is("task/a", ".status.conditions[0].reason", "DecisionUnresolved")

	s.refused(`idumb start a`, "blocked by decision/"+name, "idumb decide accept "+name)
	a.doesNot("govern_task", map[string]any{"action": "start", "task": "a"}, "decision")
	s.sh(`idumb patch task a -p '{"spec":{"state":"active"}}'`)
	s.is("task/a", ".status.phase", "blocked")
	said := a.denied(a.write("src/a.go"), name)
	a.denied(a.bash("echo x > src/a.go"), name)

	accepted := `{"spec":{"title":"Sessions are kept in PostgreSQL","state":"accepted"}}`
	for _, asked := range []struct{ way, decision string }{
		{"by command", a.bash("idumb decide accept " + name).Decision},
		{"by patch", a.bash(`idumb patch decision ` + name + ` -p '{"spec":{"state":"accepted"}}'`).Decision},
		{"by file", a.wants("Write", map[string]any{"file_path": a.Dir + "/.idumb/decisions/" + name + ".json", "content": accepted}).Decision},
		{"by a new file", a.wants("Write", map[string]any{"file_path": a.Dir + "/.idumb/decisions/mine.json", "content": accepted}).Decision},
		{"by redirection", a.bash("echo '" + accepted + "' > .idumb/decisions/" + name + ".json").Decision},
		{"by tool", a.wants("mcp__idumb__govern_plan", map[string]any{"action": "decide", "name": name, "do": "accept"}).Decision},
	} {
		if asked.decision != "ask" {
			s.failed("an agent cannot accept %s without the user's permission; the decision was %q", asked.way, asked.decision)
		}
	}
	a.bash("ls") // withdraws the question
	s.file("accept.sh", "idumb decide accept "+name+"\n")
	if out, ok := a.types("sh accept.sh"); ok {
		s.failed("a script does not accept for an agent; it printed %q", out)
	}
	s.is("decision/"+name, ".status.phase", "unresolved")

	s.sh(`idumb decide accept ` + name)
	s.is("decision/"+name, ".status.phase", "resolved")
	a.writeAllowed("src/a.go")
	s.want(a.bash("npm install mongodb").Context, "decision/"+name, "we run it", `Take "pg"`)
	s.sh(`idumb patch decision ` + name + ` -p '{"spec":{"onViolation":"deny"}}'`)
	a.denied(a.bash("npm install mongoose@8"), `"mongoose@8"`, `Take "pg"`)
	a.allowed(a.bash("npm install mongoose@9"))
	manifest, _ := json.Marshal(map[string]any{"dependencies": map[string]string{"mongodb": "^6"}})
	a.denied(a.wants("Write", map[string]any{"file_path": a.Dir + "/package.json", "content": string(manifest)}), `"mongodb@^6"`)

	s.sh(`idumb decide 'Sessions in the edge cache' --name edge --supersedes ` + name + `; idumb decide accept edge; idumb decide reject edge --reason costly`)
	s.is("decision/"+name, ".status.phase", "resolved")
	s.controller()
	s.eventually("a mem contains the reason", func() bool { return strings.Contains(s.sh(`idumb get mems -o json`), "we run it") })

	s.sh(`idumb decide 'One' --name one; idumb decide 'Two' --name two`)
	a.bash("idumb decide accept one")
	if out, ok := a.client.Shell("idumb decide accept one"); !ok { // as allowed by the user
		s.failed("a command that the user allowed accepts; it printed %q", out)
	}
	a.does("govern_plan", map[string]any{"action": "decide", "name": "two", "do": "accept"})
	s.is("decision/two", ".spec.decidedBy", "session/s1")
	s.file("package.json", `{"dependencies": {"react": "18.2.0"}}`)
	s.want(s.sh(`idumb get tech`), "react", "18.2.0", "package.json:1")
	s.saw("technologies have versions and their line in the manifest; a task with an open decision is blocked by every route: %q; agents propose, only the user accepts, avoided technologies are rejected, and an accepted decision is saved as a mem", line(said, "WHAT: "))
}
