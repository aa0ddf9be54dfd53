// Package lifecycle says what start, review, complete, fail and abandon do to a
// task or a plan, and when they refuse. Its functions are pure: the command and
// the tools of agents decide alike from the same view.
package lifecycle

import (
	"fmt"
	"strings"
)

// Verb is a step in the life of a task or a plan.
type Verb string

// The verbs, as people type them.
const (
	Start    Verb = "start"
	Review   Verb = "review"
	Complete Verb = "complete"
	Fail     Verb = "fail"
	Abandon  Verb = "abandon"
)

// done is what output says after the verb.
var done = map[Verb]string{
	Start: "started", Review: "in review", Complete: "completed", Fail: "failed", Abandon: "abandoned",
}

// Done returns what output says after the verb: "started".
func (v Verb) Done() string { return done[v] }

// Move is a step that someone wants to make.
type Move struct {
	Verb     Verb
	Evidence string   // complete, review: what shows that it is done
	Tests    string   // complete, review: which tests ran, with their outcome
	Files    []string // complete, review: files that were written, besides those in checkpoints
	Reason   string   // fail, abandon: why; required
}

// saysMore reports whether the move brings something for the result.
func (m Move) saysMore() bool { return m.Evidence != "" || m.Tests != "" || len(m.Files) > 0 }

// Refusal says why a move cannot be made and what to do instead.
type Refusal struct {
	Verb   Verb
	Object string // task "foo"
	Why    string
	Remedy string
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("cannot %s %s: %s; %s", r.Verb, r.Object, r.Why, r.Remedy)
}

// reasonMissing refuses a fail or abandon that says nothing.
func (m Move) reasonMissing(object string) error {
	if strings.TrimSpace(m.Reason) != "" {
		return nil
	}
	return &Refusal{Verb: m.Verb, Object: object, Why: "no reason is given", Remedy: `say why with --reason "..."`}
}
