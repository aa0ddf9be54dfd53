package main

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
