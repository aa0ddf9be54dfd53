package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/resources"
)

const explainDoc = `Say what a kind's fields are, from the same table by which files are judged; and
what is kept besides: queue, exports, checkpoints, events.`

func newExplain(a *app) *cobra.Command {
	var recursive bool
	c := &cobra.Command{
		Use: "explain KIND[.FIELD...] [flags]", Short: "Say what a kind's fields are", Long: explainDoc, Args: cobra.MaximumNArgs(1),
		Example: "  idumb explain task\n  idumb explain task.spec.temporalGate\n  idumb explain role --recursive",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("you must specify the type of resource to explain; idumb api-resources lists them")
			}
			word, _, _ := strings.Cut(args[0], ".")
			if text, found := recordText(args[0]); found {
				a.outf("%s", text)
				return nil
			}
			if _, err := naming.Kind(word); err != nil {
				return err
			}
			text, err := resources.Explain(args[0], recursive)
			if err != nil {
				return fieldHint(args[0], err)
			}
			a.outf("%s", text)
			return nil
		},
		ValidArgsFunction: completeFields,
	}
	c.Flags().BoolVar(&recursive, "recursive", false, "fields of fields as well, without their sentences")
	return c
}

// fieldHint adds the field that may have been meant.
func fieldHint(path string, err error) error {
	word, rest, _ := strings.Cut(path, ".")
	kind, _ := resources.LookupKind(word)
	field := kind.Fields()
	for name := range strings.SplitSeq(rest, ".") {
		child, ok := field.Field(name)
		if ok {
			field = child
			continue
		}
		if near := resources.Nearest(name, field.FieldNames()); near != "" {
			return fmt.Errorf("%w\nDid you mean %q?", err, near)
		}
		break
	}
	return err
}

// recordTexts explains what is kept besides resources: records that only grow, and files
// that others write.
var recordTexts = [...]struct{ word, text string }{
	{"queue", `RECORD:  queue
FILE:    .idumb/queue.jsonl

Commands of processes that must not write the graph themselves: git hooks,
scripts, CI. Whoever writes opens the file for appending, writes one JSON
object as one line in one write, and closes it; no lock, no idumb and no
running controller is needed. The controller carries the lines out in order,
once each, also if it is killed in between. Agents do not write it: the gate
denies that, as all else below .idumb that is not theirs. What is queued is
done as by the person.

FIELDS:
  id     what the writer calls the command, as objects are named; an object
         that a command wrote has it in the annotation idumb.dev/queued-as
  verb   create, start, review, complete, fail, abandon
  args   of create: kind (workplan, task, anchor, mem, delegation), name,
         labels, spec
         of the others: task or workplan; evidence, tests, files, reason

    {"id": "ci-418", "verb": "create",
     "args": {"kind": "mem", "name": "flaky", "spec": {"content": "..."}}}

A line that makes no sense or is refused is set aside, with its reason, in
.idumb/quarantine/queue/; idumb doctor lists those. A line of more than 64 KiB,
or a file of more than 64 MiB, is set aside as well.
`},
	{"exports", `RECORD:  exports
FILE:    .idumb/sessions/exports/SESSION-TIME.json

How a session stood when it came to rest (reason idle), was split because its
window was full (split), or was halted by a trigger (halt). The schema is
idumb.dev/session-export/v1; stalenessHours says how old what it tells was, and
staleAfter how long from lastSeenAt it is to be relied on. In it: host, agent,
role, delegation; plan and tasks with their phases, whether all is complete and
what is not; counters, drift, health, tools; files, commands and the newest
checkpoints; live anchors, mems that came of it; what the agent said last. A
trigger with the event "export" makes a mem of so many exports. They are local,
and removed after config.sessionCollectAfter.
`},
	{"checkpoints", `RECORD:  checkpoints
FILE:    .idumb/checkpoints/TASK.jsonl

What was really done for a task, a line each: writes, and build, test and git
commands with how they ended, as the hook saw them. Evidence is looked for in
it. A line with the tool "halt" tells that a trigger halted the session; it
shows nothing done. Read it with: idumb get checkpoints TASK, idumb describe
task TASK.
`},
	{"events", `RECORD:  events
FILE:    .idumb/events/DAY.jsonl

What the controller, the hook and commands did and saw, a line each. Read it
with: idumb events. Calls against the rules are events as well; idumb
violations lists them.
`},
}

// recordText explains a record, false if there is none of that name.
func recordText(word string) (string, bool) {
	for _, r := range recordTexts {
		if r.word == word || r.word == word+"s" {
			return r.text, true
		}
	}
	return "", false
}
