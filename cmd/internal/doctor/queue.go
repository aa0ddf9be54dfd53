package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate/queue"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// maxQuarantined is the maximal number of quarantined commands that are reported individually.
const maxQuarantined = 10

// checkQueue reports queued commands that no controller will execute, and quarantined commands.
func (x *examination) checkQueue() {
	if waiting := x.waiting(); waiting > 0 && !x.alive {
		x.notice("%s waits in .idumb/queue.jsonl for a controller; start one with \"idumb controller start\"", commands(waiting))
	}
	folder := layout.QuarantineDir + "/queue"
	names := x.entries(folder)
	for i, name := range names {
		if i == maxQuarantined {
			x.notice("%d more queued commands were quarantined in %s", len(names)-i, folder)
			return
		}
		file := folder + "/" + name
		var aside struct{ ID, Verb, Reason string }
		data, _, err := x.root.Read(file, layout.MaxSpec)
		if err != nil || json.Unmarshal(data, &aside) != nil {
			aside.Reason = "the queue was unreadable"
		}
		what := strings.Join(strings.Fields(aside.Verb+" "+aside.ID), " ")
		if what != "" {
			what += ": "
		}
		x.fileProblem(file, "a queued command was quarantined: "+what+aside.Reason, "fix the command, append it to .idumb/queue.jsonl with a new id, and remove this file")
	}
}

// commands returns the subject of a sentence about n queued commands.
func commands(n int) string {
	if n == 1 {
		return "1 queued command"
	}
	return fmt.Sprintf("each of %d queued commands", n)
}

// waiting returns the number of queued lines.
func (x *examination) waiting() int {
	data, _, err := x.root.Read(queue.File, layout.MaxLog)
	if err != nil {
		return 0
	}
	return bytes.Count(data, []byte{'\n'})
}

// entries lists a directory, without an error if that fails: the parent directory's check reports
// the error.
func (x *examination) entries(folder string) []string {
	names, _ := x.root.Names(folder)
	return names
}
