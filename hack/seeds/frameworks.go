package main

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
