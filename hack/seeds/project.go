package main

import "strings"

func projectMap(s *scene) {
	s.file("package.json", `{"dependencies": {"react": "18.2.0"}}`)
	s.file(".planning/ROADMAP.md", "# Roadmap\n")
	s.file("docs/prd.md", "# Product requirements\n\nSee [the plan](plan.md).\n")
	s.file("docs/plan.md", "# Plan\n")
	s.sh(`git add -A; git commit -qm one; git rm -q docs/plan.md`)
	s.want(s.sh(`idumb map`), "react", "18", "gsd")
	s.want(s.sh(`idumb get docs`), "docs/prd.md", "prd")
	s.want(s.sh(`idumb get docs docs/prd.md -o json`), "gone", "docs/plan.md")
	s.file("package.json", `{"dependencies": {"react": "19.0.0"}}`)
	s.want(s.sh(`idumb map diff --since HEAD`), "react")
	s.saw("technologies with versions, planning frameworks, documents by class with their dead references, drift")
}

func codeMap(s *scene) {
	s.file("src/a.ts", "import { b } from './b'\n/**\n * Adds,\n * as sumTotals() did.\n */\nexport function add(x: number) { return b(x) } // TODO: faster\n")
	s.file("src/b.ts", "import { add } from './a'\nexport const b = (x: number) => add(x)\n")
	s.file("src/sums.ts", "export function sumTotals() {}\n")
	s.sh(`git add -A; git commit -qm one`)
	s.want(s.sh(`idumb get sym`), "src/a.ts#add")
	s.want(s.sh(`idumb map todos`), "src/a.ts:6", "faster")
	s.want(s.sh(`idumb map deps src/b.ts --up`), "src/a.ts")
	s.want(s.sh(`idumb map cycles`), "src/a.ts", "src/b.ts")
	s.file("src/sums.ts", "export const b = 1\n")
	s.want(s.refused(`idumb map check --fail --since HEAD`), "sumTotals")
	s.saw("symbols, to-dos, dependents, cycles, and a comment that contradicts the code")
}

func intelligence(s *scene) {
	s.plan("a")
	s.file("src/a.ts", "export function login() {}\n")
	s.file("src/b.ts", "import { login } from './a'\nlogin()\n")
	s.file("package.json", `{"dependencies": {"react": "18.2.0"}}`)
	s.sh(`git add -A; git commit -qm one`)
	s.controller()
	a := s.claude("s1")
	s.want(a.event("SessionStart", map[string]any{"source": "startup"}).Context, "react")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	a.allowed(a.wants("Write", map[string]any{"file_path": a.Dir + "/src/a.ts", "content": "export function signIn() {}\n"}))
	s.file("src/a.ts", "export function signIn() {}\n")
	s.want(a.reports("").Context, "login", "src/b.ts")
	s.saw("the stack at session start, and after a write who still imports what went")
}

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

// gsd contains the files of a repository that is planned with GSD.
var gsd = map[string]string{
	".planning/PROJECT.md": "# Shop\n", ".planning/STATE.md": "# State\n", ".planning/REQUIREMENTS.md": "# Requirements\n",
	".planning/ROADMAP.md":                      "# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: Sign-in** - One can sign in\n\n## Phase Details\n\n### Phase 1: Sign-in\n**Goal**: One can sign in\n**Success Criteria**:\n  1. A form posts\n",
	".planning/phases/01-sign-in/01-01-PLAN.md": "---\nphase: 01-sign-in\nplan: 01\n---\n\n<objective>\nThe form\n</objective>\n",
}

func frameworks(s *scene) {
	for name, data := range gsd {
		s.file(name, data)
	}
	s.want(s.sh(`idumb import gsd .`), "created")
	s.want(s.sh(`idumb get workplans,tasks`), "sign-in")
	s.sh(`idumb create workplan other --title Other --accept x --state active`)
	s.sh(`idumb focus other --intent 'first the other one'`)
	if s.field("trajectory/trajectory", ".spec.intentShiftedAt") == "" {
		s.failed("a turn of the work is dated")
	}
	s.want(s.sh(`idumb status`), "Plans", "other [active]")
	s.file("docs/prd.md", "# Shop\n")
	s.sh(`idumb patch workplan other -p '{"spec":{"sotDocument":"docs/prd.md"}}'; idumb create task form --plan other --expect x; idumb start form`)
	s.want(s.sh(`idumb context`), "docs/prd.md")
	routing(s)
	s.saw("a plan of GSD is imported and governed, a change of intent has a date, the status is one screen, and one of two frameworks is selected")
}

// routing adds a second framework: none is used until a user selects one. Then only the
// documents of the selected framework are adopted.
func routing(s *scene) {
	s.file("_bmad/config.yaml", "version: 6\n")
	s.file("_bmad-output/planning-artifacts/prd.md", "# PRD\n")
	out, _ := s.run(`idumb doctor`)
	s.want(out, "bmad, gsd", "none is selected")
	s.want(s.sh(`idumb onboard --dry-run`), "documents of bmad: config.planning.primary", "documents of gsd: config.planning.primary", "bootstrap-framework")
	s.sh(`idumb patch config -p '{"spec":{"planning":{"primary":"gsd"}}}'; idumb onboard --yes`)
	s.want(s.sh(`idumb get artifacts -o wide`), ".planning/ROADMAP.md")
	if _, found := s.run(`idumb get artifacts -o wide | grep _bmad-output`); found {
		s.failed("a document of a framework that does not rule is not adopted")
	}
	s.want(s.sh(`idumb context`), "Plans of gsd are in effect")
}
