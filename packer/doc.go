// Package packer turns objects into the context that an agent is given: what
// it must obey, what is known, what failed before, and the task at hand. It is
// pure. It reads no file and no clock, keeps nothing between calls, and gives
// the same bytes for the same input on every machine, whatever the order of the
// input's slices. Gather collects the input from a cache or a Snapshot, Build
// makes the pack.
//
// # Form
//
// A pack is well-formed XML with one root. Its sections stand in the order of
// how seldom they change, so that a model's prompt cache keeps the beginning:
//
//	<idumb_context>
//	<rules> <project> <anti_patterns> <insights> <anchors> <plan> <task>
//	<left_out>
//	</idumb_context>
//
// Each entry starts a line. Text out of resources is escaped, rid of control,
// direction, invisible and terminal characters, and never starts a line (see
// escape.go). Dates are given, never ages; confidence is high, medium or low.
//
// # What enters
//
// Abandoned, archived, superseded, purged, invalid and stale objects stay out.
// Stale mems do enter when they are linked to the active task. False paths are
// never dropped in silence: those that do not fit are named at the end.
//
// # Budget
//
// The ceiling is config.contextShare percent of config.contextWindow, in tokens
// (see tokens.go), or config.contextMinCharacters, whichever allows more, and in
// any case Input.Limit, the host's own limit in characters. Rules, the task,
// critical anchors, the plan's head, delegations of the active tasks and project
// facts are reserved; warnings, false paths (up to half of the budget), the chain, and
// then mems and other anchors are added as whole entries, best first. It is a ceiling and no target:
// mems that score less than a fifth of the best one stay out.
//
// # Relevance
//
// The score of a mem is Okapi BM25 over its title, tags and content against the
// text of the active tasks (score.go), led by its links to them, and nudged by
// its confidence, that is by its age, by 15 percent at most. All of it is
// integer arithmetic, because floating point differs between machines.
package packer
