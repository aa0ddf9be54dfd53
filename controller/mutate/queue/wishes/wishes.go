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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// File is what writers append to.
	File = layout.Dir + "/queue.jsonl"
	// WorkDir holds the files that are being drained, in the order of their numbers.
	WorkDir = layout.RunDir + "/queue"

	// MaxLine is how long a line may be, in bytes: one write puts it there in one piece.
	MaxLine = 64 << 10

	// NoteMaker and NoteHalt are the verbs of hooks. NoteMaker notes in objects whose files hold the
	// revisions beside them that the session made them; NoteHalt creates the anchor of a halt.
	NoteMaker = "note-maker"
	Park      = "park"
	NoteHalt  = "note-halt"

	outcomesFile = WorkDir + "/outcomes.jsonl"
	maxOutcomes  = 64 << 10 // bytes, from which on it begins anew: nobody asks for old ones
)

// Wish is one line of the queue.
type Wish struct {
	ID   string          `json:"id"`
	Verb string          `json:"verb"`
	Args json.RawMessage `json:"args"`
	Time resources.Time  `json:"time,omitzero"` // when it was queued; not told by scripts
}

// Said is what is said with an act (package acts), wherever it is asked for: each takes some of it. The tags say
// what its flag is called, if not as in JSON, and was called before, what help says of it, and of which kind the names are that it takes.
type Said struct {
	Met      []int    `json:"met,omitempty" help:"of a plan: the numbers of the criteria that --evidence shows to hold"`
	Evidence string   `json:"evidence,omitempty" help:"what shows that it is done"`
	Tests    string   `json:"tests,omitempty" help:"which tests were run, with their outcome"`
	Files    []string `json:"files,omitempty" flag:"file" help:"a file that was written for it, besides those that were recorded; may be given several times"`
	Reason   string   `json:"reason,omitempty" help:"why"`
	TakeOver bool     `json:"takeOver,omitempty" flag:"take-over" help:"also if another clone holds it (for a person)"`
	Back     bool     `json:"back,omitempty" flag:"undo" old:"back" help:"propose it again"`
	Into     []string `json:"into,omitempty" help:"names of the new tasks: a,b"`
	Content  string   `json:"content,omitempty"`
	To       string   `json:"to,omitempty" help:"hand the task to this role or agent instead, on the same terms" names:"roles"`
	Priority string   `json:"priority,omitempty"`
	Intent   string   `json:"intent,omitempty"`
}

// Args are those of all verbs.
type Args struct {
	// create, as scripts write it
	Kind   string            `json:"kind,omitempty"`
	Name   string            `json:"name,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Spec   json.RawMessage   `json:"spec,omitempty"`
	// the acts that package acts lets the queue do
	Task     string `json:"task,omitempty"`
	WorkPlan string `json:"workplan,omitempty"`
	Said
	// all others: the objects that they are about, KIND/NAME
	Names   []string `json:"names,omitempty"`
	Cascade string   `json:"cascade,omitempty"` // delete, archive
	// What each of them is to be, and the revision that it is to take the place of; "" for a new one.
	Objects []json.RawMessage `json:"objects,omitempty"`
	Over    []string          `json:"over,omitempty"`
	// Session is the record's name of the session that queued it; "" where that is not known.
	Session string `json:"session,omitempty"`
}

// Add adds an object, as its file is to hold it, in place of the version of that revision.
func (a *Args) Add(key resources.Key, object []byte, over string) {
	a.Names, a.Objects, a.Over = append(a.Names, NamesOf(key)...), append(a.Objects, object), append(a.Over, over)
}

// NamesOf are objects as Args.Names names them.
func NamesOf(keys ...resources.Key) (names []string) {
	for _, key := range keys {
		kind, _ := resources.KindOf(key.Kind)
		names = append(names, kind.Singular+"/"+key.Name)
	}
	return names
}

// About names the objects that the wish is about: KIND/NAME.
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

// String is the wish as a command names it: "start task/a".
func (w Wish) String() string {
	const shown = 4
	var a Args
	_ = json.Unmarshal(w.Args, &a)
	about := a.About()
	if more := len(about) - shown; more > 1 {
		about = append(about[:shown:shown], fmt.Sprintf("and %d more", more))
	}
	return w.Verb + " " + strings.Join(about, ", ")
}

// Refused reports whether a write failed because this process may not write there.
func Refused(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

// OfHook reports whether a hook queued the wish, on its own account.
func (w Wish) OfHook() bool { return w.Verb == NoteMaker || w.Verb == NoteHalt || w.Verb == Park }

// New returns a wish with an id of its own.
func New(verb string, args Args, now time.Time) (Wish, error) {
	data, err := json.Marshal(args)
	id := "w-" + strconv.FormatInt(now.UnixMilli(), 10) + "-" + strconv.FormatUint(rand.Uint64(), 36)
	return Wish{ID: id, Verb: verb, Args: data, Time: resources.NewTime(now)}, err
}

// Append adds a wish to the queue, in one write and without any lock.
func Append(root layout.Root, verb string, args Args, now time.Time) (Wish, error) {
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
	// Whoever drains the queue renames the file; a line in the old one is found for a while.
	return w, root.AppendLine(File, line)
}

// Works lists the numbers of the files that are being drained, in order.
func Works(root layout.Root) (numbers []int, err error) {
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

// WorkFile is the file of that number, and OffsetFile the one that says up to where it was drained.
func WorkFile(n int) string   { return WorkDir + "/" + strconv.Itoa(n) + ".jsonl" }
func OffsetFile(n int) string { return WorkDir + "/" + strconv.Itoa(n) + ".done" }

// Offset is up to where the file of that number, which holds data, was drained.
func Offset(root layout.Root, n int, data []byte) int {
	done, _, _ := root.Read(OffsetFile(n), layout.MaxSpec)
	at, _ := strconv.Atoi(strings.TrimSpace(string(done)))
	return min(max(at, 0), len(data))
}

// Waiting lists what nobody has carried out yet, the oldest first.
func Waiting(root layout.Root) (all []Wish) {
	appended, _, _ := root.Read(File, layout.MaxLog) // first: what is renamed meanwhile is found below
	works, _ := Works(root)
	for _, n := range works {
		data, _, _ := root.Read(WorkFile(n), layout.MaxLog)
		all = append(all, wishesIn(data[Offset(root, n, data):])...)
	}
	for _, w := range wishesIn(appended) {
		if !slices.ContainsFunc(all, func(other Wish) bool { return other.ID == w.ID }) {
			all = append(all, w)
		}
	}
	return all
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
