package main

import "time"

// everyField contains a plan, its dependency, and a task with every field of the documents that is
// not derived.
const everyField = `
kind: WorkPlan
metadata: {name: first}
spec: {title: First, acceptance: [it exists], state: active}
---
kind: WorkPlan
metadata: {name: auth}
spec:
  title: Sign-in
  acceptance: [one can sign in]
  category: development
  governanceLevel: strict
  state: active
  dependsOn: [first]
  ownedBy: coordinator
  phases: [{name: build, title: Build it, order: 1}]
---
kind: TaskNode
metadata: {name: schema}
spec: {workPlan: auth, expectedOutput: tables}
---
kind: TaskNode
metadata: {name: form}
spec:
  workPlan: auth
  phase: build
  title: The form
  expectedOutput: it posts
  delegatedBy: coordinator
  assignedTo: executor
  allowedTools: [write]
  dependsOn: [schema]
  temporalGate: {after: schema, reason: tables first}
  planAhead: true
  priority: high
  result: {evidence: e, filesModified: [a.go], testsRun: go test, anchorsCreated: []}
`

func planModel(s *scene) {
	s.file("all.yaml", everyField)
	s.sh(`idumb apply -f all.yaml`)
	said := s.sh(`idumb get workplan auth -o json; idumb get task form -o json`)
	s.want(said, `"acceptance"`, `"category": "development"`, `"governanceLevel": "strict"`, `"ownedBy": "coordinator"`, `"phases"`,
		`"delegatedBy": "coordinator"`, `"assignedTo": "executor"`, `"allowedTools"`, `"expectedOutput": "it posts"`, `"after": "schema"`, `"testsRun": "go test"`)
	s.is("task/schema", ".status.phase", "blocked")
	s.refused(`idumb start schema`, `blocked by workplan/first`)
	s.sh(`idumb complete workplan/first`)
	s.is("task/schema", ".status.phase", "planned")
	s.is("workplan/auth", ".status.phase", "active")
	s.sh(`idumb start schema; idumb complete schema --evidence seen`)
	s.is("workplan/auth", ".status.progress.byPhase.completed", "1")
	s.want(s.sh(`idumb tree auth`), "form")
	s.want(s.sh(`idumb next`), "planned ahead, so never proposed: form")
	s.saw("plans with every field block each other's tasks, and a task planned ahead is seen and never next")
}

func temporalGate(s *scene) {
	s.plan("schema")
	s.sh(`idumb create task form --plan p --expect x --after schema --reason 'tables first'`)
	said := s.refused(`idumb start form`, "blocked by \"schema\" (planned)", "tables first")
	a := s.claude("s1")
	a.doesNot("govern_task", map[string]any{"action": "start", "task": "form"}, "schema", "tables first")
	if out, ok := a.types(`idumb start form`); ok {
		s.failed("an agent's shell does not start it; it printed %q", out)
	}
	s.sh(`sed -i 's/"workPlan"/"state": "active", "workPlan"/' .idumb/tasks/form.json`)
	s.is("task/form", ".status.phase", "blocked")
	a.denied(a.write("src/a.go"), "form", "tables first")
	s.sh(`sed -i 's/"state": "active", //' .idumb/tasks/form.json; idumb start schema; idumb complete schema --evidence seen; idumb start form`)
	s.saw("start of a gated task refused, in a shell, by a tool and by hand: %q", firstLine(said))
}

func twoTierPurge(s *scene) {
	s.plan("a")
	s.sh(`idumb create task b --plan p --expect x --depends-on a
		idumb create workplan old --title Old --state active
		idumb create task c --plan old --expect x
		idumb patch config -p '{"spec":{"purgeAfter":"1s"}}'`)
	first := s.controller()
	s.sh(`idumb abandon a --reason 'not wanted'; idumb abandon workplan/old --reason 'not wanted'`)
	s.eventually("the abandoned task that another one needs is in the archive", func() bool { return s.exists(".idumb/archive/tasks/a.json") })
	s.eventually("the other one's chain is broken", func() bool {
		return s.field("task/b", `.status.conditions[?(@.type=="ChainBroken")].status`) == "True"
	})
	s.lacks(s.sh(`idumb context`), "Old")
	s.must(first.Stop())
	time.Sleep(1100 * time.Millisecond)
	s.closers = append(s.closers, func() { s.run(`idumb controller stop`) })
	s.sh(`echo '{"session_id": "s1", "hook_event_name": "SessionStart", "source": "startup"}' | IDUMB_AUTOSTART=on idumb-hook claude`)
	s.eventually("the abandoned plan is in the archive", func() bool { return s.exists(".idumb/archive/workplans/old.json") })
	s.want(s.readFile(".idumb/archive/workplans/old.json"), "not wanted")
	s.sh(`(sh -c 'sleep 0.3; idumb restore task/a' >/dev/null 2>&1 &)`) // by a process that is not a child of the agent: a user
	s.eventually("an archived task is restored", func() bool { return s.exists(".idumb/tasks/a.json") })
	s.saw("a chain-breaker is archived at once; an abandoned plan leaves the context at once, and is swept when a session starts; both stay on disk")
}

func reviewByEvidence(s *scene) {
	s.plan()
	s.sh(`idumb create task form --plan p --expect x --evidence-file 'src/**' --evidence-command 'go test ./...'; idumb start form`)
	s.refused(`idumb complete form --evidence 'trust me'`, "not seen", "go test")
	a := s.claude("s1")
	a.writeAllowed("src/a.go")
	s.is("task/form", ".status.phase", "active")
	a.ran("go test ./...")
	s.is("task/form", ".status.phase", "review")
	s.sh(`idumb complete form`)
	s.sh(`idumb create task bare --plan p --expect x; idumb start bare`)
	said := s.refused(`idumb complete bare`, "nothing shows that it is done", "--evidence")
	s.writeObject("tasks/claimed", `{"workPlan": "p", "expectedOutput": "x", "state": "completed"}`)
	s.is("task/claimed", ".status.phase", "review")
	s.saw("active -> review once its file and command were seen; completing without: %q", firstLine(said))
}

func taskVerbs(s *scene) {
	s.plan("a", "b", "c")
	s.want(s.sh(`idumb get tasks`), "a ", "b ", "c ")
	s.sh(`idumb defer c`)
	s.lacks(s.sh(`idumb next -o name`), "/c")
	s.sh(`idumb defer c --back; idumb next | grep '^c '`)
	s.sh(`idumb create task part --plan p --parent a --expect x; idumb tree | grep -A1 'a .planned' | grep part`)
	s.claude("s1").sub("a1", "executor").does("govern_task", map[string]any{"action": "start", "task": "a"})
	s.want(s.field("task/a", ".spec.assignedTo"), "executor")
	s.sh(`idumb abandon b --reason 'not wanted'; idumb patch task a -p '{"spec":{"staleAfter":"1s"}}'`)
	s.is("task/b", ".status.phase", "abandoned")
	time.Sleep(1100 * time.Millisecond)
	s.is("task/a", `.status.conditions[?(@.type=="Stale")].status`, "True")
	s.want(s.sh(`idumb context`), "Stale")
	s.sh(`idumb branch c --into c1,c2`)
	s.want(s.field("task/c", ".spec.reason"), "branched into c1, c2")
	s.saw("listed, deferred, given parts, split into two and abandoned; the agent that starts a task is entered, and a stale one is warned of")
}

func readHead(s *scene) {
	s.sh(`idumb create workplan api --title 'The API' --accept x --state active; idumb create task backend --plan api --expect x
		idumb create workplan ui --title 'The page' --accept x --state active --phases design,build; idumb create task header --plan ui --phase build --expect x
		idumb start backend`)
	s.controller()
	a := s.claude("s1")
	s.want(a.event("SessionStart", map[string]any{"source": "startup"}).Context, "backend")
	s.sh(`idumb focus ui --intent 'the page first'`)
	s.is("trajectory/trajectory", ".spec.activePlan", "ui")
	if s.field("trajectory/trajectory", ".spec.intentShiftedAt") == "" {
		s.failed("the read-head contains the time of the intent's shift")
	}
	s.want(s.sh(`idumb context`), "ui", "the page first")
	s.lacks(s.sh(`idumb context`), "task id=\"backend\"")
	s.want(a.prompt("and now?").Context, "the page first")
	s.saw("idumb focus ui: the context changes from api to ui at once, and the session gets the new intent")
}

func criteria(s *scene) {
	s.sh(`idumb create workplan site --title Site --accept 'It is up' --accept 'It is fast' --state active
		idumb create task page --plan site --expect x; idumb start page; idumb complete page --evidence seen`)
	s.is("workplan/site", ".status.phase", "review")
	s.refused(`idumb complete workplan/site --met 1`, "--evidence")
	s.sh(`idumb complete workplan/site --met 1 --evidence 'curl returned 200'`)
	s.is("workplan/site", ".status.phase", "review")
	a := s.claude("s1")
	if out, ok := a.types(`idumb complete workplan/site`); ok {
		s.failed("an agent does not complete a plan over an open criterion; it printed %q", out)
	}
	s.sh(`idumb complete workplan/site --met 2 --evidence '80 ms'`)
	s.is("workplan/site", ".status.phase", "completed")
	s.want(s.field("workplan/site", ".spec.met"), "curl returned 200", "80 ms", `"at"`)
	s.saw("review until each of two criteria is met with evidence; an agent completes no plan over open ones")
}

func intentAndPosition(s *scene) {
	s.plan("a", "b")
	s.sh(`idumb focus p --intent 'b before a'; idumb start b`)
	s.want(s.sh(`idumb focus`), "p")
	s.is("trajectory/trajectory", ".spec.intent", "b before a")
	a := s.claude("s1")
	a.event("SessionStart", map[string]any{"source": "startup"})
	s.is("session/s1", ".spec.state", "new")
	a.event("SessionEnd", map[string]any{"reason": "exit"})
	s.is("session/s1", ".status.phase", "ended")
	s.sh(`sed -i -E 's/("lastSeenAt"|"endedAt"): "[^"]*"/\1: "` + ago(3*time.Hour) + `"/' .idumb/sessions/s1.json`)
	a.event("SessionStart", map[string]any{"source": "resume"})
	s.is("session/s1", ".spec.state", "resumed")
	s.want(s.sh(`idumb context --session s1`), "b before a")
	a.does("govern_plan", map[string]any{"action": "focus", "plan": "p", "intent": "a after all"})
	s.is("trajectory/trajectory", ".spec.intent", "a after all")
	s.saw("intent and position are set with idumb focus or govern_plan; sessions start, end and are resumed")
}

// artifacts checks planning documents: a chain of derived sections, superseded documents, and
// abandoned ones.
func artifacts(s *scene) {
	s.plan("form")
	s.file("docs/prd.md", "# Shop\n\n## Sign-in\n\nOne signs in with a passkey.\n\n## Export\n\nAs CSV.\n")
	s.file("docs/arch.md", "# Architecture\n\n## Sessions\n\nIn a cookie.\n")
	s.file("docs/plan.md", "# Plan\n\n## Form\n\n- [ ] A form.\n")
	s.file("docs/plan2.md", "# Another plan\n\n## Form\n\n- [ ] A dialog.\n")
	s.sh(`git add -A; git commit -qm documents`)
	s.controller()
	s.sh(`idumb artifact adopt docs/prd.md --type prd; idumb artifact adopt docs/arch.md --derived-from prd#Sign-in
		idumb artifact adopt docs/plan.md --type plan --derived-from Form=arch#Sessions --covers task/form; idumb mem save why --content 'Passkeys are required'
		idumb patch artifact prd --type merge -p '{"spec":{"covers":["mems/why"]}}'`)
	s.want(s.sh(`idumb describe task form`), "artifact/plan")
	s.want(s.sh(`idumb describe mem/why`), "artifact/prd")
	s.want(s.sh(`idumb describe artifact/plan`), "Form", "0/1")
	s.sh(`idumb start form`)
	s.want(s.sh(`idumb context`), "docs/plan.md", "Form (line 3)")

	s.file("docs/plan.md", "# Plan\n\n\n## Form\n\n- [x] A form.\n") // completed and reformatted
	s.is("artifact/plan", ".status.sections[0].tasksDone", "1")
	s.is("artifact/plan", ".status.phase", "current")
	s.file("docs/prd.md", "# Shop\n\n## Sign-in\n\nOne signs in with a password.\n\n## Export\n\nAs CSV.\n")
	s.is("artifact/arch", ".status.phase", "stale")
	s.is("artifact/plan", ".status.sections[0].because", "prd#Sign-in changed") // the first cause, not the direct source
	s.file("docs/arch.md", "# Architecture\n\n## Sessions\n\nIn a cookie.\n\n## More\n\nx\n")
	s.is("artifact/arch", ".status.phase", "stale") // a change of the file is not a confirmation
	s.want(s.sh(`idumb context`), "not to be relied on")
	s.want(s.sh(`idumb artifact review`), "idumb confirm artifact arch")
	s.sh(`idumb artifact confirm arch`)
	s.is("artifact/plan", ".status.phase", "current")

	s.sh(`idumb artifact supersede plan --by docs/plan2.md --reason 'a dialog is enough'`)
	s.is("artifact/plan", ".status.phase", "superseded")
	s.is("artifact/plan2", ".spec.covers[0]", "task/form")
	a := s.claude("s1")
	a.event("SessionStart", map[string]any{"source": "startup"})
	told := a.wants("Read", map[string]any{"file_path": a.Dir + "/docs/plan.md"}).Context
	s.want(told, "this plan is superseded since", "a dialog is enough", "docs/plan2.md")
	s.lacks(a.wants("Read", map[string]any{"file_path": a.Dir + "/docs/plan.md"}).Context, "superseded")
	a.does("govern_plan", map[string]any{"action": "artifact", "do": "abandon", "name": "prd", "reason": "bought"})
	s.want(s.sh(`idumb get artifact arch -o yaml`), "ChainBroken", "UpstreamAbandoned")
	s.want(s.claude("s2").wants("Bash", map[string]any{"command": "cat docs/prd.md"}).Context, "this plan is abandoned since", "bought")
	s.sh(`idumb patch artifact prd --type merge -p '{"spec":{"purgedAt":"2026-01-01T00:00:00Z"}}'`)
	s.is("artifact/prd", ".status.phase", "purged")
	if !s.exists("docs/prd.md") {
		s.failed("the document still exists")
	}
	s.saw("a changed section (ticks and blank lines do not count) makes its dependants stale along the chain, with the first cause, until a user confirms them; a reader of a superseded or abandoned plan gets one note with the current plan; links to tasks and mems in both directions")
}
