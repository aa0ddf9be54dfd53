// Package taskmaster converts the tasks.json of Task Master to plans and tasks.
//
// A tag becomes a plan. A file without tags, which is a list or an object with tasks,
// becomes one plan. One task per line, tags in a list, and a wrapping object are also
// supported. The ID of a task consists of the tag and its number: master-23, and
// master-23.4 for a subtask, which becomes a child task at any depth. Dependency numbers
// refer to tasks of the same tag. For a subtask, they refer to a sibling if there is one
// with that number. master:23 refers to another tag.
//
//	pending                planned
//	in-progress            active
//	review                 review
//	done, completed        completed
//	deferred, blocked      planned and planAhead: visible, not proposed
//	cancelled              abandoned
//	another word           planned and planAhead, and in the report
//
// The expected output consists of a subtask's acceptance criteria, of the description
// if there are details, or of the title. The rest of the description and the details
// become the description, and the test strategy becomes the notes.
package taskmaster
