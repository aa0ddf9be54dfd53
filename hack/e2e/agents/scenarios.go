package main

import (
	"slices"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
)

// scenario is one test that can run with every client.
type scenario struct {
	id    string
	title string
	play  func(*stage)
	// window is the size of the model's context window in tokens, or 0 for the client's default.
	window int
	// joint is true for scenarios about the integration of a client: its hooks, tools, subagents
	// and windows. Other scenarios test idumb's decisions, which do not depend on the client.
	testsClient bool
	// on lists the hosts of the clients that run the scenario, or is nil for all clients.
	hosts []string
	// unsupported contains, by host, the reason why a client cannot run the scenario.
	unsupported map[string]string
}

// first returns the host of the first client that can run the scenario.
func (sc scenario) first() string {
	for _, client := range clients.All() {
		if host := client.Host(); includes(sc.hosts, host) && sc.unsupported[host] == "" {
			return host
		}
	}
	return ""
}

// sharesSession is why Gemini CLI cannot run scenarios with delegations.
const sharesSession = "it does not tell subagents from the session that starts them"

func scenarios() []scenario {
	return append([]scenario{
		{id: "1", title: "denied with a reason, starts a task by tool, writes, tests, completes; a dependent unblocks", testsClient: true, play: writeGate},
		{id: "2", title: "a blocked task's write is denied with its chain, until a user completes the blocker in its file", play: blockedWrite},
		{id: "3.1", title: "a subagent with a delegation may use only its tools", testsClient: true, play: delegatedTools, unsupported: map[string]string{"gemini": sharesSession}},
		{id: "3.2", title: "nested subagents are held to depth 3", testsClient: true, play: nestedDelegates, unsupported: map[string]string{
			"codex":  "its subagents have no tool to start agents, so there is only one level",
			"gemini": sharesSession,
		}},
		{id: "3.3", title: "a recalled delegation stops its subagent at the next call", play: recalledDelegate, unsupported: map[string]string{"gemini": sharesSession}},
		{id: "3.4", title: "two subagents write at once, each for its own task", play: delegatesAtOnce, unsupported: map[string]string{"gemini": sharesSession}},
		{id: "4.1", title: "compaction by hand: chain, anchors and language survive", play: manualCompaction, unsupported: map[string]string{
			"codex":   "its headless mode has no command for it",
			"copilot": "its headless mode has no command for it",
			"gemini":  "its headless mode has no command for it",
		}},
		{id: "4.2", title: "compaction by the client: chain, anchors and language survive", testsClient: true, play: automaticCompaction, window: fullWindow, unsupported: map[string]string{
			"copilot": "it compacts in the background, while the turn goes on",
			"gemini":  "the scripted model cannot make it compact",
		}},
		{id: "5", title: "by tool and by shell the agent cannot change its hooks, settings, roles and config", testsClient: true, play: ownHooks, unsupported: map[string]string{
			"gemini": "the client refuses some of the writes itself, and ends before the last step",
		}},
		{id: "6.1", title: "the controller is killed: the gate still judges", play: controllerKilled},
		{id: "6.2", title: "the hook is stuck: its deadline denies the write", testsClient: true, play: hookStuck},
		{id: "6.3", title: "the hook's program hangs: not stuck, never silently open", play: hookHung},
		{id: "6.4", title: "idumb is uninstalled: the agent continues and receives a notice", testsClient: true, play: hookGone},
		{id: "6.5", title: ".idumb is broken: the gate does not open", play: brokenFiles},
		{id: "7.1", title: "client and controller die, the conversation is resumed", play: resumed},
		{id: "7.2", title: "two clients of different kinds at once, each on its task", play: together},
		{id: "7.3", title: "a git worktree is governed by its own .idumb", play: worktree},
		{id: "12", title: "a user's comment blocks the task until it is answered; another one reaches the running agent", play: comments},
		{id: "14", title: "the tables name each tool and event of the installed client", testsClient: true, play: clientNames},
		{id: "15", title: "the agent's to-do list is recorded, and its open items reach the next session", testsClient: true, play: todoHandOver},
		{id: "13", title: "a user allows a denied call once: it passes, the next is denied", play: allowedOnce},
	}, slices.Concat(openCodeScenarios(), depthScenarios(), costScenarios(), companyScenarios())...)
}
