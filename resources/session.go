package resources

import "slices"

// Session is one conversation of one agent host. Sessions are local to a machine.
type Session = Resource[SessionSpec, SessionStatus]

// SessionSpec is what the hook recorded about a session.
type SessionSpec struct {
	Host       string          `json:"host,omitempty" doc:"claude, opencode, codex, ..."`
	Agent      string          `json:"agent,omitempty" doc:"The host's name for the agent, as its hook reported it."`
	Role       string          `json:"role,omitempty" idumb:"ref=roles" doc:"The role in which it acts. Default: config.defaultRole."`
	Parent     string          `json:"parent,omitempty" idumb:"ref=sessions" doc:"The session that started it."`
	ActiveTask string          `json:"activeTask,omitempty" idumb:"ref=tasks" doc:"The task it works on, where it said so."`
	Delegation string          `json:"delegation,omitempty" idumb:"ref=delegations" doc:"The delegation that it works under: its task, only with its tools, until it is recalled."`
	StartedAt  Time            `json:"startedAt,omitzero" doc:"When it started."`
	LastSeenAt Time            `json:"lastSeenAt,omitzero" doc:"When its hook last ran."`
	ResumedAt  Time            `json:"resumedAt,omitzero" doc:"When it was last taken up again, after it had ended or nothing was heard of it for a while."`
	EndedAt    Time            `json:"endedAt,omitzero" doc:"When its host said that it ended."`
	Raised     []string        `json:"raised,omitempty" idumb:"ref=triggers" doc:"Triggers that count calls which come again, and are set off now."`
	State      string          `json:"state,omitempty" idumb:"enum=new|compacted|resumed|working|between-turns|stopped" doc:"Where in its life the session was last seen: new, compacted (its conversation was cut), resumed (taken up after a pause), working (a turn runs), between-turns, stopped (the person stopped a call)."`
	Counters   SessionCounters `json:"counters,omitzero" doc:"What happened in it."`
}

// Equal reports whether two records say the same.
func (s *SessionSpec) Equal(o *SessionSpec) bool {
	return s.Host == o.Host && s.Agent == o.Agent && s.Role == o.Role && s.Parent == o.Parent && s.ActiveTask == o.ActiveTask && s.Delegation == o.Delegation &&
		s.StartedAt.Equal(o.StartedAt.Time) && s.LastSeenAt.Equal(o.LastSeenAt.Time) && s.ResumedAt.Equal(o.ResumedAt.Time) && s.EndedAt.Equal(o.EndedAt.Time) &&
		slices.Equal(s.Raised, o.Raised) && s.State == o.State && s.Counters == o.Counters
}

// SessionCounters counts what happened in a session.
type SessionCounters struct {
	ToolCalls   int `json:"toolCalls,omitempty" doc:"Calls that reached the gate."`
	Writes      int `json:"writes,omitempty" doc:"Checkpoints recorded for writes and edits."`
	Denials     int `json:"denials,omitempty" doc:"Calls that the gate denied."`
	Compactions int `json:"compactions,omitempty" doc:"Times the conversation was compacted."`
	Turns       int `json:"turns,omitempty" doc:"Prompts."`
	Violations  int `json:"violations,omitempty" doc:"Calls against the rules that ran: mode log let them pass, or the gate was not asked or not heeded."`
	QuietTurns  int `json:"quietTurns,omitempty" doc:"Prompts since something was last recorded for the session's task."`
	Failures    int `json:"failures,omitempty" doc:"Calls in a row that ended with an error."`
	Repeats     int `json:"repeats,omitempty" doc:"How often the same error came since the person spoke, whatever was written in between; 0 once the call that told it succeeds."`
	Cancels     int `json:"cancels,omitempty" doc:"Calls and turns in a row that the person stopped."`
}

// States of a session, as its hook sees them; each has a context of its own: a whole pack when
// it is new, compacted or resumed, with what changed meanwhile for the last, and only what changed
// in between.
const (
	StateNew          = "new"
	StateCompacted    = "compacted"
	StateResumed      = "resumed"
	StateWorking      = "working"
	StateBetweenTurns = "between-turns"
	StateStopped      = "stopped"
)

// Phases of a session.
const (
	SessionActive  = "active"
	SessionIdle    = "idle"
	SessionResumed = "resumed"
	SessionStale   = "stale"
	SessionEnded   = "ended"
)

// SessionStatus is what holds about a session.
type SessionStatus struct {
	Common
	Triggers []string `json:"triggers,omitempty" doc:"Triggers that are set off in it now."`

	Drift  int `json:"drift" doc:"How far the session strayed from its task, 0-100: turns without anything recorded for it, a stale task, calls against the rules."`
	Health int `json:"health" doc:"100 minus what went wrong: calls against the rules, failures and stopped calls in a row, compactions, drift."`
}
