package main

import (
	"fmt"
	"regexp"
	"strings"
)

func checkpoints(s *scene) {
	s.plan("a")
	a := s.claude("s1")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	a.writeAllowed("src/a.go")
	a.allowed(a.wants("Edit", map[string]any{"file_path": a.Dir + "/src/b.go", "old_string": "a", "new_string": "b"}))
	a.reports("")
	for _, command := range []string{"go test ./...", "make build", "git commit -m x"} {
		a.ran(command)
	}
	for _, command := range []string{"ls -l", "grep x src/a.go", "git status", "cat src/a.go"} {
		a.ran(command)
	}
	a.wants("Read", map[string]any{"file_path": a.Dir + "/src/a.go"})
	a.reports("")
	log := s.readFile(".idumb/checkpoints/a.jsonl")
	s.want(log, `"go test ./..."`, `"make build"`, `"git commit -m x"`)
	s.lacks(log, "ls -l", "grep", "git status", "cat ", `"tool":"read"`)
	s.is("task/a", ".status.checkpoints.count", "5")
	s.is("task/a", ".status.artifacts", `["src/a.go","src/b.go"]`)
	a.printed("npm test", "Tests:       4 passed, 4 total\n")
	s.want(s.readFile(".idumb/checkpoints/a.jsonl"), `"summary":"npm test (4 passed, 0 failed)"`)
	s.want(s.sh(`idumb context --task a`), ago(0)[:10]+" "+ago(0)[11:13]+":", "npm test (4 passed, 0 failed)")
	s.saw("5 checkpoints of a write, an edit, a test, a build and a commit, with the time of day and the result (4 passed, 0 failed); none of 5 reads; 2 artifacts")
}

func instructiveErrors(s *scene) {
	s.plan("schema")
	s.sh(`idumb create task form --plan p --expect x --after schema --reason 'tables first' --paths 'src/**'; idumb start schema`)
	a := s.claude("s1")
	said := a.denied(a.write("src/a.go"), "GOVERNANCE BLOCK: write denied", "WHAT: ", "WHY: ", "USE INSTEAD: ", "EVIDENCE: ", "CHAIN p [active]", "schema [active]", "form [blocked]", "tables first")
	s.want(a.denied(a.write("src/a.go")), "again")
	b := s.claude("s2")
	s.writeObject("sessions/s2", `{"host": "claude", "startedAt": "`+ago(0)+`", "lastSeenAt": "`+ago(0)+`", "activeTask": "schema", "counters": {"turns": 30, "quietTurns": 30, "toolCalls": 40, "violations": 20}}`)
	s.want(b.denied(b.write("src/a.go")), "DRIFT: ")
	s.documents("the denial gives the poisoning level, with the tool outputs in context and the stale ones", regexp.MustCompile(`(?i)poison[^\n]*\b\d+ tool outputs?[^\n]*\b\d+ stale`).MatchString(said))
	s.documents("the drift warning counts the anchors and checkpoints of the session", regexp.MustCompile(`(?i)drift[^\n]*\b\d+ anchors?[^\n]*\b\d+ checkpoints?`).MatchString(said))
	s.saw("%q, with WHY, USE INSTEAD, EVIDENCE, the chain, how often it was tried, and the session's drift", line(said, "WHAT: "))
}

func writeGate(s *scene) {
	s.plan("a")
	s.sh(`idumb create task narrow --plan p --expect x --tools edit --paths 'docs/**'`)
	a := s.claude("s1")
	said := a.denied(a.write("src/a.go"), "no active task")
	a.denied(a.bash("echo x > src/a.go"))
	s.want(a.denied(a.write("src/a.go")), "again")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	a.writeAllowed("src/a.go")
	child, _ := a.spawn("a1", "general-purpose", "go on")
	child.allowed(child.write("src/b.go"))
	a.does("govern_task", map[string]any{"action": "complete", "task": "a", "evidence": "seen"})
	a.does("govern_task", map[string]any{"action": "start", "task": "narrow"})
	a.denied(a.write("docs/a.md"), `"narrow"`, "tool")
	edit := func(file string) map[string]any {
		return map[string]any{"file_path": a.Dir + "/" + file, "old_string": "a", "new_string": "b"}
	}
	a.denied(a.wants("Edit", edit("src/a.go")), `outside task "narrow"`)
	a.allowed(a.wants("Edit", edit("docs/a.md")))
	a.does("govern_task", map[string]any{"action": "complete", "task": "narrow", "evidence": "seen"})
	s.sh(`idumb create task given --plan p --expect x; idumb start given`)
	s.claude("s2").writeAllowed("src/c.go")
	s.is("session/s2", ".spec.activeTask", "given")
	s.saw("%q; a retry is called one, sessions and subagents inherit the task, tools and paths of a task bound it", line(said, "WHAT: "))
}

func fileLocks(s *scene) {
	s.plan("a")
	s.sh(`idumb create task other --plan p --expect x --locks 'src/{db,sql}/**'; idumb start a other`)
	a := s.claude("s1")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	said := a.denied(a.write("src/db/1.sql"), `"other"`)
	a.allowed(a.write("src/api/a.go"))
	s.sh(`idumb complete other --evidence seen`)
	a.allowed(a.write("src/db/1.sql"))
	s.saw("%q until that task is done", line(said, "WHAT: "))
}

func chainRules(s *scene) {
	s.wantSame("the rules", s.sh(`idumb get chainrules -o name | sed 's,.*/,,' | tr '\n' ' '`), "init-01 phase-01 phase-02 phase-03 proj-01 proj-02 val-01")
	s.wantSame("their levels", s.sh(`idumb get chainrules -o jsonpath='{.items[*].spec.level}'`), "HARD_BLOCK HARD_BLOCK WARN WARN SOFT_BLOCK SOFT_BLOCK HARD_BLOCK")
	s.sh(`idumb create workplan p --title P --accept x; idumb create task a --plan p --expect x; mkdir planning; touch planning/STATE.md`)
	a := s.claude("s1")
	said := a.denied(a.bash(`idumb start a`), "phase-01")
	a.denied(a.bash(`idumb start a --force`), "phase-01")
	a.allowed(a.bash(`idumb start a --emergency`))
	a.denied(a.bash(`idumb create workplan q --title Q --accept x`), "PROJECT.md", "--force")
	a.allowed(a.bash(`idumb create workplan q --title Q --accept x --force`))
	a.denied(a.bash(`idumb archive workplan/p`), "val-01")
	s.want(a.bash(`idumb create delegation d --task a --from coordinator --to executor`).Printed, "phase-02")
	for _, looks := range []string{`idumb status`, `idumb help`, `idumb doctor`, `idumb get tasks`} {
		a.allowed(a.bash(looks))
	}
	s.want(s.sh(`idumb events`), "phase-01", "--emergency", "proj-01", "--force")
	s.want(s.sh(`idumb start a --dry-run 2>&1`), "warning: rule \"phase-01\"", "It denies agents only.", "started (dry run)")
	s.saw("%q; --force passes a SOFT_BLOCK, --emergency any, both are events; looking is exempt, people are warned", line(said, "WHAT: "))
}

func stalls(s *scene) {
	s.plan("a")
	a := s.claude("s1")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	for range 3 {
		a.broke("go test ./...", "Exit code 1\nundefined: foo")
	}
	s.want(a.bash("go test ./...").Context, "same-error")
	for range 4 {
		for _, kind := range []string{"planner", "plan-checker"} {
			a.wants("Agent", map[string]any{"subagent_type": kind, "prompt": "task/a", "description": "d"})
		}
	}
	s.want(s.field("session/s1", ".spec.raised"), "planner-checker-loop")
	said := ""
	for i := 0; i < 12 && said == ""; i++ {
		said = a.bash("ls src").Reason
	}
	s.want(said, `"runaway-loop" halted it`)
	s.want(s.readFile(".idumb/checkpoints/a.jsonl"), `"tool":"halt"`, "runaway-loop")
	s.wantSame("exports of the halt", s.sh(`cat .idumb/sessions/exports/*.json | grep -c '"reason": "halt"'`), "1")
	s.wantStuck()
	s.deepest()
	s.saw("a warning for the same error 3 times, for planner and checker in 3 rounds, or in 4 with the same plan written again; a halt with a checkpoint for 10 equal calls or 8 equal errors, and an anchor with the obstacle of the task")
}

// wantStuck edits and tests without success, and repeats the checks of one plan.
func (s *scene) wantStuck() {
	s.controller()
	a := s.claude("s1")
	a.turn("go on")
	const alike, most = 8, 12 // a hook without an answer in time does not distinguish errors and counts none
	asked := a.bash("npm test")
	for failed := 0; failed < alike || failed < most && asked.Decision == ""; failed++ {
		a.allowed(asked)
		a.reports("Exit code 1\nTypeError: x is not a function")
		a.writeAllowed("src/a.go")
		asked = a.bash("npm test")
	}
	a.denied(asked, `"stuck" halted it`)
	s.want(s.sh(`idumb get anchors -o json`), `"name": "halt-a-`, "Stuck at task a: TypeError: x is not a function")
	s.want(s.sh(`idumb context`), "Stuck at task a")
	a.turn("go on")
	for range 6 {
		for _, kind := range []string{"planner", "plan-checker"} {
			a.wants("Agent", map[string]any{"subagent_type": kind, "prompt": "task/a", "description": "d"})
		}
		a.writeAllowed("PLAN.md")
	}
	s.want(s.field("session/s1", ".spec.raised"), "review-loop")
}

// deepest delegates work one level too deep: the fourth delegation causes an emergency halt with a
// checkpoint.
func (s *scene) deepest() {
	s.sh(`idumb init --agent none --roles full; idumb patch role solo -p '{"spec":{"delegatesTo":["mid-coordinator"]}}'; idumb create task chain --plan p --expect x`)
	a := s.claude("deep")
	a.does("govern_task", map[string]any{"action": "start", "task": "chain"})
	for _, kind := range []string{"idumb-mid-coordinator", "idumb-codebase-mapper", "idumb-verifier"} {
		child, asked := a.spawn(kind, kind, "task/chain go")
		if asked.Decision == "deny" {
			s.failed("three levels are open; %s", asked.Reason)
		}
		a = child
		a.call("govern_task", map[string]any{"action": "status"}) // required by its role
		a.wants("Read", map[string]any{"file_path": a.Dir + "/src/a.go"})
		a.reports("")
	}
	_, asked := a.spawn("deepest", "idumb-debugger", "task/chain go")
	a.denied(asked, "3 times")
	log := ""
	if s.exists(".idumb/checkpoints/chain.jsonl") {
		log = s.readFile(".idumb/checkpoints/chain.jsonl")
	}
	s.documents("a delegation deeper than 3 is an emergency halt with a checkpoint", strings.Contains(log, `"tool":"halt"`))
}

func logOrEnforce(s *scene) {
	s.plan("a")
	a := s.claude("s1")
	s.sh(`idumb patch config -p '{"spec":{"mode":"log"}}'`)
	a.allowed(a.write("src/a.go"))
	told := a.reports("").Printed
	s.want(told, "no active task")
	s.want(s.sh(`idumb violations`), "would deny", "write-gate", "src/a.go")
	s.is("session/s1", ".spec.counters.violations", "1")
	s.sh(`idumb patch config -p '{"spec":{"mode":"enforce"}}'`)
	a.denied(a.write("src/a.go"))
	s.want(s.sh(`idumb violations`), "denied")
	o := s.opencode()
	o.ask("message", map[string]any{"text": "hi"})
	through := o.ask("tool.after", map[string]any{"tool": "write", "args": map[string]any{"filePath": "src/a.go"}, "call": "ses_1/call_1"})
	s.want(text(through["output"]), "no active task")
	s.saw("mode log allows a write and reports it afterwards; enforce denies it; both are counted; the output of an allowed violation is replaced in OpenCode")
}

func preStopGate(s *scene) {
	s.plan()
	s.sh(`idumb create task a --plan p --expect 'A form' --evidence-file 'src/**' --evidence-command 'go test ./...'`)
	a := s.claude("s1")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	a.writeAllowed("src/a.go")
	held := a.event("Stop", nil)
	s.wantSame("the decision", held.Decision, "block")
	s.want(held.Reason, `command "go test ./..."`, "Expected: A form", "USE INSTEAD")
	s.lacks(held.Reason, `a written file`)
	s.wantSame("a second stop in one turn", a.event("Stop", map[string]any{"stop_hook_active": true}).Decision, "") // documents hand the checklist over once with each prompt
	s.file("docs/plan.md", "# Plan\n")
	s.sh(`idumb artifact adopt docs/plan.md --type plan`)
	a.prompt("go on")
	a.writeAllowed("docs/plan.md")
	for i := range 10 {
		a.writeAllowed(fmt.Sprintf("src/more%d.go", i))
	}
	again := a.event("Stop", nil)
	s.documents("the agent is held in each turn in which the checklist fails", again.Decision == "block")
	s.documents("the checklist requires saved and linked artifacts", strings.Contains(again.Reason, "artifact plan is not linked"))
	s.documents("the checklist requires a commit above a threshold of uncommitted changes", strings.Contains(again.Reason, "12 files written for it are not committed"))
	a.prompt("what is left?")
	s.wantSame("a stop with a question", a.event("Stop", map[string]any{"last_assistant_message": "All is done. Shall I test it?"}).Decision, "")
	a.prompt("test it")
	a.ran("go test ./...")
	a.does("govern_task", map[string]any{"action": "complete", "task": "a"})
	s.wantSame("a stop when it is done", a.event("Stop", nil).Decision, "")
	s.saw("held with the checklist %q, once a turn, until the task is complete", line(held.Reason, "- "))
}

// line returns the line of a text with a prefix.
func line(text, begins string) string {
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, begins) {
			return strings.TrimSpace(l)
		}
	}
	return ""
}
