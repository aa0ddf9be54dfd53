package main

// programs are what this test binary can be called as.
func programs() map[string]func() {
	return map[string]func(){"idumb": main, "idumb-controller": controller, "agent-host": agentHost, "headless-host": headlessHost}
}
