// Package packer turns objects into the context that an agent is given: what
// it must obey, what is known, what failed before, and the task at hand. It is
// pure. It reads no file and no clock, and gives the same bytes for the same input on
// every machine, whatever the order of the input's slices. Make packs from
// a cache or a Snapshot, Build from an Input. What a Stock keeps from one call to the next
// changes how long they take, and nothing else.
//
// # Form
//
// A pack is well-formed XML with one root. Its sections stand in the order of
// how seldom they change, so that a model's prompt cache keeps the beginning:
//
//	<idumb_context>
//	<rules> <project> <anti_patterns> <anchors> <insights> <code> <plan>
//	<left_out> <task>
//	</idumb_context>
//
// Within a section the same holds: insights stand as in the reader's last pack
// (Input.Previous), new ones behind them, best first; the plan's progress behind what is
// planned; a task's checkpoints behind what it asks for.
//
// Each entry starts a line. Text out of resources is escaped, rid of control,
// direction, invisible and terminal characters, and never starts a line (see
// escape.go). What is known is a line "[date] text (source)": what it cites, what is
// unusual about it, its id (entry.go). Dates are given, never ages. What an active task says at length (description and
// notes) is an outline where it is longer than its part of the budget (body.go).
//
// # What enters
//
// Abandoned, archived, superseded, purged, invalid and stale objects stay out.
// Stale mems do enter when they are linked to the active task. Mems that bear on the
// task, the plan or the intent whatever else there is (search.Result.Bears) enter, ten at most
// besides the task's own; near duplicates once, and what contradicts itself side by side. False paths
// are ten at most and never dropped in silence: what found no room is counted at the end, with three titles.
//
// # Budget
//
// The ceiling is config.contextShare percent of config.contextWindow, in tokens
// (see tokens.go), or config.contextMinCharacters, whichever allows more, and in
// any case Input.Limit, the host's own limit in characters. The task, critical
// anchors, the plan's head and delegations of the active tasks are reserved. Then
// warnings and critical mems, false paths, the chain, and other mems and anchors are
// added as whole entries, best first, each section up to its share (choose.go);
// what is left flows on in the same order. Nothing is passed over for want of room while
// what comes after it in its section enters, so that a greater budget drops nothing that a
// smaller one had. It is a ceiling and no target.
//
// # Relevance
//
// Package search scores mems and anchors by the words of the active tasks, the plan and
// the intent, by what these name, and by what is related. Links to the active tasks
// lead; what the reader's last pack had counts half as much again (Input.Previous), and only it
// may use the last tenth of the budget, so that it does not come and go; a pack that is made
// again from itself is the same. Confidence, and so age, nudges by 15 percent at most. All of
// it is integer arithmetic, because floating point differs between machines.
package packer
