// Package admission is the policy of iDumb's gate: given what an agent is about
// to do (a Call) and what the repository holds (a View), Decide says whether
// it may, and if not, why, and what to do in its place. It is pure: no I/O, no
// clock of its own, the same answer for every host.
//
// # What is judged
//
// The action, not the tool's name: a host's adapter says what a call would do
// (read, write, run a shell command, change a plan) and which paths it would
// write. Of a shell command those are the effects that package command reads out of it:
// files behind redirections, and what programs write, move or remove, as far as their
// words and the code that they are given tell. Changes says what else in a line changes
// how agents are governed. Paths come resolved (links, "..", relative to what), so that
// no spelling of a path is judged differently from another.
//
// # Order
//
// The rules stand in one table (rules, in decide.go) and the first that objects
// answers. What no step of the agent can change (governed paths, its role) comes
// before what it can (starting a task), so that a denial never sends it down a
// road that ends in the next denial.
//
// # Delegates
//
// A session whose record names a delegation works on its task and no other, in the
// role that it is addressed to, with those of its tools that the task, the role and
// every delegation further up allow as well. What it starts is bound in the same way.
// Once one of them is recalled, is done or is gone, the next call is denied: all that
// is left is to look, to govern, to ask and to hand back. Nobody changes its own terms:
// a delegation is its giver's, and a delegate changes plans and tasks by commands only,
// which look at who asks. Work is handed on three times at most.
//
// # What is never in the way
//
// Reading governance, asking the person, keeping a to-do list, the commands and
// tools of idumb itself, and editing plans, tasks, anchors, mems, decisions, delegations and
// the trajectory as files: these are how an agent gets out of a denial, so no
// task's allowedTools and no write gate covers them. A role's shell rules may close
// commands of idumb, as a shell command, as a tool's call or as a file that is written to
// the same end, but not those that only look, and not review and fail: everyone can hand
// back.
//
// It is a seat belt and not a sandbox: a script of the repository and a program of a
// name that no table knows write what they like; what they did to plans is found
// afterwards.
package admission
