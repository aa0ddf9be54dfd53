// Package backlog turns a folder of Backlog.md, Markdown files with YAML before them, into plans and
// tasks.
//
// A milestone, which tasks name by its id or its title, is a plan, tasks without one are in the plan backlog-tasks. A task of completed/ that is not
// finished, and one of archive/, keeps its folder in an annotation. A decision is a mem. The sections of a
// task's text are told apart by their marks (SECTION:DESCRIPTION:BEGIN) or, without them, by their
// headings; headings that are not known belong to the section before them.
//
//	To Do                    planned
//	In Progress              active
//	Done                     completed
//	another word             as migrate.TaskState has it
//
// What is expected are the acceptance criteria, each with its mark, or else what the task is called. The description, with
// what stands before it, is the task's; plan, notes, definition of done and summary are its notes. The summary of what
// is done is its evidence. Comments (as a JSON list), labels and references are annotations.
//
// A file without YAML before its text is called after itself, and by its first heading, and is visible and never proposed.
package backlog
