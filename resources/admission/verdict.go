package admission

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
	// Bypassed are the chain rules that the call went past. Each is an event.
	Bypassed []Bypass
}

// WithoutAsking is the verdict where nobody can be asked: what is to be asked is denied.
func (v Verdict) WithoutAsking() Verdict {
	if v.Outcome == AskPerson {
		v.Outcome = Deny
	}
	return v
}
