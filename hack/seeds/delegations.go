package main

import (
	"strings"
	"time"
)

func delegation(s *scene) {
	s.sh(`idumb create workplan p --title P --accept x --state active --category research; idumb create workplan dev --title Dev --accept x --state active --category development
		idumb create task a --plan dev --expect 'A form'; idumb create task r --plan p --expect x`)
	s.controller()
	s.sh(`idumb init --agent none --roles full`)
	a := s.claude("s1")
	boss := a.sub("b1", "idumb-coordinator")
	boss.doesNot("govern_delegate", map[string]any{"action": "assign", "task": "r", "to": "executor"}, "research")
	boss.does("govern_delegate", map[string]any{"action": "assign", "task": "a", "to": "executor", "name": "d", "allowedTools": []string{"write"}, "expectedOutput": "a form that posts"})
	s.refused(`idumb create delegation --task a --from executor --to coordinator`, "above")
	child, told := a.spawn("c1", "general-purpose", "delegation/d go")
	s.want(told.Context, "a form that posts", "write")
	s.sh(`idumb start a`)
	child.denied(child.write("src/a.go"), "must not start with it") // the first tools of the full executor
	child.does("govern_task", map[string]any{"action": "status"})
	child.allowed(child.write("src/a.go"))
	child.denied(child.bash("ls"), `delegation "d"`)
	s.want(s.sh(`idumb tree --delegations`), "coordinator > executor", "accepted", "tools: write")
	s.sh(`idumb recall d`)
	said := child.denied(child.write("src/a.go"), "Task \"a\" was taken back")
	s.sh(`idumb create task deep --plan dev --expect x
		idumb create delegation d1 --task deep --from high-governance --to mid-coordinator
		idumb create delegation d2 --task deep --from mid-coordinator --to executor
		idumb create delegation d3 --task deep --from executor --to verifier`)
	s.is("delegation/d3", ".status.depth", "3")
	s.refused(`idumb create delegation --task deep --from verifier --to debugger`, "3")
	s.sh(`idumb create task round --plan dev --expect x; idumb create delegation d4 --task round --from executor --to verifier`)
	s.refused(`idumb create delegation --task round --from verifier --to executor`, "return to an agent that delegated it")
	s.saw("assigned with output and tools, delivered to the delegate, routed by category, at most 3 deep, and %q", line(said, "WHY: "))
}

func background(s *scene) {
	s.plan("a", "b")
	s.sh(`idumb create delegation d --task a --from solo --to executor; idumb start a`)
	a := s.claude("s1")
	child, asked := a.spawn("c1", "general-purpose", "delegation/d go")
	a.allowed(asked)
	child.writeAllowed("src/a.go")
	s.is("session/s1.c1", ".spec.parent", "s1")
	s.is("session/s1.c1", ".spec.delegation", "d")
	s.want(s.sh(`idumb get delegation d -o wide`), "s1.c1")
	child.event("SubagentStop", map[string]any{"stop_hook_active": true})
	if s.field("session/s1.c1", ".spec.endedAt") == "" {
		s.failed("the end of a child session is kept")
	}
	s.controller()
	o := s.opencode()
	o.ask("message", map[string]any{"text": "hi"})
	denied := o.ask("tool.before", map[string]any{"tool": "write", "args": map[string]any{"filePath": ".idumb/config.json"}, "call": "c"})
	s.want(text(denied["deny"]), "GOVERNANCE BLOCK")
	s.want(text(denied["toasts"]), "message")
	inside := map[string]any{"session": "ses_2", "parent": "ses_1", "agent": "general", "text": "delegation/e go"}
	s.sh(`idumb create delegation e --task b --from solo --to executor --expect 'a page that prints'`)
	name := text(o.ask("message", inside)["name"])
	s.want(text(o.ask("system", inside)["system"]), "a page that prints")
	s.is("session/"+name, ".spec.delegation", "e")
	s.want(s.field("session/"+name, ".spec.parent"), "ses-1")
	o.ask("idle", nil)
	if out, ok := a.client.Shell("idumb complete a --evidence seen"); !ok { // whose task it is: the delegate of this process may not
		s.failed("the session that started a task completes it; it printed %q", out)
	}
	s.want(text(o.ask("idle", nil)["toasts"]), "Task a is completed")
	s.saw("child sessions are tracked below their parent and their delegation until they end; OpenCode shows a toast for a denial and for a task that another process completed")
}

func swarms(s *scene) {
	s.plan("look")
	s.sh(`idumb start look`)
	a := s.claude("s1")
	finder, asked := a.spawn("f1", "Explore", "task/look find out about tokens")
	a.allowed(asked)
	finder.does("mem", map[string]any{"action": "save", "name": "tokens", "content": "Tokens live 30 days"})
	s.is("mem/tokens", ".spec.originTask", "look")
	other, _ := a.spawn("f2", "Explore", "task/look find out about cookies")
	other.does("mem", map[string]any{"action": "save", "name": "cookies", "content": "Cookies are httpOnly"})
	s.is("mem/cookies", ".spec.originTask", "look")
	finder.denied(finder.write("src/a.go"), "investigator")
	s.want(a.denied(a.bash(`idumb research 'where do tokens live?'`)), "govern_delegate")
	a.doesNot("govern_delegate", map[string]any{"action": "research", "task": "look", "question": "where?"}, "research is off")
	s.file("bin/claude", "#!/bin/sh\ncat >asked\necho '"+`{"type":"result","result":"FINDING: tokens live in Redis, db.go:3","total_cost_usd":0.5}`+"'\n")
	s.sh(`chmod +x bin/claude; own="${XDG_CONFIG_HOME:-$HOME/.config}/idumb"; mkdir -p "$own"; echo '{"research": {"hosts": ["claude"], "perDay": 1}}' >"$own/config.json"`)
	s.want(s.sh(`PATH=$PWD/bin:$PATH idumb research --wait --task look 'where do tokens live?'`), "completed: 1 mems", "$0.5000")
	s.want(s.sh(`idumb get mems -o yaml`), "tokens live in Redis, db.go:3")
	s.refused(`PATH=$PWD/bin:$PATH idumb research --wait --task look 'and cookies?'`, "1 of 1")
	s.saw("two researchers in child sessions save findings as mems of their task, and cannot write files; a headless researcher runs only if the user allows it, at most N times a day, and its cost is shown")
}

func redirect(s *scene) {
	s.sh(`idumb create workplan p --title P --accept x --state active --category research; idumb create task r --plan p --expect x --assign investigator`)
	a := s.claude("s1")
	said := a.doesNot("govern_delegate", map[string]any{"action": "assign", "task": "r", "to": "executor"}, `useInstead`, "investigator")
	s.sh(`idumb create delegation w --task r --from solo --to investigator --expect 'three places'`)
	s.want(a.does("govern_delegate", map[string]any{"action": "revoke", "name": "w", "to": "investigator"}), `"recalled":"w"`, "delegation/del-")
	s.is("delegation/w", ".spec.state", "recalled")
	s.want(s.sh(`idumb get delegations -o 'jsonpath={range .items[*]}{.spec.to}:{.spec.state}:{.spec.expectedOutput}{"\n"}{end}'`), "investigator::three places", "investigator:recalled:three places")
	s.sh(`idumb get delegations -o name | grep -v '/w$' | sed 's,.*/,,' | xargs idumb recall`)
	a.does("govern_delegate", map[string]any{"action": "assign", "task": "r", "to": "investigator", "name": "d"})
	child, _ := a.spawn("c1", "Explore", "delegation/d go")
	child.does("govern_task", map[string]any{"action": "start", "task": "r"})
	child.does("govern_task", map[string]any{"action": "complete", "task": "r", "evidence": "three places found"})
	s.want(a.does("govern_task", map[string]any{"action": "status", "task": "r"}), "three places found")
	s.is("delegation/d", ".status.phase", "done")
	s.dated("mems/old", `{"content": "old", "staleAfter": "24h"}`, 72*time.Hour)
	s.want(s.sh(`idumb mem review`), "old")
	s.sh(`idumb create task r2 --plan p --expect x --assign investigator; idumb create delegation e --task r2 --from solo --to investigator`)
	wrong := a.wants("Agent", map[string]any{"subagent_type": "general-purpose", "prompt": "delegation/e go", "description": "d"})
	s.documents("the start of the wrong agent is redirected to the right one", strings.Contains(wrong.Printed, `"updatedInput"`) || wrong.Decision == "deny" && strings.Contains(wrong.Reason, `Start the agent "idumb-investigator"`))
	s.documents("the results of background work are gathered for the delegating agent", strings.Contains(a.prompt("which results came back?").Context, "three places found"))
	s.dated("anchors/stale-one", `{"content": "x", "priority": "high"}`, 49*time.Hour)
	s.documents("a stale anchor is on the list for validation", strings.Contains(s.sh(`idumb review 2>&1 || true; idumb anchor review 2>&1 || true; idumb get needs`), "stale-one"))
	s.sh(`idumb mem confirm old`)
	s.lacks(s.sh(`idumb mem review`), "old")
	s.saw("an assignment to the wrong agent is redirected, results are returned with the task, old mems are listed for review: %q", oneLine(said))
}
