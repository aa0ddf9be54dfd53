// Package records only reads checkpoints and events, from the append-only logs of
// a repository. Denials and violations are events. Other packages write the logs.
package records

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Checkpoint is a line of a task's log, with the name of the task.
type Checkpoint struct {
	Task string `json:"task"`
	resources.Checkpoint
}

// Checkpoints returns the checkpoints of a task in the order of its log, oldest
// first. It omits unreadable lines, because a power loss may truncate a line. It
// returns nil if the task has no log.
func Checkpoints(root layout.Root, task string) ([]Checkpoint, error) {
	data, _, err := root.ReadSpec(resources.Key{Kind: resources.CheckpointsKind, Name: task})
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	var all []Checkpoint
	for line := range bytes.Lines(data) {
		c := Checkpoint{Task: task}
		if json.Unmarshal(line, &c.Checkpoint) == nil && !c.Time.IsZero() {
			all = append(all, c)
		}
	}
	return all, err
}

// AllCheckpoints returns the checkpoints of all tasks, oldest first. It omits
// unreadable logs, which are named in the error.
func AllCheckpoints(root layout.Root) ([]Checkpoint, error) {
	names, err := root.Names(layout.CheckpointsDir)
	if err != nil {
		return nil, err
	}
	var all []Checkpoint
	for _, file := range names {
		task, ok := layout.LogName(file)
		if !ok {
			continue
		}
		some, unread := Checkpoints(root, task)
		err = errors.Join(err, unread)
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b Checkpoint) int { return a.Time.Compare(b.Time.Time) })
	return all, err
}

// Violations returns every rule violation, oldest first: denied calls, calls
// that mode log let pass, and calls that were not prevented. Unreadable days
// are omitted and named in the error.
func Violations(root layout.Root) ([]resources.Event, error) {
	return ViolationsSince(root, time.Time{})
}

// ViolationsSince returns the violations since a time.
func ViolationsSince(root layout.Root, since time.Time) ([]resources.Event, error) {
	return aboutCalls(root, since, resources.ReasonDenied, resources.ReasonWouldDeny, resources.ReasonGotThrough)
}

// Denials returns the calls since a time that the gate denied or left to the
// user, oldest first.
func Denials(root layout.Root, since time.Time) ([]resources.Event, error) {
	return aboutCalls(root, since, resources.ReasonDenied, resources.ReasonAsked)
}

// OpenDenials returns the calls since a time that the gate denied and that are
// unresolved: the user neither allowed the call nor confirmed the denial, and
// the call did not pass later in the same session.
func OpenDenials(root layout.Root, since time.Time) (open []resources.Event, err error) {
	calls, err := Calls(root, since)
	for _, c := range calls {
		if c.Reason == resources.ReasonDenied && c.Decision == "" {
			open = append(open, c.Event)
		}
	}
	return open, err
}

// Recent is the age limit of the calls that dashboards, the page and the status show.
const Recent = 24 * time.Hour

// Call is a violation with the decision about it.
type Call struct {
	resources.Event
	// Decision is the reason of the first later event that resolves a denial: Granted, DenialFine
	// or PassedLater. It is empty for an open denial and for other violations.
	Decision string
}

// Calls returns the violations since a time, oldest first.
func Calls(root layout.Root, since time.Time) (calls []Call, err error) {
	all, err := aboutCalls(root, since, resources.ReasonDenied, resources.ReasonWouldDeny, resources.ReasonGotThrough, resources.ReasonGranted, resources.ReasonFine, resources.ReasonPassed)
	type act struct{ session, call string }
	decisions, passed := map[string]string{}, map[act]string{}
	for _, e := range slices.Backward(all) {
		id, done := e.Violation.ID(), act{e.Violation.Session, e.Violation.Call}
		switch e.Reason {
		case resources.ReasonPassed:
			passed[done] = e.Reason
		case resources.ReasonGranted, resources.ReasonFine:
			if id != "" {
				decisions[id] = e.Reason
			}
		case resources.ReasonDenied:
			calls = append(calls, Call{e, cmp.Or(decisions[id], passed[done])})
		default:
			calls = append(calls, Call{e, ""})
		}
	}
	slices.Reverse(calls)
	return calls, err
}

// CheckpointAfter returns the first checkpoint of a session after its call against the rules, or nil.
func CheckpointAfter(root layout.Root, e *resources.Event) *resources.Checkpoint {
	if e.Violation.Task == "" {
		return nil
	}
	all, _ := Checkpoints(root, e.Violation.Task) // doctor reports unreadable checkpoints
	for i := range all {
		if c := &all[i].Checkpoint; c.Session == e.Violation.Session && c.Time.After(e.Time.Time) {
			return c
		}
	}
	return nil
}

// aboutCalls returns the events about calls since a time with one of several
// reasons, oldest first.
func aboutCalls(root layout.Root, since time.Time, reasons ...string) ([]resources.Event, error) {
	all, err := (&EventLog{Root: root, since: since, calls: true}).lines()
	found := make([]resources.Event, 0, len(all))
	for _, e := range all {
		if slices.Contains(reasons, e.Reason) && e.Violation != nil && !e.Time.Before(since) {
			found = append(found, e)
		}
	}
	slices.SortStableFunc(found, func(a, b resources.Event) int { return a.Time.Compare(b.Time.Time) })
	return found, err
}

// Summary returns the summary of a checkpoint, or else its command, or else its
// files.
func Summary(c resources.Checkpoint) string {
	switch {
	case c.Summary != "":
		return c.Summary
	case c.Command != "":
		return c.Command
	}
	return strings.Join(c.FilesModified, ", ")
}
