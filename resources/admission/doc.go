// Package admission is the policy of iDumb's gate. Given a planned operation of an agent
// (Call) and the state of the repository (View), Decide returns whether it is allowed, and
// otherwise the reason and an alternative. It has no side effects and no clock, and gives
// the same answer for all hosts.
//
// # Effects
//
// Calls are judged by their effects and not by the name of the tool. The host's adapter
// provides the action of a call (reading, writing, running a shell command, changing a
// plan) and the paths that it would write. For shell commands, package command determines
// the effects: targets of redirections, and files that programs write, move or remove
// according to their arguments and code. Changes returns other effects of a command line on
// the governance of agents. Paths are resolved (links, "..", relative paths), so that all
// spellings of a path are treated equally.
//
// # Order
//
// The table rules in decide.go is evaluated in order, and the first objection is returned.
// Objections that the agent cannot resolve (governed paths, its role) come before those it
// can resolve (starting a task), so that following a denial does not lead to another one.
//
// # Delegates
//
// A session under a delegation only works on the delegated task and in the role of the
// delegation. It has the tools that the task, the role and all delegations of the chain
// allow. The same limits apply to the agents that it starts. After a delegation is
// recalled, completed or deleted, all further calls are denied except for reading,
// planning, asking and handing back. No agent may change its own terms: delegations belong
// to their giver, and delegates may change plans and tasks by commands only, which check
// the caller. Work can be delegated three times at most.
//
// # Always allowed
//
// Agents can always read planning objects, ask the person, keep a to-do list, use idumb's
// commands and tools, and edit plans, tasks, anchors, mems, decisions, delegations and the
// trajectory as files. They need these to resolve a denial, so allowedTools of tasks and
// the write gate do not apply to them. Shell rules of a role can deny idumb commands, also
// as tool calls or equivalent file changes, but not reading commands, submit and fail.
// Every agent can hand back its work.
//
// The gate prevents accidents. It is not a sandbox: scripts of the repository and unknown
// programs can write any file. Their changes of plans are detected afterwards.
package admission
