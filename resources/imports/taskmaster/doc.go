// Package taskmaster turns the tasks.json of Task Master into plans and tasks.
//
// A tag is a plan; a file of the time before tags, a list or an object with tasks, is one
// plan. One task a line, tags in a list, and an object around all of it do as well. Tasks keep their numbers behind the tag's name: master-23, and master-23.4 for a subtask, which
// is a task below its task, at any depth. Numbers that a task depends on are tasks of its tag; those of a subtask
// are its siblings, where there is one of that number; master:23 is one of another tag.
//
//	pending                planned
//	in-progress            active
//	review                 review
//	done, completed        completed
//	deferred, blocked      planned and planAhead: visible, not proposed
//	cancelled              abandoned
//	another word           planned and planAhead, and in the report
//
// What is expected are a subtask's acceptance criteria, or the description where details stand beside it, or the
// title. The rest of description and details is the task's description, the test strategy its notes.
package taskmaster
