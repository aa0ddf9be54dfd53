package main

// comments: what a person says of a task reaches the agent that works on it, and the page's link is
// the person's.
func comments(s *scene) {
	s.plan("a")
	s.sh(`idumb comment task/a 'Use passkeys'`)
	a := s.claude("s1")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	s.want(a.prompt("go on").Context+a.does("govern_task", map[string]any{"action": "status", "task": "a"}), "Use passkeys")
	s.sh(`idumb dash --help`)
	s.saw("a person's comment on a task is told")
}
