// Package beads turns an export of the beads issue tracker (JSON lines, one
// issue each) into plans and tasks.
//
// # Plans
//
// An epic becomes a plan: closed ones are completed, deferred ones drafts, all
// others active. An epic inside another one is a plan of its own. Issues that are below
// no epic go to one plan for each prefix of ids, imported-<prefix>.
//
// A plan cannot be a dependency of a task, and it may complete when its tasks
// have, while an epic is closed by hand. So an epic that blocks, is blocked or
// stands inside another epic gets a task as well, <name>-epic: it waits for what blocks the
// epic, it is completed when the epic is closed, others depend on it, and as
// planAhead it is never proposed as work. So does an open epic with nothing open below it: bd ready
// lists it, somebody has to do or to close it, and its task is proposed. (Of an epic with open
// children only these are: bd's own word on that has changed.) That of an inner epic belongs to the
// outer one's plan.
//
// # Tasks
//
// Every other issue becomes a task; one whose parent is not an epic keeps it as
// spec.parent and belongs to the same plan. Of several parents the one that the
// id continues (bd-7 for bd-7.1) counts, else the first; all are noted in an annotation.
//
//	open                       planned
//	in_progress, hooked        active
//	closed                     completed, with the close reason as evidence
//	deferred, blocked, pinned  planned and planAhead: visible, not proposed
//	another word               as migrate.TaskState has it, whatever its case
//	a word that nobody knows   planned and planAhead
//	tombstone                  left out, and counted
//
// Messages, events, agents, roles, rigs, gates, molecules and merge requests are records and
// no work: unless they are closed they are planAhead as well. So is what is marked as ephemeral,
// pinned or a template, and a step of a molecule (-mol- or -wisp- in its id).
//
// What is expected are the acceptance criteria, or the title; the description is the task's, design and
// notes are its notes.
//
// # Readiness
//
// A task is ready after the import exactly when its issue is open, is work, and
// nothing that blocks it is left: as in beads, a blocks edge holds until the
// blocker is closed or deleted, and what blocks a parent blocks everything below
// it, which is why tasks list the blockers of their parents in dependsOn. Two
// things differ, so that nothing waits for itself: a parent passes nothing on once
// it is closed, and never something that stands below it.
//
// A blocker that is not in the file stays in dependsOn, where it blocks and
// is reported as orphaned; a circle stays as well. Both are in the report. Of
// the other types of edges waits-for and conditional-blocks hold an issue up too, and one with the latter, which
// is done only if the other one fails, is planAhead. The rest block nothing and become annotations.
//
// # Other shapes
//
// Issues may stand one a line, in a list, or wrapped in an object (bd list --json, bd show --json). Lines may be
// memories, which become mems and go out again as memories, edges on their own, and headers. Edges may be ids
// alone, stand in a field of another name (deps, blocked_by, parent), or be said from the other side (blocks,
// dependents). An issue whose id continues that of another one is a part of it, unless an edge says what it is a
// part of.
//
// # Importing again
//
// Each object carries its issue as it was written, which Export gives back, and a digest of what was imported:
// Convert offers it again only if the issue changed since, and never over an object that somebody edited here.
// What Export put beside an issue comes back as the object that it was.
package beads
