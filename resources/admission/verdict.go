package admission

import "strings"

// Outcome is the kind of answer to a host.
type Outcome int

// Outcomes. The zero value leaves the decision to the host and its user.
const (
	NoOpinion Outcome = iota
	Allow             // only for idumb's tools: skips the permission prompt
	Advise            // no opinion, with a line for the agent
	Record            // mode log: record the denial; no opinion
	Deny
	AskPerson // the person decides, based on Reason; denied if no person can answer
)

// String returns the name of the outcome for logs.
func (o Outcome) String() string {
	return [...]string{"no opinion", "allow", "advise", "record", "deny", "ask"}[o]
}

// Verdict is the answer to a Call.
type Verdict struct {
	Outcome Outcome
	Reason  Reason // for Deny, Record and AskPerson
	Advice  string // for Advise
	// Task is the task under which the call was judged. It is "" if none was needed or found.
	// An allowed write counts as work on it.
	Task string
	// Asks means that a person must decide: for AskPerson, and for a Record that replaces it.
	Asks bool
	// Opens means that the call is one of the role's first tools. Once it is allowed,
	// Call.Opened is true for the session.
	Opens bool
	// Decides contains the names of the decisions that the person must make.
	Decides []string
	// Bypassed are the chain rules that the call bypassed. Each is reported as an event.
	Bypassed []Bypass
	// Lifted are the rules that a person lifted for this call.
	Lifted []string
}

// WithoutAsking returns the verdict if no person can answer. Questions become denials.
func (v Verdict) WithoutAsking() Verdict {
	if v.Outcome == AskPerson {
		v.Outcome = Deny
	}
	return v
}

// Modes of governance (config.mode).
const (
	ModeEnforce = "enforce" // deny
	ModeLog     = "log"     // record what would be denied
	ModeOff     = "off"     // disabled
)

// EnforceVariable is the environment variable that overrides config.mode. It is read from
// the environment of the host's hooks. Setting it in an agent's shell command has no
// effect.
const EnforceVariable = "IDUMB_ENFORCE"

// TrustVariable is the environment variable with the folders whose repositories a person
// trusts; it is read by package trust.
const TrustVariable = "IDUMB_TRUST"

// DelegationVariable is the environment variable with the delegation of a host's session.
// It can only reduce permissions.
const DelegationVariable = "IDUMB_DELEGATION"

// KnownMode reports whether a value of EnforceVariable is a mode or empty.
func KnownMode(override string) bool {
	return strings.TrimSpace(override) == "" || Mode(override, ModeLog) != ModeLog || Mode(override, ModeOff) != ModeOff
}

// Mode returns the effective mode: the override (the value of EnforceVariable: a mode, 1
// and true for enforce, 0 and false for off), then the configured mode, then enforce.
// Unknown overrides are ignored.
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
