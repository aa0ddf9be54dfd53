// Package gsd converts the .planning directory of GSD ("get shit done") to plans, tasks and
// mems.
//
// A phase becomes a plan with the name of its directory, 06-launch. ROADMAP.md contains
// its title, its criteria and its dependencies. A file 06-01-PLAN.md becomes a task,
// 06-01: its truths are the expected output and its text is the description. A SUMMARY.md
// in the same directory marks it as done and contains its result. As in GSD, a check mark
// in the roadmap also marks it as done. A plan without a file in the roadmap becomes a
// task with planAhead.
//
//	depends_on          01, 06-01 and 06-01-PLAN.md are tasks; a phase means all its tasks
//	wave                a stage of the plan; a task of a later wave without
//	                    dependencies waits for the previous wave
//	files_modified      the first one is the task's source, and all are in its description;
//	                    they restrict nothing, because 105 of 321 plans in real
//	                    repositories wrote other files as well
//	key decisions       mems, as are the established patterns in a summary
//	quick/, todos/      one plan each; a todo has planAhead
//
// Shipped milestones (milestones/v1.0-phases) and workstreams are read like phases, and get
// a label.
package gsd
