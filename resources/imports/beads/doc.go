// Package beads converts an export of the beads issue tracker (JSON lines with one issue
// each) to plans and tasks.
//
// # Plans
//
// An epic becomes a plan: closed epics are completed, deferred ones are drafts, and
// all others are active. An epic inside another one becomes a separate plan. Issues
// without an epic belong to one plan per ID prefix, imported-<prefix>.
//
// A plan cannot be a dependency of a task and may complete with its last task, while an
// epic is closed manually. An epic that blocks, is blocked or is inside another epic
// therefore also gets a task, <name>-epic. The task waits for the blockers of the epic and
// is completed when the epic is closed. Other tasks depend on it. It has planAhead, so it
// is never proposed. An open epic without open children also gets a task, because bd ready
// lists it and it must be closed or done. That task is proposed. The task of an inner epic
// belongs to the plan of the outer one.
//
// # Tasks
//
// Every other issue becomes a task. If its parent is not an epic, it has spec.parent and
// belongs to the same plan. If there are several parents, the one whose ID the ID
// continues is used (bd-7 for bd-7.1), else the first one. An annotation lists all parents.
//
//	open                       planned
//	in_progress, hooked        active
//	closed                     completed, with the close reason as evidence
//	deferred, blocked, pinned  planned and planAhead: visible, not proposed
//	another word               see migrate.TaskState
//	an unknown word            planned and planAhead
//	tombstone                  omitted, and counted
//
// Messages, events, agents, roles, rigs, gates, molecules and merge requests are records,
// not work. Unless they are closed, they have planAhead. The same applies to ephemeral and
// pinned issues, templates, and steps of a molecule (-mol- or -wisp- in the ID).
//
// The expected output consists of the acceptance criteria, or else of the title. The
// description becomes the description. The design and the notes become the notes.
//
// # Readiness
//
// After the import, a task is ready if and only if its issue is open, is work, and has no
// blockers left. As in beads, a blocks edge is in effect until the blocker is closed or
// deleted, and the blockers of a parent also block its children. Tasks therefore list the
// blockers of their parents in dependsOn. There are two differences, which avoid tasks that
// wait for themselves: a closed parent has no effect on its children, and neither has a
// blocker below the parent.
//
// A blocker that is not in the file remains in dependsOn, where it blocks and is reported
// as orphaned. Cycles also remain. Both are in the report. Edges of the types waits-for and
// conditional-blocks also block. An issue with a conditional-blocks edge is only done if
// the other one fails, so it has planAhead. All other edge types do not block and become
// annotations.
//
// # Other formats
//
// Issues may be on separate lines, in a list, or wrapped in an object (bd list --json, bd
// show --json). Lines may also contain memories, which become mems and are exported as
// memories, separate edges, and headers. Edges may be plain IDs, have another field name
// (deps, blocked_by, parent), or be given in the opposite direction (blocks, dependents).
// An issue whose ID continues another ID is its child, unless an edge names another parent.
//
// # Repeated imports
//
// Each object contains its original issue, which Export returns, and a digest of the
// imported data. Convert returns an object again only if the issue changed, and never if
// the object was edited here. Objects that Export stored in an issue are restored.
package beads
