package admission

import "strings"

// Outcome is the sort of answer that a host gets.
type Outcome int

// Outcomes. The zero Outcome leaves the decision to the host and its person.
const (
	NoOpinion Outcome = iota
	Allow             // only for idumb's own tools: it skips the person's permission prompt
	Advise            // no opinion, and one line for the agent
	Record            // mode log: would have been denied; no opinion, to be written down
	Deny
	AskPerson // the person decides, with Reason before them; where nobody can be asked, it is denied
)

// String names the outcome for logs.
func (o Outcome) String() string {
	return [...]string{"no opinion", "allow", "advise", "record", "deny", "ask"}[o]
}

// Verdict is the answer to a Call.
type Verdict struct {
	Outcome Outcome
	Reason  Reason // for Deny, Record and AskPerson
	Advice  string // for Advise
	// Task is the task under which the call was judged, "" if none was needed or
	// there is none. A write that passes is work on that task.
	Task string
	// Asks says that a person would be asked: for AskPerson, and for Record in its place.
	Asks bool
	// Opens says that the caller's role has first tools, and that this call is one: once
	// it passed, Call.Opened is true for the session.
	Opens bool
	// Decides are the decisions about which the person is asked, by name.
	Decides []string
	// Bypassed are the chain rules that the call went past. Each is an event.
	Bypassed []Bypass
	// Lifted are the rules that the call passes because a person allows it once.
	Lifted []string
}

// WithoutAsking is the verdict where nobody can be asked: what is to be asked is denied.
func (v Verdict) WithoutAsking() Verdict {
	if v.Outcome == AskPerson {
		v.Outcome = Deny
	}
	return v
}

// Modes of governance (config.mode).
const (
	ModeEnforce = "enforce" // deny
	ModeLog     = "log"     // record what would have been denied
	ModeOff     = "off"     // say nothing
)

// EnforceVariable is the environment variable that overrides config.mode. It
// counts in the environment in which the host starts its hooks; set inside a
// shell command of the agent it changes nothing.
const EnforceVariable = "IDUMB_ENFORCE"

// TrustVariable is the environment variable by which a person trusts the repositories in
// the folders that it names; see package trust, which reads it.
const TrustVariable = "IDUMB_TRUST"

// DelegationVariable names, in the environment of a host that was started for one, the
// delegation under which its session works. It only takes rights away.
const DelegationVariable = "IDUMB_DELEGATION"

// KnownMode reports whether a value of EnforceVariable is a mode or no override.
func KnownMode(override string) bool {
	return strings.TrimSpace(override) == "" || Mode(override, ModeLog) != ModeLog || Mode(override, ModeOff) != ModeOff
}

// Mode returns the mode that holds: override (the value of EnforceVariable: a
// mode, or 1 and true for enforce, 0 and false for off), else configured, else
// enforce. A value that is none of these is no override.
func Mode(override, configured string) string {
	switch strings.ToLower(strings.TrimSpace(override)) {
	case ModeEnforce, "1", "true":
		return ModeEnforce
	case ModeLog:
		return ModeLog
	case ModeOff, "0", "false":
		return ModeOff
	}
	if configured == ModeLog || configured == ModeOff {
		return configured
	}
	return ModeEnforce
}
