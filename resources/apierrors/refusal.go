package apierrors

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

func (r *Refusal) Error() string { return r.What + ": " + r.Why + "; " + r.Step }
