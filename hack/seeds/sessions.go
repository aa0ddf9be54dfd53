package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// export is an export of a session (idumb explain exports).
type export struct {
	Schema, Reason, StaleAfter, Record, Plan, Task, TaskPhase, LastWords string
	Complete                                                             bool
	StalenessHours                                                       int
	Counters                                                             struct{ ToolCalls, Writes, Compactions, Turns int }
	Tools                                                                map[string]int
	Tasks                                                                []struct{ Name, Parent, Stage, Phase string }
	Files, Mems, Issues                                                  []string
	Commands                                                             []struct {
		Line      string
		Succeeded bool
	}
	Messages []any
}

// restOf returns the export that a running controller writes when a session becomes idle or ends.
func (s *scene) restOf(session string) (found export) {
	s.eventually("the session's export", func() bool {
		files, _ := filepath.Glob(s.Path("sessions", "exports", session+"-*.json"))
		for _, file := range files {
			data, err := os.ReadFile(file)
			e := export{}
			if err == nil && json.Unmarshal(data, &e) == nil && (e.Reason == "idle" || e.Reason == "end") {
				found = e
			}
		}
		return found.Reason != ""
	})
	return found
}

// works runs a session that works on task a and ends with the words.
func (s *scene) works(name, words string) *agent {
	a := s.claude(name)
	a.event("SessionStart", map[string]any{"source": "startup"})
	a.prompt("build it")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	a.writeAllowed("src/" + name + ".go")
	a.ran("go test ./...")
	a.event("SessionStart", map[string]any{"source": "compact"})
	a.does("mem", map[string]any{"action": "save", "name": "found-" + name, "content": "Found by " + name})
	a.event("Stop", map[string]any{"last_assistant_message": words})
	return a
}

func governanceState(s *scene) {
	s.plan("a", "b")
	s.sh(`idumb patch task b -p '{"spec":{"dependsOn":["a"],"state":"active"}}'`)
	s.controller()
	a := s.claude("s1")
	a.event("SessionStart", map[string]any{"source": "startup"})
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	a.writeAllowed("src/a.go")
	for range 3 {
		a.event("SessionStart", map[string]any{"source": "compact"})
	}
	a.event("Stop", nil)
	s.want(s.readFile(".idumb/sessions/s1.json"), `"compactions": 3`, `"writes": 1`, `"activeTask": "a"`)
	s.want(s.sh(`idumb top sessions -o wide`), "Write=1", "mcp__idumb__govern_task=1")
	s.want(s.field("session/s1", ".status.triggers"), "compacted-often")
	s.sh(`idumb patch task a -p '{"spec":{"staleAfter":"1s"}}'`)
	time.Sleep(1100 * time.Millisecond)
	s.eventually("on-stale", func() bool { return strings.Contains(s.field("session/s1", ".status.triggers"), "stale-task") })
	s.writeObject("sessions/s2", `{"host": "claude", "activeTask": "b", "startedAt": "`+ago(0)+`", "lastSeenAt": "`+ago(0)+`"}`)
	s.sh(`idumb abandon a --reason 'not wanted'`)
	s.eventually("on-chain-break", func() bool { return strings.Contains(s.field("session/s2", ".status.triggers"), "broken-chain") })
	s.saw("task, tools by use, writes and compactions are counted; triggers fire on a stale task, a broken chain and the third compaction")
}

func sessionRecords(s *scene) {
	s.plan("a")
	s.sh(`idumb create anchor opaque --type decision --priority critical --content 'Tokens are opaque'`)
	s.controller()
	a := s.works("s1", "All is done.")
	a.event("SessionEnd", map[string]any{"reason": "exit"})
	e := s.restOf("s1")
	s.wantSame("its task", e.Plan+"/"+e.Task+" "+e.TaskPhase, "p/a active")
	s.wantSame("its files", strings.Join(e.Files, " "), "src/s1.go")
	s.want(s.sh(`cat .idumb/sessions/exports/s1-*.json`), `"anchors": [`, `"opaque"`)
	s.wantSame("its mems", strings.Join(e.Mems, " "), "found-s1")
	s.wantSame("its compactions", fmt.Sprint(e.Counters.Compactions), "1")
	if e.Tools["Write"] != 1 || e.Tools["Bash"] != 1 || len(e.Commands) != 1 {
		s.failed("an export counts tools and commands; %v %v", e.Tools, e.Commands)
	}
	s.want(s.sh(`idumb session resume s1`), "Task: workplan/p > task/a [active]", "Wrote: src/s1.go", "Last words: All is done.")
	s.want(s.sh(`idumb session prune --older-than 0 2>&1`), "session.idumb.dev/s1 archived", "task/a is released")
	s.sh(`test -z "$(ls -A .git/idumb/leases 2>/dev/null | grep '^a')"`)
	child, _ := s.claude("s2").spawn("c1", "general-purpose", "task/a go")
	s.is("session/"+child.session+".c1", ".spec.parent", "s2")
	s.saw("tools %v, files %v, task %s, anchor opaque, mems %v, 1 compaction, parent and child; resumed and set aside by a user", e.Tools, e.Files, e.Task, e.Mems)
}

func triggers(s *scene) {
	const shipped = "hallucination-alert cancel 3 tighten; runaway-loop call 10 halt; export-synthesis export 4 synthesize; "
	s.wantSame("the triggers", s.sh(`idumb get triggers hallucination-alert runaway-loop export-synthesis -o jsonpath='{range .items[*]}{.metadata.name} {.spec.event} {.spec.count} {.spec.action}; {end}'`), strings.TrimSpace(shipped))
	s.plan("a")
	s.sh(`idumb patch config -p '{"spec":{"mode":"log"}}'`)
	s.controller()
	a := s.claude("alert")
	for range 3 {
		a.allowed(a.bash("make"))
		cancelled := map[string]any{"error": "The user doesn't want to proceed with this tool use", "is_interrupt": true}
		for name, value := range a.last {
			cancelled[name] = value
		}
		a.event("PostToolUseFailure", cancelled)
	}
	s.want(a.prompt("what?").Context, "hallucination-alert", "the user stopped 3 or more of your calls")
	a.denied(a.write("src/x.go"))
	s.sh(`idumb patch config -p '{"spec":{"mode":"enforce"}}'`)
	for i := range 4 {
		name := fmt.Sprintf("s%d", i)
		w := s.works(name, "Found that way "+name+" works.")
		w.does("govern_task", map[string]any{"action": "review", "task": "a"})
		w.event("SessionEnd", map[string]any{"reason": "exit"})
		s.wantSame("last words of "+name, s.restOf(name).LastWords, "Found that way "+name+" works.")
	}
	s.eventually("4 exports make a mem", func() bool { return strings.Contains(s.sh(`idumb get mems -o json`), `"source": "exports"`) })
	s.documents("each turn's last message is exported, and 4 of them are made a mem", s.turnsExported())
	b := s.claude("packed")
	for range 2 {
		b.event("PreCompact", map[string]any{"trigger": "auto"})
		b.event("SessionStart", map[string]any{"source": "compact"})
	}
	s.wantSame("compactions that were seen", s.field("session/packed", ".spec.counters.compactions"), "2")
	s.documents("each compaction makes a snapshot of the session", s.sh(`grep -l '"reason": "compaction"' .idumb/sessions/exports/packed-*.json | wc -l`) == "2")
	s.saw("3 cancels raise an alert and tighten, calls alike are counted to 10 in 2m, last words are exported, 4 exports became a mem")
}

// turnsExported ends 4 turns of one session and reports whether each has an export, and whether
// they became a mem.
func (s *scene) turnsExported() bool {
	a := s.claude("talks")
	for i := range 4 {
		a.prompt("go on")
		a.event("Stop", map[string]any{"last_assistant_message": fmt.Sprintf("Turn %d found the cause in step %d.", i, i)})
	}
	all := s.sh(`cat .idumb/sessions/exports/talks-*.json`)
	for i := range 4 {
		if !strings.Contains(all, fmt.Sprintf("Turn %d found", i)) {
			return false
		}
	}
	s.eventually("4 turns make a mem", func() bool { return strings.Contains(s.sh(`idumb get mems -o json`), "Turn 0 found") })
	return true
}

func sessionExports(s *scene) {
	s.plan()
	s.sh(`idumb create task whole --plan p --expect x; idumb create task a --plan p --parent whole --expect x --evidence-command 'make release'`)
	s.controller()
	a := s.works("s1", "Half of it is done.")
	a.does("govern_task", map[string]any{"action": "review", "task": "a"})
	s.sh(`sed -i -E 's/("lastSeenAt"|"endedAt"): "[^"]*"/\1: "` + ago(3*time.Hour) + `"/' .idumb/sessions/s1.json`)
	e := s.restOf("s1")
	s.want(e.Schema, "idumb.dev/session-export/v")
	s.wantSame("its staleness", fmt.Sprint(e.StalenessHours, " ", e.StaleAfter), "3 48h")
	if e.Complete || !strings.Contains(strings.Join(e.Issues, " "), "make release") || len(e.Tasks) == 0 || e.Tasks[0].Parent != "whole" {
		s.failed("an export contains its tasks with their parents, and the open work; %+v", e)
	}
	s.sh(`idumb doctor`)
	s.file(".idumb/sessions/exports/bad-1.json", `{"schema": "x"}`)
	s.want(s.refused(`idumb doctor`), `unknown schema "x"`)
	s.file(".idumb/sessions/exports/bad-1795531343985.json", `{"schema": "x"}`)
	s.want(s.claude("s2").event("SessionStart", map[string]any{"source": "startup"}).Printed, "bad-1795531343985.json cannot be read")
	s.saw("exported on idle by schema with %d tasks, complete %v because %v, stale by 3 h of 48h; doctor refuses one of another schema", len(e.Tasks), e.Complete, e.Issues)
}

func sessionStates(s *scene) {
	s.plan("a", "b")
	s.controller()
	a := s.claude("s1")
	state := func(want string) { s.is("session/s1", ".spec.state", want) }
	s.want(a.event("SessionStart", map[string]any{"source": "startup"}).Context, "<idumb_context>")
	state("new")
	s.lacks(a.prompt("build it").Context, "<idumb_context>")
	state("working")
	a.event("Stop", nil)
	state("waiting")
	s.want(a.event("SessionStart", map[string]any{"source": "compact"}).Context, "<idumb_context>")
	state("compacted")
	s.want(a.turn("This session is being continued from a previous conversation that ran out of context. Summary: ...").Context, "<idumb_context>")
	a.prompt("go on")
	a.event("Stop", map[string]any{"last_assistant_message": "Can you remind me what we were doing?"})
	s.want(a.prompt("the form").Context, "<idumb_context>")
	state("compacted")
	a.allowed(a.bash("make"))
	a.last["is_interrupt"] = true
	a.reports("The user doesn't want to proceed")
	state("stopped")
	s.sh(`idumb start b; sed -i -E 's/"lastSeenAt": "[^"]*"/"lastSeenAt": "` + ago(3*time.Hour) + `"/' .idumb/sessions/s1.json`)
	s.want(a.event("SessionStart", map[string]any{"source": "resume"}).Context, "you were away for 3 h", "Changed since then", "b")
	state("resumed")
	s.writeObject("sessions/idle", `{"host": "claude", "startedAt": "`+ago(5*time.Hour)+`", "lastSeenAt": "`+ago(2*time.Hour)+`"}`)
	s.writeObject("sessions/over", `{"host": "claude", "startedAt": "`+ago(60*time.Hour)+`", "lastSeenAt": "`+ago(49*time.Hour)+`"}`)
	s.is("session/idle", ".status.phase", "idle")
	s.is("session/over", ".status.phase", "stale")
	s.saw("new and compacted (reported, detected by its summary or by lost words): the whole pack; between turns: changes; stopped; resumed: hours away and what changed")
}

func collection(s *scene) {
	const day = 24 * time.Hour
	for name, age := range map[string]time.Duration{"eight-days": 8 * day, "six-days": 6 * day} {
		s.writeObject("sessions/"+name, `{"host": "claude", "startedAt": "`+ago(age)+`", "lastSeenAt": "`+ago(age)+`", "counters": {"toolCalls": 3}}`)
		at := time.Now().Add(-age)
		s.file(fmt.Sprintf(".idumb/sessions/exports/%s-%d.json", name, at.UnixMilli()),
			`{"schema": "idumb.dev/session-export/v1", "reason": "halt", "exportedAt": "`+ago(age)+`", "lastSeenAt": "`+ago(age)+`", "staleAfter": "48h", "record": "`+name+`", "complete": true}`)
		s.sh(fmt.Sprintf("touch -d @%d .idumb/sessions/exports/%s-*", at.Unix(), name))
	}
	s.controller()
	s.eventually("the session of 8 days ago is in the archive", func() bool { return s.exists(".idumb/archive/sessions/eight-days.json") })
	s.eventually("its halt is removed", func() bool { return !s.exists(".idumb/sessions/exports/eight-days-*.json") })
	if !s.exists(".idumb/sessions/six-days.json") || !s.exists(".idumb/sessions/exports/six-days-*.json") {
		s.failed("the session of 6 days ago and its halt are still there")
	}
	s.saw("sessions and halts of 8 days ago are collected, and kept if they are 6 days old")
}

func splitter(s *scene) {
	s.sh(`idumb init --agent opencode`)
	s.plan("a")
	s.sh(`idumb start a`)
	o := s.opencode()
	o.ask("message", map[string]any{"text": "hi"})
	o.ask("tool.after", map[string]any{"tool": "idumb_govern_task", "args": map[string]any{"action": "start", "task": "a"}, "call": "c"})
	s.wantSame("when a session is split", text(o.ask("idle", nil)["splitAt"]), "80")
	kept := o.ask("export", map[string]any{"messages": []any{map[string]any{"info": map[string]any{"role": "user"}}}})
	s.want(text(kept["summary"]), "Current task: a")
	var e export
	s.must(json.Unmarshal([]byte(s.readFile(text(kept["file"]))), &e))
	s.wantSame("the export", fmt.Sprint(e.Reason, " ", len(e.Messages)), "split 1")
	next := text(o.ask("adopt", map[string]any{"session": "ses_9", "from": "ses_1"})["name"])
	s.is("session/"+next, ".spec.activeTask", "a")
	s.want(s.readFile(".opencode/plugin/idumb.js"), "messages.slice(-6)")
	s.saw("at 80 %% the conversation is exported, the next session adopts its task and begins with the pack and the last 6 messages (hack/e2e/agents: in the real client)")
}

func lastWords(s *scene) {
	s.plan("a")
	s.controller()
	a := s.works("s1", "The first half is done.")
	a.prompt("and the second?")
	a.event("Stop", map[string]any{"last_assistant_message": "Both halves are done."})
	a.does("govern_task", map[string]any{"action": "review", "task": "a"})
	a.event("SessionEnd", map[string]any{"reason": "exit"})
	e := s.restOf("s1")
	s.wantSame("its last words", e.LastWords, "Both halves are done.")
	s.wantSame("turns and compactions", fmt.Sprint(e.Counters.Turns, e.Counters.Compactions), "2 1")
	s.saw("each turn's last words are kept, and the export contains the latest: %q", e.LastWords)
}

func historyAndLimits(s *scene) {
	s.plan("a")
	s.sh(`idumb patch trigger runaway-loop -p '{"spec":{"count":3}}'`)
	s.controller()
	a := s.claude("s1")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	a.ran("go test ./...")
	a.broke("make build", "Exit code 2")
	s.want(s.sh(`idumb get checkpoints a -o json`), `"command": "go test ./..."`, `"command": "make build"`, `"succeeded": false`)
	said := ""
	for i := 0; i < 6 && said == ""; i++ {
		said = a.bash("ls src").Reason
	}
	s.want(said, "halted")
	s.want(s.sh(`idumb top sessions -o json`), `"denials": 1`, `"calls": `)
	a.event("SessionEnd", map[string]any{"reason": "exit"})
	b := s.claude("s2")
	s.want(b.event("SessionStart", map[string]any{"source": "startup"}).Context, "halted by trigger runaway-loop")
	o := s.opencode()
	o.ask("message", map[string]any{"text": "hi"})
	o.ask("answered", map[string]any{"permission": "bash", "patterns": []string{"git push *"}, "reply": "always"})
	s.want(s.sh(`idumb events`), "PermissionAnswered", "always to bash: git push *")
	s.saw("answers to OpenCode's permissions are kept with their patterns; the task's log contains commands with their results; a limit of 3 halts, and the next session gets the halt's checkpoint")
}

// dashboard checks that a user's comment on a task reaches the agent, and that the terminal shows
// the user's needs and each change.
func dashboard(s *scene) {
	s.plan("a")
	s.sh(`idumb comment task/a 'Use passkeys'`)
	a := s.claude("s1")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	s.want(a.prompt("go on").Context+a.does("govern_task", map[string]any{"action": "status", "task": "a"}), "Use passkeys")
	s.saw("a user's comment on a task is delivered to the agent")
	shown := s.sh(`idumb dash --plain </dev/null >.git/shown & seen=$!
		for i in $(seq 100); do grep -q NEEDS .git/shown && break; sleep 0.1; done
		idumb complete a --evidence seen >/dev/null 2>&1
		for i in $(seq 100); do grep -q 'a was active and is completed' .git/shown && break; sleep 0.1; done
		kill $seen; wait $seen || [ $? = 130 ]; cat .git/shown`)
	s.want(shown, "NEEDS YOU", "AGENTS 1", "task/a was active and is completed")
	s.saw("the terminal shows what needs the user, and changes")
}
