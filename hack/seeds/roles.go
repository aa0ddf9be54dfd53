package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// may reports whether a role may do something (see idumb auth can-i).
func (s *scene) may(role, what string) bool {
	_, ok := s.run("idumb auth can-i " + what + " --as " + role)
	return ok
}

// rights ends the probe unless a role may do everything in open, and nothing in closed.
func (s *scene) rights(role string, open, closed []string) {
	for _, what := range open {
		if !s.may(role, what) {
			s.failed("the role %s may %s", role, what)
		}
	}
	for _, what := range closed {
		if s.may(role, what) {
			s.failed("the role %s may not %s", role, what)
		}
	}
}

func roleSurfaces(s *scene) {
	s.plan("a", "b", "c")
	s.sh(`idumb start a; idumb create delegation d --task b --from coordinator --to executor`)
	s.rights("coordinator",
		[]string{"create workplan", "create task", "create delegation", "govern_plan status", "govern_task status", "create anchor"},
		[]string{"write src/a.go", "start c", "complete a", "bash 'make install'"})
	s.rights("investigator",
		[]string{"start c", "complete a", "create anchor", "grep", "read src/a.go", "write .idumb/mems/m.json"},
		[]string{"create workplan", "create delegation", "start b", "write src/a.go", "write tests/a_test.go"})
	s.rights("executor",
		[]string{"start b", "complete a", "bash 'go test ./...'", "write src/a.go", "write tests/a_test.go", "write planning/x.md"},
		[]string{"create workplan", "create delegation", "create anchor", "write .idumb/config.json", "write .claude/agents/x.md", "write .opencode/agents/x.md"})
	a := s.claude("s1")
	said := a.sub("a1", "idumb-coordinator").write("src/a.go")
	a.denied(said, `role "coordinator"`)
	s.saw("coordinators plan and write no code, investigators write knowledge, executors code and no governance: %q", line(said.Reason, "WHAT: "))
}

// documentedRoles lists the eighteen roles of the role matrix. The documents add the prefix idumb-.
const documentedRoles = `supreme-coordinator high-governance mid-coordinator builder low-validator executor verifier debugger planner plan-checker ` +
	`roadmapper project-researcher phase-researcher research-synthesizer codebase-mapper project-explorer integration-checker skeptic-validator`

func roleMatrix(s *scene) {
	s.sh(`rm .idumb/roles/*.json; idumb init --agent none --roles full; idumb trust`) // a second init keeps the roles of the first one
	names := strings.Fields(documentedRoles)
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Spec     struct {
				Mode, Scope string
				DelegatesTo []string
				FirstTools  []string
			}
		}
	}
	s.must(json.Unmarshal([]byte(s.sh(`idumb get roles `+strings.Join(names, " ")+` -o json`)), &list))
	s.wantSame("roles of the matrix", fmt.Sprint(len(list.Items)), "18")
	where := map[string]string{}
	for _, r := range list.Items {
		where[r.Metadata.Name] = r.Spec.Scope
	}
	for name, scope := range map[string]string{"high-governance": "meta", "mid-coordinator": "bridge", "executor": "project", "planner": "bridge", "verifier": "project", "debugger": "project", "builder": "meta", "low-validator": "meta"} {
		s.wantSame("scope of "+name, where[name], scope)
	}
	modes, scopes, delegates := map[string]int{}, map[string]int{}, map[string]int{}
	for _, r := range list.Items {
		modes[r.Spec.Mode]++
		scopes[r.Spec.Scope]++
		delegates[r.Metadata.Name] = len(r.Spec.DelegatesTo)
	}
	s.wantSame("modes", fmt.Sprint(modes), "map[all:17 primary:1]")
	s.wantSame("delegates of the leaves", fmt.Sprint(delegates["builder"], delegates["low-validator"]), "0 0")
	if delegates["supreme-coordinator"] < 17 || scopes["meta"] == 0 || scopes["project"] == 0 || scopes["bridge"] == 0 {
		s.failed("the coordinator delegates to 17, and the scopes are meta, project and bridge; %v %v", delegates, scopes)
	}
	s.plan("a")
	s.sh(`idumb start a`)
	s.rights("builder", []string{"write src/a.go", "bash make"}, []string{"task", "delegate verifier"})
	s.rights("low-validator", []string{"bash 'go test ./...'", "bash 'grep x y'"}, []string{"write src/a.go", "bash make", "task"})
	s.rights("mid-coordinator", []string{"delegate executor"}, []string{"delegate supreme-coordinator", "write src/a.go"})
	// Document 000 section 3.5 gives the executor files and the shell, and precedes document 003, section
	// 9 of which gives files to the builder only.
	for _, name := range names {
		s.documents("only the builder (003 9) and the executor (000 3.5) write files: "+name, s.may(name, "write src/a.go") == (name == "builder" || name == "executor"))
	}
	for file, may := range map[string]bool{"src/a.go": true, "tests/a_test.go": true, "planning/x.md": true, "cmd/a.go": false, ".idumb/config.json": false} {
		s.documents("000 3.5: the executor writes src, tests and planning: "+file, s.may("executor", "write "+file) == may)
	}
	for _, r := range list.Items {
		s.documents("003 1.5: the role has first tools: "+r.Metadata.Name, len(r.Spec.FirstTools) > 0)
	}
	for _, of := range []struct {
		source         string
		roles          []string
		runs, runsNot  []string
		hands, handNot []string
	}{
		{"003 5.1", []string{"supreme-coordinator"}, []string{"git status"}, []string{"make install", "git commit -m x"}, []string{"executor", "mid-coordinator", "builder"}, nil},
		{"003 5.2", []string{"high-governance", "mid-coordinator"}, []string{"go test ./...", "git status"}, []string{"make install"}, []string{"executor", "verifier"}, []string{"supreme-coordinator"}},
		{"003 5.3 builder", []string{"builder"}, []string{"make install", "npm install x", "go test ./..."}, nil, nil, []string{"executor", "general-purpose"}},
		{"003 5.3 validator", []string{"low-validator"}, []string{"grep x y", "find .", "ls", "cat a", "go test ./..."}, []string{"make install", "rm a", "go build ./..."}, nil, []string{"executor", "general-purpose"}},
		{"000 3.5", []string{"executor"}, []string{"go test ./...", "git status", "make install", "npm install x"}, nil, []string{"verifier", "debugger"}, []string{"planner", "mid-coordinator"}},
		{"003 5.3 project", []string{"verifier", "debugger"}, []string{"go test ./...", "git status", "git log", "git diff"}, []string{"make install", "npm install x"}, nil, []string{"planner", "mid-coordinator"}},
		{"003 5.3 bridge", []string{"planner", "plan-checker", "roadmapper"}, []string{"git status", "ls"}, []string{"go test ./...", "make install"}, nil, []string{"verifier", "mid-coordinator"}},
	} {
		for _, role := range of.roles {
			for _, command := range of.runs {
				s.documents(of.source+": "+role+" runs "+command, s.may(role, "bash '"+command+"'"))
			}
			for _, command := range of.runsNot {
				s.documents(of.source+": "+role+" does not run "+command, !s.may(role, "bash '"+command+"'"))
			}
			for _, other := range of.hands {
				s.documents(of.source+": "+role+" delegates to "+other, s.may(role, "delegate "+other))
			}
			for _, other := range of.handNot {
				s.documents(of.source+": "+role+" does not delegate to "+other, !s.may(role, "delegate "+other))
			}
		}
	}
	s.saw("18 roles: one primary, 17 all; three scopes; leaves cannot delegate; the gate checks shell patterns and delegates")
}

func firstTools(s *scene) {
	s.sh(`idumb init --agent none --roles full`)
	s.plan("a")
	boss := s.claude("s1").sub("a1", "supreme-coordinator")
	said := boss.denied(boss.wants("WebFetch", map[string]any{"url": "https://example.com"}), "first")
	boss.does("govern_task", map[string]any{"action": "status"})
	boss.allowed(boss.wants("WebFetch", map[string]any{"url": "https://example.com"}))
	s.saw("%q until it has looked at the status", line(said, "WHAT: "))
}

func todo(s *scene) {
	s.sh(`idumb create workplan login --title Sign-in --accept x --state active
		idumb create task form --plan login --expect x --file src/form.go --line 12 --assign executor
		idumb create task field --plan login --parent form --expect x --file src/field.go`)
	s.want(s.sh(`idumb tree --ascii`), "workplan/login", "form [planned]  ready  @executor  src/form.go:12", "field [planned]  ready  src/field.go")
	s.sh(`idumb create task part --plan login --parent field --expect x`)
	_, deeper := s.run(`idumb create task fourth --plan login --parent part --expect x`)
	s.documents("a fourth level is refused", !deeper)
	s.writeObject("tasks/fourth", `{"workPlan": "login", "parent": "part", "expectedOutput": "x"}`)
	s.is("task/fourth", `.status.conditions[?(@.type=="TooDeep")].status`, "True")
	s.sh(`idumb delete task fourth`)
	_, loose := s.run(`idumb create delegation loose --from coordinator --to executor --expect x`)
	s.documents("a delegation without a to-do is refused without a setting", !loose)
	s.refused(`idumb create task lost --plan login --parent missing --expect x`, `spec.parent: Not found: "missing"`)
	s.sh(`idumb patch config -p '{"spec":{"requireTodo":true}}'`)
	a := s.claude("s1")
	_, asked := a.spawn("a1", "general-purpose", "build it")
	said := a.denied(asked, "the prompt names no task", "task/field")
	_, asked = a.spawn("a2", "general-purpose", "build task/field")
	a.allowed(asked)
	s.saw("plan, task and part with file, line and agent; with requireTodo: %q", line(said, "WHAT: "))
}

func visibleTools(s *scene) {
	s.sh(`idumb init --agent claude,opencode,codex --roles full`)
	for _, reader := range []string{"supreme-coordinator", "investigator", "plan-checker"} {
		s.want(s.readFile(".claude/agents/idumb-"+reader+".md"), "disallowedTools: Write, Edit")
	}
	s.lacks(s.readFile(".claude/agents/idumb-executor.md"), "disallowedTools")
	var config struct {
		Agent map[string]struct{ Permission map[string]string }
	}
	s.must(json.Unmarshal([]byte(s.readFile("opencode.json")), &config))
	s.wantSame("the permissions of low-validator in OpenCode", fmt.Sprint(config.Agent["idumb-low-validator"].Permission), "map[edit:deny task:deny]")
	s.wantSame("the edit permission of the executor", fmt.Sprint(config.Agent["idumb-executor"].Permission["edit"]), "")
	for _, name := range []string{"init", "plan", "next", "status", "finish"} {
		if !s.exists(".claude/commands/idumb/" + name + ".md") {
			s.failed("there is a command %s", name)
		}
	}
	s.want(s.readFile(".claude/agents/idumb-coordinator.md"), "govern_plan", "govern_delegate")
	s.plan("a") // without a plan the gate allows everything
	s.claude("s1").sub("a1", "idumb-executor").doesNot("govern_plan", map[string]any{"action": "create", "title": "P", "acceptance": []string{"x"}}, "executor")
	s.saw("readers' profiles hide the tools that write, in Claude Code and OpenCode; protocols come as profiles and five commands")
}
