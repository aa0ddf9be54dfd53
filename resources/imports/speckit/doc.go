// Package speckit turns the features of spec-kit, folders with a tasks.md and a spec.md, into plans and tasks.
//
// A feature's folder is a plan: its title is the heading of spec.md, its criteria are the success criteria there (none are
// made up). A line "- [ ] T012 [P] [US1] Create User in src/user.py" is a task, 001-login-t012, with what is indented below
// it as its description, US1 as a label, and the first path in it as its source: a path in prose says where to look and
// not what else may be written, so it never becomes spec.paths.
//
// A heading of the second level with tasks below it is a phase; its own text (goal, test, checkpoint) is in the notes of
// each of its tasks. Phases and marks become dependencies:
//
//	first of a phase    waits for all that the phase before ends with
//	with [P]            waits for the last one without [P] before it
//	without [P]         waits for the one before it, or for all with [P] before it
//	(depends on T012)   waits for these as well
package speckit
