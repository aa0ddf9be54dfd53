package apierrors

// Refusal says that something was not done, why, and what to do next. Refuse makes one.
type Refusal struct {
	Cause    Cause  // for programs; "" where nobody has to tell it from others
	What     string // what was tried: `cannot start task "foo"`
	Why      string
	Step     string // what to do instead, as a command or a call that works as printed
	Evidence string // where to look it up, or what was seen; "" where Why says it all
}

// Cause is what stands in the way, one CamelCase word: Blocked, NoReason.
type Cause string

// Refuse makes a refusal. The step is a parameter, so that nobody forgets it.
func Refuse(cause Cause, what, why, step string) *Refusal {
	return &Refusal{Cause: cause, What: what, Why: why, Step: step}
}

func (r *Refusal) Error() string { return r.What + ": " + r.Why + "; " + r.Step }
