// Package gsd turns the .planning folder of GSD ("get shit done") into plans, tasks and mems.
//
// A phase is a plan, by the name of its folder, 06-launch; what ROADMAP.md says of it is its title, its criteria and what
// it waits for. A file 06-01-PLAN.md is a task, 06-01: its truths are what is expected, its text the description, the
// SUMMARY.md beside it says that it is done, and its result. What the roadmap ticks is done as well, as GSD has it. A plan
// that the roadmap names, and for which nobody wrote a file yet, is a task that is planned ahead.
//
//	depends_on          01, 06-01 and 06-01-PLAN.md are tasks; a phase is all of its tasks
//	wave                a stage of the plan; a task of a later one that says nothing waits for the wave before
//	files_modified      the first is the task's source, all are in its description. They restrict nothing: of 321 plans
//	                    of real repositories that say what was written, 105 wrote other files as well
//	key decisions       mems, as are the patterns that a summary says were established
//	quick/, todos/      a plan each; a todo is planned ahead
//
// Shipped milestones (milestones/v1.0-phases) and workstreams are read like phases, with a label.
package gsd
