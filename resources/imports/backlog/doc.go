// Package backlog converts a Backlog.md directory, Markdown files with YAML front matter,
// to plans and tasks.
//
// A milestone, which tasks name by ID or title, becomes a plan. Tasks without a milestone
// belong to the plan backlog-tasks. Unfinished tasks in completed/, and tasks in archive/,
// have their directory in an annotation. A decision becomes a mem. Marks
// (SECTION:DESCRIPTION:BEGIN) or headings separate the sections of a task's text. An
// unknown heading belongs to the section before it.
//
//	To Do                    planned
//	In Progress              active
//	Done                     completed
//	another word             see migrate.TaskState
//
// The expected output consists of the acceptance criteria, each with its check mark, or
// else of the title. The description and the text before it become the description. The
// plan, the notes, the definition of done and the summary become the notes. The summary of
// a completed task is its evidence. Comments (as a JSON list), labels and references become
// annotations.
//
// A file without front matter is named after its file name and its first heading. It is
// visible, but never proposed.
package backlog
