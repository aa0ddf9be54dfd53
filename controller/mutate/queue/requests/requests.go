// Package requests reads and writes the files of the queue: pending commands and
// their results.
//
// An agent's shell may run in a sandbox in which only the queue of .idumb is
// writable. A command that detects this appends itself to the queue. Package
// queue executes it and records the result. The hook of the agent's call, which
// runs outside the sandbox, reports the result to the agent. The hook imports
// this package, so it knows the files and only the verbs that hooks request.
package requests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// File is the file to which writers append.
	File = layout.Dir + "/queue.jsonl"
	// WorkDir is the directory of the files that are being drained, in the
	// order of their numbers.
	WorkDir = layout.RunDir + "/queue"

	// MaxLine is the maximum length of a line in bytes. It is written in one
	// call.
	MaxLine = 64 << 10

	// NoteMaker, Park and NoteHalt are the verbs of hooks. NoteMaker records the
	// session as the maker of objects with certain revisions. Park returns active
	// tasks outside the focus to state planned. NoteHalt creates the anchor of a
	// halt.
	NoteMaker = "note-maker"
	Park      = "park"
	NoteHalt  = "note-halt"

	// Start and Review are the acts that hooks request for a task that was made
	// of an item of the agent's to-do list.
	Start  = "start"
	Review = "review"

	outcomesFile = WorkDir + "/outcomes.jsonl"
	maxOutcomes  = 64 << 10 // size in bytes at which the file is restarted, because old results are not needed
)

// Request is one line of the queue.
type Request struct {
	ID   string          `json:"id"`
	Verb string          `json:"verb"`
	Args json.RawMessage `json:"args"`
	Time resources.Time  `json:"time,omitzero"` // time of queueing; missing in lines of scripts
}

// Said holds the options of acts (package acts). Each act uses some of them.
// The tags contain the flag's name if it differs from the JSON name, its former
// name, its help text, the kind of the names that it takes, and "path" as the
// format of files.
type Said struct {
	Met      []int    `json:"met,omitempty" help:"numbers of the plan's acceptance criteria that --evidence proves"`
	Evidence string   `json:"evidence,omitempty" help:"evidence that the work is done"`
	Tests    string   `json:"tests,omitempty" help:"the tests that ran, with their results"`
	Files    []string `json:"files,omitempty" flag:"file" help:"a file written for the task, in addition to recorded files; repeatable"`
	Reason   string   `json:"reason,omitempty" help:"the reason"`
	TakeOver bool     `json:"takeOver,omitempty" flag:"take-over" help:"also if another clone holds the task (for users)"`
	Back     bool     `json:"back,omitempty" flag:"undo" old:"back" help:"list the tasks in idumb next again"`
	Into     []string `json:"into,omitempty" help:"names of the new tasks: a,b"`
	Content  string   `json:"content,omitempty"`
	To       string   `json:"to,omitempty" help:"delegate the task to this role or agent instead, on the same terms" names:"roles"`
	Priority string   `json:"priority,omitempty"`
	State    string   `json:"state,omitempty"`
	Intent   string   `json:"intent,omitempty"`
	By       string   `json:"by,omitempty" help:"the user or tool that confirms (default \"you\")"`
	Check    bool     `json:"check,omitempty" help:"confirm only if no cited source has changed"`
	Cites    []string `json:"cites,omitempty" flag:"evidence" help:"FILE, FILE#HEADING or FILE#DECLARATION; replaces missing sources" format:"path"`
	// for new plans and tasks, and to edit a task
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Plan        string   `json:"plan,omitempty" names:"workplans"`
	DependsOn   []string `json:"dependsOn,omitempty" names:"tasks"`
	Paths       []string `json:"paths,omitempty"`
	Expect      string   `json:"expect,omitempty"`
	Commands    []string `json:"commands,omitempty"`
	Accept      []string `json:"accept,omitempty"`
}

// Args holds the arguments of all verbs.
type Args struct {
	// for create, in the form of scripts
	Kind   string            `json:"kind,omitempty"`
	Name   string            `json:"name,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Spec   json.RawMessage   `json:"spec,omitempty"`
	// for the acts of package acts that can be queued
	Task     string `json:"task,omitempty"`
	WorkPlan string `json:"workplan,omitempty"`
	Said
	// for other verbs: their objects, KIND/NAME
	Names   []string `json:"names,omitempty"`
	Cascade string   `json:"cascade,omitempty"` // for delete and archive
	// The new version of each object, and the revision that it replaces; empty
	// for a new one.
	Objects   []json.RawMessage `json:"objects,omitempty"`
	Revisions []string          `json:"over,omitempty"`
	// Session is the record name of the session that queued the command; empty
	// if unknown.
	Session string `json:"session,omitempty"`
}

// Add adds an object in the form of its file. over is the revision that it
// replaces.
func (a *Args) Add(key resources.Key, object []byte, over string) {
	a.Names, a.Objects, a.Revisions = append(a.Names, NamesOf(key)...), append(a.Objects, object), append(a.Revisions, over)
}

// NamesOf formats keys for Args.Names.
func NamesOf(keys ...resources.Key) (names []string) {
	for _, key := range keys {
		kind, _ := resources.KindOf(key.Kind)
		names = append(names, kind.Singular+"/"+key.Name)
	}
	return names
}

// About returns the objects of the command: KIND/NAME.
func (a Args) About() []string {
	switch {
	case a.Task != "":
		return []string{"task/" + a.Task}
	case a.WorkPlan != "":
		return []string{"workplan/" + a.WorkPlan}
	case a.Kind != "":
		return []string{strings.TrimSuffix(a.Kind+"/"+a.Name, "/")}
	}
	return a.Names
}

// String returns the command in readable form: "start task/a".
func (w Request) String() string {
	const shown = 4
	var a Args
	_ = json.Unmarshal(w.Args, &a)
	about := a.About()
	if more := len(about) - shown; more > 1 {
		about = append(about[:shown:shown], fmt.Sprintf("and %d more", more))
	}
	return w.Verb + " " + strings.Join(about, ", ")
}

// IsNoAccess reports whether a write failed because this process has no write
// access.
func IsNoAccess(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

// IsFromHook reports whether a hook queued the command.
func (w Request) IsFromHook() bool {
	return w.Verb == NoteMaker || w.Verb == NoteHalt || w.Verb == Park
}

// New returns a command with a new ID.
func New(verb string, args Args, now time.Time) (Request, error) {
	data, err := json.Marshal(args)
	id := "w-" + strconv.FormatInt(now.UnixMilli(), 10) + "-" + strconv.FormatUint(rand.Uint64(), 36)
	return Request{ID: id, Verb: verb, Args: data, Time: resources.NewTime(now)}, err
}

// Append appends a command to the queue in one write and without a lock.
func Append(root layout.Root, verb string, args Args, now time.Time) (Request, error) {
	w, err := New(verb, args, now)
	if err != nil {
		return w, err
	}
	line, err := json.Marshal(w)
	if err == nil && len(line) > MaxLine {
		err = fmt.Errorf("%s: the line would be longer than %d bytes; say less", File, MaxLine)
	}
	if err != nil {
		return w, err
	}
	// The file may be renamed for draining; lines appended to the old file are
	// found for a while.
	return w, root.AppendLine(File, line)
}

// WorkNumbers returns the numbers of the files that are being drained, in order.
func WorkNumbers(root layout.Root) (numbers []int, err error) {
	names, err := root.Names(WorkDir)
	for _, name := range names {
		name, found := strings.CutSuffix(name, ".jsonl")
		if n, err := strconv.Atoi(name); found && err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, err
}

// WorkFile returns the file with a number that is being drained.
func WorkFile(n int) string { return WorkDir + "/" + strconv.Itoa(n) + ".jsonl" }

// OffsetFile returns the file with the drain position of the file with a
// number.
func OffsetFile(n int) string { return WorkDir + "/" + strconv.Itoa(n) + ".done" }

// Offset returns the drain position of the file with a number. data is the
// content of the file.
func Offset(root layout.Root, n int, data []byte) int {
	done, _, _ := root.Read(OffsetFile(n), layout.MaxSpec)
	at, _ := strconv.Atoi(strings.TrimSpace(string(done)))
	return min(max(at, 0), len(data))
}

// Waiting returns the commands that are not executed yet, oldest first.
func Waiting(root layout.Root) (all []Request) {
	appended, _, _ := root.Read(File, layout.MaxLog) // first, because a file renamed in the meantime is found below
	works, _ := WorkNumbers(root)
	for _, n := range works {
		data, _, _ := root.Read(WorkFile(n), layout.MaxLog)
		all = append(all, requestsIn(data[Offset(root, n, data):])...)
	}
	for _, w := range requestsIn(appended) {
		if !slices.ContainsFunc(all, func(other Request) bool { return other.ID == w.ID }) {
			all = append(all, w)
		}
	}
	return all
}

// requestsIn returns the readable commands in the lines of data.
func requestsIn(data []byte) (all []Request) {
	for line := range bytes.Lines(data) {
		var w Request
		if json.Unmarshal(line, &w) == nil && w.ID != "" {
			all = append(all, w)
		}
	}
	return all
}

// Outcome is the result of a command.
type Outcome struct {
	ID     string         `json:"id"`
	Wish   string         `json:"wish"`             // Request.String
	Reason string         `json:"reason,omitempty"` // reason of the refusal; empty if executed
	Queued resources.Time `json:"queued,omitzero"`  // time of queueing
}

// RecordOutcome records the result of a command. It ignores write errors.
func RecordOutcome(root layout.Root, o Outcome) {
	if info, err := os.Lstat(root.Abs(outcomesFile)); err == nil && info.Size() > maxOutcomes {
		_ = root.Remove(outcomesFile)
	}
	if line, err := json.Marshal(o); err == nil {
		_ = root.AppendLine(outcomesFile, line)
	}
}

// Outcomes returns the recent results, oldest first.
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
