// Package speckit converts the features of spec-kit, directories with a tasks.md and a
// spec.md, to plans and tasks.
//
// A feature directory becomes a plan. The heading of spec.md is its title, and the success
// criteria in spec.md are its criteria. A line "- [ ] T012 [P] [US1] Create User in
// src/user.py" becomes a task, 001-login-t012. The indented text below it is its
// description, US1 becomes a label, and the first path is its source. A path in prose does
// not restrict writes, so it never becomes spec.paths.
//
// A level 2 heading with tasks below it is a phase. Its own text (goal, test, checkpoint)
// is in the notes of each of its tasks. Phases and marks become dependencies:
//
//	first of a phase    waits for the last tasks of the previous phase
//	with [P]            waits for the last task without [P] before it
//	without [P]         waits for the task before it, or for all tasks with [P] before it
//	(depends on T012)   additionally waits for these tasks
package speckit
