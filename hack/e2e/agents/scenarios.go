package main

// scenario is one story, told with every client.
type scenario struct {
	id    string
	title string
	play  func(*stage)
	// notOn says why a client cannot play it, by host.
	notOn map[string]string
}

func (s scenario) number() string { return s.id }

// scenarios is the table of them.
func scenarios() []scenario {
	return []scenario{
		{id: "1", title: "denied, told why, starts a task by tool, writes, tests, completes; a dependent unblocks", play: writeGate},
		{id: "2", title: "a blocked task's write is denied with its chain, until a person completes the blocker in its file", play: blockedWrite},
	}
}
