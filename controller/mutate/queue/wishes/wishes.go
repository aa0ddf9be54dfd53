// Package wishes holds the queue's files: what waits to be carried out, and what became of it.
//
// An agent's shell may stand in a sandbox in which nothing of .idumb can be written but the queue.
// A command that finds that out appends its wish; who carries it out (package queue) writes down
// how that went; and the hook of the agent's call, which runs outside, tells the agent. The hook
// links this package, so it knows the files only and no verb.
package wishes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// File is what writers append to.
	File = layout.Dir + "/queue.jsonl"
	// WorkDir holds the files that are being drained, in the order of their numbers.
	WorkDir = layout.RunDir + "/queue"

	outcomesFile = WorkDir + "/outcomes.jsonl"
	maxOutcomes  = 64 << 10 // bytes, from which on it begins anew: nobody asks for old ones
	maxAppended  = 4 << 10  // bytes of one line, which one write puts there in one piece
)

// Wish is one line of the queue.
type Wish struct {
	ID   string          `json:"id"`
	Verb string          `json:"verb"`
	Args json.RawMessage `json:"args"`
	Time resources.Time  `json:"time,omitzero"` // when it was queued; not told by scripts
}

// Args are those of all verbs.
type Args struct {
	// create
	Kind   string            `json:"kind,omitempty"`
	Name   string            `json:"name,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Spec   json.RawMessage   `json:"spec,omitempty"`
	// the others
	Task     string   `json:"task,omitempty"`
	WorkPlan string   `json:"workplan,omitempty"`
	Evidence string   `json:"evidence,omitempty"`
	Tests    string   `json:"tests,omitempty"`
	Files    []string `json:"files,omitempty"`
	Reason   string   `json:"reason,omitempty"`
}

// String is the wish as a command names it: "start task/a".
func (w Wish) String() string {
	var a Args
	_ = json.Unmarshal(w.Args, &a)
	switch {
	case a.Task != "":
		return w.Verb + " task/" + a.Task
	case a.WorkPlan != "":
		return w.Verb + " workplan/" + a.WorkPlan
	}
	return strings.TrimSuffix(w.Verb+" "+a.Kind+"/"+a.Name, "/")
}

// Refused reports whether a write failed because this process may not write there.
func Refused(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

// Append adds a wish to the queue, in one write and without any lock.
func Append(root layout.Root, verb string, args Args, now time.Time) (Wish, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return Wish{}, err
	}
	w := Wish{ID: "w-" + strconv.FormatInt(now.UnixMilli(), 10) + "-" + strconv.FormatUint(rand.Uint64(), 36), Verb: verb, Args: data, Time: resources.NewTime(now)}
	line, err := json.Marshal(w)
	if err == nil && len(line) >= maxAppended {
		err = fmt.Errorf("%s: the line would be longer than %d bytes; say less", File, maxAppended)
	}
	if err != nil {
		return w, err
	}
	// Whoever drains the queue renames the file; a line in the old one is found for a while.
	return w, root.AppendLine(File, line)
}

// Waiting lists what nobody has carried out yet, the oldest first.
func Waiting(root layout.Root) []Wish {
	var all []Wish
	names, _ := root.Names(WorkDir)
	for _, name := range names {
		n, work := strings.CutSuffix(name, ".jsonl")
		if _, err := strconv.Atoi(n); !work || err != nil {
			continue
		}
		data, _, _ := root.Read(WorkDir+"/"+name, layout.MaxLog)
		done, _, _ := root.Read(WorkDir+"/"+n+".done", layout.MaxSpec)
		at, _ := strconv.Atoi(strings.TrimSpace(string(done)))
		all = append(all, wishesIn(data[min(max(at, 0), len(data)):])...)
	}
	data, _, _ := root.Read(File, layout.MaxLog)
	return append(all, wishesIn(data)...)
}

func wishesIn(data []byte) (all []Wish) {
	for line := range bytes.Lines(data) {
		var w Wish
		if json.Unmarshal(line, &w) == nil && w.ID != "" {
			all = append(all, w)
		}
	}
	return all
}

// Outcome is what became of a wish.
type Outcome struct {
	ID     string         `json:"id"`
	Wish   string         `json:"wish"`             // as Wish.String says it
	Reason string         `json:"reason,omitempty"` // why it was refused; "" if it was carried out
	Queued resources.Time `json:"queued,omitzero"`  // the wish's own time
}

// Settle writes down what became of a wish. That it cannot be written changes nothing.
func Settle(root layout.Root, o Outcome) {
	if info, err := os.Lstat(root.Abs(outcomesFile)); err == nil && info.Size() > maxOutcomes {
		_ = root.Remove(outcomesFile)
	}
	if line, err := json.Marshal(o); err == nil {
		_ = root.AppendLine(outcomesFile, line)
	}
}

// Outcomes lists what became of wishes lately, the oldest first.
func Outcomes(root layout.Root) (all []Outcome) {
	data, _, _ := root.Read(outcomesFile, layout.MaxLog)
	for line := range bytes.Lines(data) {
		var o Outcome
		if json.Unmarshal(line, &o) == nil {
			all = append(all, o)
		}
	}
	return all
}
