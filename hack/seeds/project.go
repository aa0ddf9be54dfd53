package main

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
