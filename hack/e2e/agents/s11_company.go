package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// companyScenarios returns the scenarios about agents that work next to other agents, next to a
// user's plan, or in a project without a plan.
func companyScenarios() []scenario {
	return []scenario{
		{id: "11.1", title: "a task has one owner: a client of another kind can neither start nor complete it", play: oneOwner},
		{id: "11.2", title: "a file of a blocked task is not written under another task", play: anothersFile},
		{id: "11.3", title: "the user's plan stays unchanged, whichever way an agent takes", play: personsPlan},
		{id: "11.4", title: "nothing planned: readers read, helpers write, no call is denied", play: nothingPlanned},
		{id: "11.5", title: "a task started in one worktree cannot be started in another", play: otherWorktree},
		{id: "11.7", title: "a headless researcher writes nothing; its findings are saved and delivered", play: researched, hosts: []string{"claude"}},
		{id: "11.6", title: "the stop gate speaks once, and only of a turn that worked on the task", play: stopGate, unsupported: map[string]string{
			"opencode": "its headless mode ends with the turn, and no hook can send the agent back",
		}},
	}
}

// govern returns a call of the govern_task tool.
func (a *actor) govern(action, task string, more ...string) model.Call {
	input := map[string]any{"action": action, "task": task}
	for i := 0; i+1 < len(more); i += 2 {
		input[more[i]] = more[i+1]
	}
	return a.Own("govern_task", input)
}

// oneOwner tests that a task has one owner. The first client works on task dig. The second client,
// of another kind, is refused dig, is told who owns it, and starts sow instead. It cannot write the
// file of dig before or after it starts sow. The first client is never told that sow is its own
// task.
func oneOwner(s *stage) {
	workPlan(s)
	s.idumb("create", "task", "sow", "--plan", "garden", "--title", "Sow", "--expect", "Seeds")
	s.must(s.editSpec(".idumb/tasks/dig.json", map[string]any{"paths": []string{"bed.txt"}}))
	other := s.otherClient()
	s.must(s.settle(other, s.dir))

	began, tried := newMeeting(2), newMeeting(2)
	var both sync.WaitGroup
	both.Go(func() {
		defer recoverAbandoned()
		s.play(other, clients.Options{}, []string{"take a task"}, model.Lane{Name: "other", Steps: []model.Step{
			model.Use(other.Shell("ls")).Doing(began.wait),
			model.Use(other.govern("start", "dig")),
			model.Use(other.govern("complete", "dig", "evidence", "I say so")).Wanting(`"status":"error"`, s.host),
			model.Use(other.Shell("idumb start dig")).Wanting(`"status":"error"`, s.host),
			model.Use(other.Shell("echo mine > bed.txt")).Rejecting(`"status":"success"`),
			model.Use(other.govern("start", "sow")).Wanting("GOVERNANCE BLOCK"),
			model.Use(other.Write("seeds.txt", "sown\n")).Wanting(`"status":"success"`),
			model.Use(other.Shell("echo mine > bed.txt")).Rejecting("GOVERNANCE BLOCK"),
			model.Say("Sown.").Wanting("GOVERNANCE BLOCK").Doing(func(r *model.Request) error {
				return errors.Join(s.during(func() { s.wantFile("bed.txt", "dug\n") })(r), tried.wait(r))
			}),
		}})
	})
	s.prompt("dig the bed", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.govern("start", "dig")),
		model.Use(s.Write("bed.txt", "dug\n")).Wanting(`"status":"success"`).Doing(began.wait),
		model.Use(s.govern("status", "dig")).Rejecting("GOVERNANCE BLOCK").Doing(tried.wait),
		model.Use(s.Write("bed.txt", "dug twice\n")).Rejecting("GOVERNANCE BLOCK"),
		model.Say("Dug.").Rejecting("GOVERNANCE BLOCK"),
	}})
	both.Wait()
	s.wantFile("bed.txt", "dug twice\n")
	s.wantFile("seeds.txt", "sown\n")
	s.wantPhase("task/dig", "active")
	s.wantCheckpoint("dig", "bed.txt", "seeds.txt")
	s.wantCheckpoint("sow", "seeds.txt", "bed.txt")
	for _, r := range s.model.Requests() {
		s.check(!strings.Contains(r.All(), "seeds.txt"), "the first client received the other client's work: %s", r.New())
	}
}

// settle installs idumb for a second client and marks the repository as trusted in that client's
// home. The home simulates the user's home on another computer.
func (s *stage) settle(other *actor, dir string) error {
	if _, err := s.command(s.program("idumb"), "-C", dir, "hook", "install", other.host); err != nil {
		return err
	}
	trust := exec.Command(s.program("idumb"), "-C", dir, "trust")
	trust.Env = other.place.Environment()
	if out, err := trust.CombinedOutput(); err != nil {
		return fmt.Errorf("idumb trust: %w: %s", err, out)
	}
	return nil
}

// anothersFile tests that an agent cannot write a file that another task names. Task login depends
// on schema and names a file. While schema is the active task, a write to that file is denied with
// a message that names login, and a write to a file that no task names is allowed.
func anothersFile(s *stage) {
	s.idumb("create", "workplan", "shop", "--title", "A shop", "--accept", "People can buy", "--state", "active")
	s.idumb("create", "task", "schema", "--plan", "shop", "--title", "The schema", "--expect", "Tables")
	s.idumb("create", "task", "login", "--plan", "shop", "--title", "The login", "--expect", "A form", "--depends-on", "schema")
	s.must(s.editSpec(".idumb/tasks/login.json", map[string]any{"paths": []string{"src/login.tsx"}}))
	s.prompt("build the login", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.govern("start", "schema")),
		model.Use(s.Write("src/login.tsx", "<form>\n")).Wanting(`"status":"success"`),
		model.Use(s.Shell("echo '<form>' > src/login.tsx")).Wanting("GOVERNANCE BLOCK", "login").Doing(s.during(func() { s.wantNoFile("src/login.tsx") })),
		model.Use(s.Write("src/schema.sql", "create table t (a int);\n")).Wanting("GOVERNANCE BLOCK", "login").Doing(s.during(func() { s.wantNoFile("src/login.tsx") })),
		model.Say("The tables are made.").Rejecting("GOVERNANCE BLOCK"),
	}})
	s.wantFile("src/schema.sql", "create table t (a int);\n")
	s.wantCheckpoint("schema", "src/schema.sql", "src/login.tsx")
}

// personsPlan tests that an agent cannot unblock a task by changing the user's plan. Each attempt
// must be answered with the reason, the plan must stay unchanged, and the gate must stay closed.
func personsPlan(s *stage) {
	s.idumb("create", "workplan", "shop", "--title", "A shop", "--accept", "People can buy", "--state", "active")
	s.idumb("create", "task", "schema", "--plan", "shop", "--title", "The schema", "--expect", "Tables")
	s.idumb("create", "task", "form", "--plan", "shop", "--title", "The form", "--expect", "A form", "--depends-on", "schema")
	before := s.governedFiles()
	plan := ".idumb/workplans/shop.json"
	reading := s.Read(plan)
	tries := []attempt{
		{title: "remove", call: s.Shell("rm .idumb/tasks/*.json")},
		{title: "move", call: s.Shell("mv .idumb/tasks /tmp/idumb-tasks-aside")},
		{title: "drop the dependency", call: s.Shell(`idumb patch task form -p '{"spec":{"dependsOn":[]}}'`)},
		{title: "complete by patch", call: s.Shell(`idumb patch task schema -p '{"spec":{"state":"completed","result":{"evidence":"done"}}}'`)},
		{title: "complete by sed", call: s.Shell(`sed -i 's/"planned"/"completed"/' .idumb/tasks/schema.json`)},
		{title: "abandon", call: s.Shell("idumb abandon workplan/shop --reason 'not needed'")},
		{title: "draft", call: s.Write(plan, `{"apiVersion":"idumb.dev/v1alpha1","kind":"WorkPlan","metadata":{"name":"shop"},"spec":{"title":"A shop","state":"draft"}}`), first: &reading},
		{title: "delete", call: s.Shell("idumb delete task schema")},
	}
	var steps []model.Step
	last := ""
	for _, try := range tries {
		step := model.Use(try.call).Doing(s.during(s.guard(last, before)))
		if last != "" {
			step.Look = wantDenial(last)
		}
		if try.first != nil {
			step.Calls = []model.Call{*try.first}
			steps, step = append(steps, step), model.Use(try.call)
		}
		steps, last = append(steps, step), try.title
	}
	steps = append(steps,
		model.Use(s.Write("form.html", "<form>\n")).Looking(wantDenial(last)).Doing(s.during(s.guard(last, before))),
		model.Say("I cannot.").Wanting("GOVERNANCE BLOCK"))
	s.play(s.actor, clients.Options{Unguarded: true}, []string{"build the form, quickly"}, model.Lane{Name: "main", Steps: steps})
	s.guard("the end", before)()
	s.wantNoFile("form.html")
	s.wantPhase("task/form", "blocked")
}

// wantDenial checks that the gate or the command itself refused the last attempt with a reason.
func wantDenial(what string) func(*model.Request) error {
	return func(r *model.Request) error {
		if !strings.Contains(r.New(), "GOVERNANCE BLOCK") && !strings.Contains(r.New(), "Error (") && !strings.Contains(r.New(), "only a user can ") && !strings.Contains(r.New(), "cannot ") {
			return fmt.Errorf("no reason for the refusal of %q, but: %s", what, strings.TrimSpace(r.New()))
		}
		return nil
	}
}

// reader contains the agent type of each host that only reads. Codex has no such built-in type.
var reader = map[string]string{"claude": "Explore", "codex": "explorer", "opencode": "explore", "copilot": "explore", "gemini": "codebase_investigator"}

// nothingPlanned tests that the main agent and its subagents can read and write freely in a project
// without a plan.
func nothingPlanned(s *stage) {
	s.write("lib/main.txt", "one\ntwo\nthree\n")
	s.write("README.md", "# A garden\n")
	_, err := s.command("git", "add", "lib", "README.md")
	s.must(err)
	var looks []model.Step
	for _, command := range []string{"pwd", "git ls-files | head", "sed -n 1,2p lib/main.txt", "cd lib && ls", "git log --oneline -5", "grep -rn two lib | wc -l"} {
		looks = append(looks, model.Use(s.Shell(command)).Rejecting("GOVERNANCE BLOCK"))
	}
	s.prompt("look around, then put it in order",
		delegate("survey the library", append(looks, model.Say("I have seen it.").Rejecting("GOVERNANCE BLOCK"))...),
		delegate("mend the readme",
			model.Use(s.Read("README.md")),
			model.Use(s.Write("README.md", "# A garden in order\n")).Rejecting("GOVERNANCE BLOCK"),
			model.Use(s.Write("docs/plan.md", "# Plan\n")).Rejecting("GOVERNANCE BLOCK"),
			model.Say("It is mended.").Rejecting("GOVERNANCE BLOCK")),
		model.Lane{Name: "main", Steps: []model.Step{
			model.Use(s.Spawn(reader[s.host], "survey the library")),
			s.afterSubagents(model.Use(s.Spawn(worker[s.host], "mend the readme")), "I have seen it."),
			s.afterSubagents(model.Use(s.Shell("echo four >> lib/main.txt")), "It is mended."),
			model.Say("All in order.").Rejecting("GOVERNANCE BLOCK"),
		}})
	s.wantFile("README.md", "# A garden in order\n")
	s.wantFile("docs/plan.md", "# Plan\n")
	s.wantFile("lib/main.txt", "one\ntwo\nthree\nfour\n")
	told := 0
	for _, r := range s.model.Requests() {
		told += strings.Count(r.New(), "othing is planned") + strings.Count(r.New(), "no plan is active")
	}
	s.check(told > 0, "no request states that no plan is active")
}

// otherWorktree tests two clients in two working trees of one repository. If one client has started
// a task, the other is refused that task, and `next` does not offer it there.
func otherWorktree(s *stage) {
	workPlan(s)
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "-m", "planned"}, {"worktree", "add", "-q", "-b", "side", s.worktreeDir()}} {
		_, err := s.command("git", args...)
		s.must(err)
	}
	defer func() { _, _ = s.command(s.program("idumb"), "-C", s.worktreeDir(), "controller", "stop") }()
	other := s.otherClient()
	s.must(errors.Join(s.settle(other, s.dir), s.settle(other, s.worktreeDir()))) // Codex reads hooks from the first directory and tools from the second
	began, tried := newMeeting(2), newMeeting(2)
	var both sync.WaitGroup
	both.Go(func() {
		defer recoverAbandoned()
		s.play(other, clients.Options{Dir: s.worktreeDir()}, []string{"take a task"}, model.Lane{Name: "other", Steps: []model.Step{
			model.Use(other.Shell("ls")).Doing(began.wait),
			model.Use(other.govern("start", "dig")),
			model.Use(other.Write(filepath.Join(s.worktreeDir(), "bed.txt"), "dug\n")).Wanting(`"status":"error"`, s.host),
			model.Say("It is taken.").Wanting("GOVERNANCE BLOCK").Doing(tried.wait),
		}})
	})
	s.prompt("dig the bed", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.govern("start", "dig")),
		model.Use(s.Shell("ls")).Wanting(`"status":"success"`).Doing(began.wait),
		model.Say("Dug.").Doing(s.during(func() {
			next, err := s.command(s.program("idumb"), "-C", s.worktreeDir(), "next", "-o", "json")
			s.check(err == nil && !strings.Contains(next, `"dig"`), "next in the other worktree offers dig: %s (%v)", next, err)
			tree, err := s.command(s.program("idumb"), "-C", s.worktreeDir(), "tree")
			s.check(err == nil && strings.Contains(tree, "held by "+s.host), "tree in the other worktree does not show the holder of dig: %s (%v)", tree, err)
		})).Looking(func(r *model.Request) error { return tried.wait(r) }),
	}})
	both.Wait()
	s.wantPhase("task/dig", "active")
	out, err := s.command(s.program("idumb"), "-C", s.worktreeDir(), "get", "task", "dig", "-o", "jsonpath={.spec.state}")
	s.check(err == nil && out != "active", "in the other worktree dig is %q (%v)", out, err)
}

// stopGate tests that a turn that worked on the task and did not finish it is held once and is
// told what is missing. A turn that only answers a question, or that ends with a question, is not
// held.
func stopGate(s *stage) {
	workPlan(s)
	s.must(s.editSpec(".idumb/tasks/dig.json", map[string]any{"evidence": []any{map[string]any{"file": "bed.txt"}}}))
	s.prompt("dig the bed", model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.govern("start", "dig")),
		model.Use(s.Write("bed.txt", "dug\n")).Wanting(`"status":"success"`),
		model.Say("The bed is dug.").Rejecting("GOVERNANCE BLOCK"),
		model.Say("Then I leave it so.").Wanting("complete"),
	}})
	s.play(s.actor, clients.Options{Resume: true}, []string{"what time is it?"}, model.Lane{Name: "main", Steps: []model.Step{
		model.Say("It is noon."),
	}})
	s.play(s.actor, clients.Options{Resume: true}, []string{"dig a second bed"}, model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Write("second.txt", "dug\n")),
		model.Say("Shall the third be as deep?").Rejecting("GOVERNANCE BLOCK"),
	}})
	s.wantPhase("task/dig", "review")
}

// researched tests that an agent can start a headless child agent that researches a question. The
// child has no shell. Its last answer becomes a mem of the task, and the agent receives it with its
// next prompt.
func researched(s *stage) {
	workPlan(s)
	s.idumb("start", "dig")
	s.must(os.Symlink(s.place.Binary, s.program(s.host)))
	own := filepath.Join(s.place.Home, ".config", "idumb")
	s.must(os.MkdirAll(own, 0o700))
	s.must(os.WriteFile(filepath.Join(own, "config.json"), []byte(`{"research": {"hosts": ["`+s.host+`"], "perDay": 2}}`), 0o600))
	const question = "Where does the water come from?"
	ended := newMeeting(2)
	child := model.Lane{Name: "child", Match: func(r *model.Request) bool { return strings.Contains(r.First(), "You research one question") }, Steps: []model.Step{
		model.Use(s.Shell("echo sneaked > sneaked.txt")).Looking(wantTexts(question)),
		model.Say("I looked.\nFINDING: from the well, map.txt:3").Wanting("No such tool available").Doing(ended.wait),
	}}
	s.prompt("dig the bed", child, model.Lane{Name: "main", Steps: []model.Step{
		model.Use(s.Own("govern_delegate", map[string]any{"action": "research", "task": "dig", "question": question})),
		model.Say("I go on.").Wanting(`"status":"success"`).Doing(ended.wait),
	}})
	s.wantNoFile("sneaked.txt")
	s.idumb("wait", "delegation", "--all", "--for=jsonpath={.spec.state}=done", "--timeout=30s")
	mems := s.idumb("get", "mems", "-o", "yaml")
	s.check(strings.Contains(mems, "from the well, map.txt:3") && strings.Contains(mems, "originTask: dig"), "the finding is not a mem of the task: %s", mems)
}
