package main

// dashboard checks that a user's comment on a task reaches the agent, and that the terminal shows
// the user's needs and each change.
func dashboard(s *scene) {
	s.plan("a")
	s.sh(`idumb comment task/a 'Use passkeys'`)
	a := s.claude("s1")
	a.does("govern_task", map[string]any{"action": "start", "task": "a"})
	s.want(a.prompt("go on").Context+a.does("govern_task", map[string]any{"action": "status", "task": "a"}), "Use passkeys")
	s.saw("a user's comment on a task is delivered to the agent")
	shown := s.sh(`idumb dash --plain </dev/null >.git/shown & seen=$!
		for i in $(seq 100); do grep -q NEEDS .git/shown && break; sleep 0.1; done
		idumb complete a --evidence seen >/dev/null 2>&1
		for i in $(seq 100); do grep -q 'a was active and is completed' .git/shown && break; sleep 0.1; done
		kill $seen; wait $seen || [ $? = 130 ]; cat .git/shown`)
	s.want(shown, "NEEDS YOU", "AGENTS 1", "task/a was active and is completed")
	s.saw("the terminal shows what needs the user, and changes")
}
