// Package queue executes commands from .idumb/queue.jsonl. It is for writers
// that must not change objects directly: git hooks, scripts and headless
// agents. A writer opens the file with O_APPEND, writes one line in a single
// call and closes it. It needs no lock, no idumb and no running controller.
//
// A line is one JSON object:
//
//	{"id": "ci-418", "verb": "create", "args": {"kind": "mem", "name": "flaky-e2e", "spec": {"content": "..."}}}
//	{"id": "ci-419", "verb": "complete", "args": {"task": "build", "evidence": "CI run 418 passed"}}
//
// id is the name of the command, in the format of object names. A line is
// skipped if a command with its id was already executed for the same object.
// verb is create (args: kind, name, labels, spec; kinds that govern agents are
// refused), start, review, complete, fail or abandon (args: task or workplan;
// evidence, tests, files, reason), delete, archive or restore (args: names,
// KIND/NAME; cascade). A line with any other verb has the new objects in its
// args: names, objects in the form of their files, and over, the revisions that
// they replace. A command that cannot write queues its change in this form
// (mutate.Repo.Queue).
//
// The controller executes the lines in order, each once, even if it is killed.
// It renames the file to .idumb/run/queue/<n>.jsonl, executes line by line, and
// records its position next to the file. An object records the command that
// wrote it (mutate.AnnotationQueued) in the same write. This tells whether a
// command was executed when the controller died. An invalid or refused line is
// moved to .idumb/quarantine/queue/ with the reason, and the next line follows.
package queue
