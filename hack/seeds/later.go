package main

// What is not built yet, as its contracts say that it will be used. Each probe sets its scene, says
// later, and has to fail behind that.

func dashboard(s *scene) {
	s.plan("a")
	s.later()
	s.sh(`idumb dash --plain </dev/null`)
	s.saw("the terminal shows what needs the person")
}
