package main

import "strings"

// What is not built yet, as its contracts say that it will be used. Each probe sets its scene, says
// later, and has to fail behind that.

func dashboard(s *scene) {
	s.plan("a")
	s.later()
	s.sh(`idumb comment task/a 'Use passkeys'`)
	a := s.claude("s1")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	s.want(a.prompt("go on").Context+a.does("govern_task", map[string]any{"action": "status", "task": "a"}), "Use passkeys")
	s.sh(`idumb dash --help`)
	s.saw("a person's comment on a task is told")
}

func acidTest(s *scene) {
	s.file("package.json", `{"scripts": {"test": "vitest"}, "dependencies": {"react": "18.2.0"}}`)
	s.file("AGENTS.md", "# Rules\n\nRun the tests.\n")
	s.sh(`git add -A; git commit -qm one`)
	s.later()
	s.want(s.sh(`idumb onboard --dry-run`), "react", "vitest")
	s.sh(`idumb onboard --yes`)
	s.want(s.sh(`idumb get tasks`), "bootstrap")
	s.saw("an existing project is read, fitted and handed over")
}

// gsd is a repository that GSD plans.
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
	s.saw("what GSD planned is governed as a plan, a turn of the work is dated, and the state is told on one screen")
}

func routing(s *scene) {
	for name, data := range gsd {
		s.file(name, data)
	}
	s.file("_bmad/config.yaml", "version: 6\n")
	s.file("_bmad-output/planning-artifacts/prd.md", "# PRD\n")
	s.later()
	s.want(s.sh(`idumb map`), "GSD", "BMAD")
	s.sh(`idumb patch config -p '{"spec":{"planning":{"primary":"gsd"}}}'`)
	s.want(strings.ToLower(s.sh(`idumb context`)), "gsd")
	s.saw("of two planning frameworks one rules")
}
