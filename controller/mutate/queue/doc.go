// Package queue carries out commands that were appended to .idumb/queue.jsonl, for writers
// that must not touch the graph themselves: git hooks, scripts, headless agents. Whoever
// writes opens the file for appending, writes one line with one call, and closes it; it
// needs no lock, no idumb, and no running controller.
//
// A line is one JSON object:
//
//	{"id": "ci-418", "verb": "create", "args": {"kind": "mem", "name": "flaky-e2e", "spec": {"content": "..."}}}
//	{"id": "ci-419", "verb": "complete", "args": {"task": "build", "evidence": "CI run 418 passed"}}
//
// id names the command (as objects are named): a line with the id of one that was carried out
// for the same object before is passed over. verb is create (args: kind, name, labels, spec; kinds that say
// how agents are governed are refused), start, review, complete, fail or abandon (args: task or workplan;
// evidence, tests, files, reason), delete, archive or restore (args: names, KIND/NAME; cascade).
// Any other verb says in its args what it makes of objects: names, objects as their files are to
// hold them, and over, the revisions that they take the place of. So a command queues its change
// that may not write (mutate.Repo.Queue): what it would have written, as it saw the files.
//
// The controller drains the file in order, each line once, whatever moment it is killed at: it
// renames the file to .idumb/run/queue/<n>.jsonl, carries out line by line, and keeps beside it up
// to where it came. An object that a command wrote says so (mutate.AnnotationQueued), in the same
// write: that tells whether the one command that was under way when the controller died was carried out. A line that makes no
// sense, or is refused, is set aside in .idumb/quarantine/queue/ with its reason, and the next
// one follows.
package queue
