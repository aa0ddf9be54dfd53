package main

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
