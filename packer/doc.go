// Package packer renders resources into the context that an agent receives:
// rules, knowledge, earlier failures and the current task. It is pure: it
// reads no file and no clock, and gives the same bytes for the same input
// on every machine, whatever the order of the input's slices. Make builds a
// pack from a cache or a graph.Snapshot, Build from an Input. A Stock
// caches work between calls; it changes how long they take and nothing
// else.
//
// # Form
//
// A pack is well-formed XML with one root. Sections that change seldom come first, so that the
// prompt cache of a model keeps the beginning:
//
//	<idumb_context>
//	<rules> <project> <anti_patterns> <anchors> <insights> <code> <plan>
//	<left_out> <task>
//	</idumb_context>
//
// The same order applies within a section. Insights keep their order in the reader's last pack
// (Input.Previous), and new ones follow, best first. The plan's progress follows the plan, and a
// task's checkpoints follow its expected output.
//
// Each entry starts a line. Text from resources is escaped, has no control, direction, invisible or
// terminal characters, and never starts a line (see escape.go). Knowledge is rendered as "[date]
// text (source)", where the source lists citations, unusual properties and the ID (entry.go). Dates
// are absolute, never ages. A long description or note of an active task is reduced to an outline
// (body.go).
//
// # Selection
//
// Abandoned, archived, superseded, purged, invalid and stale objects are excluded. Stale mems
// are included if they are linked to the active task. Mems that are relevant to the task, the
// plan or the intent (search.Result.Bears) are included, at most ten besides the task's own.
// Near duplicates are included once, contradictions side by side. At most ten false paths are
// included; those that do not fit are counted at the end, with three titles.
//
// # Budget
//
// The ceiling is config.contextShare percent of config.contextWindow in tokens (see tokens.go), or
// config.contextMinCharacters if that allows more, and in any case Input.Limit, the host's limit in
// characters. The task, critical anchors, the plan's head and delegations of active tasks are
// reserved. Then warnings and critical mems, false paths, the chain, and other mems and anchors are
// added as whole entries, best first, each section up to its share (choose.go). Unused shares go to
// the other sections in the same order. If an entry does not fit, later entries of its section do
// not enter either, so that a larger budget never drops an entry. The budget is a ceiling, not a
// target.
//
// # Relevance
//
// Package search scores mems and anchors by the words of the active tasks, the plan and the intent,
// by the files that these name, and by their relations. Entries linked to active tasks come first.
// An entry of the reader's last pack (Input.Previous) has 1.5 times its score, and only such
// entries may use the last tenth of the budget, so that entries do not alternate. Building a pack
// again from itself gives the same pack. Confidence, and therefore age, changes a score by at most
// 15 percent. The arithmetic is on integers, because floating point differs between machines.
package packer
