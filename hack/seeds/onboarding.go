package main

import "strings"

// acidTest onboards an existing repository: it checks the scan, the agents' profiles, mems with
// evidence, adopted documents, and the coordinator's plan.
func acidTest(s *scene) {
	s.file("package.json", `{"scripts": {"test": "vitest", "build": "vite build"}, "dependencies": {"react": "18.2.0"}, "devDependencies": {"vitest": "1.6.0"}}`)
	s.file("AGENTS.md", "# Rules\n\nRun the tests. Read [the guide](docs/guide.md).\n")
	s.file("src/a.ts", "export const a = 1\n")
	s.file("specs/001-login/spec.md", "# Login\n\nOne can sign in.\n")
	s.file("specs/001-login/plan.md", "# Plan\n\nA form.\n")
	s.file("docs/adr/0001-rest.md", "# 1. Use REST\n\nStatus: Accepted\n\n## Context\n\nx\n\n## Decision\n\nx\n\n## Consequences\n\nx\n")
	for _, file := range []string{"b", "c", "d", "e", "f"} {
		s.file("src/"+file+".ts", "import { a } from './a'\n")
	}
	s.sh(`git add -A; git commit -qm one; idumb hook install claude`)
	s.want(s.sh(`idumb onboard --dry-run`), "react", "vitest", "specs/001-login/plan.md", "none performed")
	s.sh(`idumb onboard --yes`)
	s.want(s.sh(`idumb get tasks`), "bootstrap-documents", "bootstrap-dead-rules")
	s.is("task/bootstrap-documents", ".spec.assignedTo", "")
	s.is("workplan/"+s.field("task/bootstrap-documents", ".spec.workPlan"), ".spec.state", "draft")
	s.want(s.field("artifact/plan", ".spec.path"), "specs/001-login/plan.md")
	s.want(s.field("decision/0001-rest", ".status.phase"), "resolved")
	s.want(s.field("mem/onboard-stack", ".spec.content"), "react 18.2.0")
	// Document 000 (its list of defects) has three agents and no meta-builder; 001 counts it as the fourth.
	s.documents("each agent profile is fitted to the project", s.sh(`grep -l 'npm test' .claude/agents/idumb-*.md | wc -l`) == "3" && s.sh(`ls .claude/agents | wc -l`) == "3")
	s.documents("project commands are made from the stack", strings.Contains(s.sh(`cat .claude/commands/idumb-verify.md`), "npm test"))
	s.documents("mems on stack, architecture and frameworks are linked", s.field("mem/onboard-frameworks", ".spec.relatedTo") == `["onboard-stack","onboard-layout"]`)
	s.documents("confidence follows from the depth of the evidence", s.sh(`idumb get mems -o jsonpath='{range .items[*]}{.spec.confidence}{"\n"}{end}' | sort -u | grep -c .`) != "1")
	s.documents("onboarding finds skills and makes templates for them", strings.Contains(s.sh(`cat .claude/skills/*/SKILL.md`), "`src/a.ts`: 5 files import it"))
	s.documents("a delegation hands over to the coordinator", s.field("delegation/bootstrap", ".spec.to") == "coordinator" && s.field("delegation/bootstrap", ".spec.task") == "bootstrap-scan")
	s.documents("the bootstrap task is completed with evidence", s.field("task/bootstrap-scan", ".status.phase") == "completed" && strings.Contains(s.field("task/bootstrap-scan", ".spec.result.evidence"), "idumb onboard found"))
	s.want(s.sh(`cat .claude/agents/idumb-executor.md`), "to test: `npm test`", "`src/**`")
	s.want(s.sh(`idumb onboard --yes`), "nothing to import")
	s.sh(`idumb onboard --undo`)
	s.want(s.sh(`idumb get artifacts,decisions,tasks,workplans,delegations`), "No resources found")
	s.saw("an existing project is read, fitted and handed over, and that is taken back")
}
