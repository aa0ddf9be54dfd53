package apierrors

import "strings"

// Refusal is an error that contains the attempted operation, the reason and the next step.
// Refuse creates it.
type Refusal struct {
	Cause    Cause  // for programs; empty if no program needs to distinguish it
	What     string // attempted operation: `cannot start task "foo"`
	Why      string
	Step     string // next step: a command or a call that works as printed
	Evidence string // reference or observation; empty if Why is sufficient
}

// Cause is the reason for a refusal, one CamelCase word: Blocked, NoReason.
type Cause string

// Refuse returns a refusal. The step is a parameter, so that it cannot be forgotten.
func Refuse(cause Cause, what, why, step string) *Refusal {
	return &Refusal{Cause: cause, What: what, Why: why, Step: step}
}

// Act returns what was refused, without who may do it: "start task" for "cannot start task".
func (r *Refusal) Act() string {
	for _, lead := range [...]string{"cannot ", "only a user can ", "agents do not "} {
		if act, found := strings.CutPrefix(r.What, lead); found {
			return act
		}
	}
	return r.What
}

func (r *Refusal) Error() string { return r.What + ": " + r.Why + "; " + r.Step }
