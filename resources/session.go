package resources

import "slices"

// Session is one conversation with one agent host. Sessions are local to a machine.
type Session = Resource[SessionSpec, SessionStatus]

// SessionSpec is the hook's record of a session.
type SessionSpec struct {
	Host       string          `json:"host,omitempty" doc:"claude, opencode, codex, ..."`
	Agent      string          `json:"agent,omitempty" doc:"The host's name for the agent, as its hook reported it."`
	Role       string          `json:"role,omitempty" idumb:"ref=roles" doc:"The role in which it acts. Default: config.defaultRole."`
	Parent     string          `json:"parent,omitempty" idumb:"ref=sessions" doc:"The session that started it."`
	ActiveTask string          `json:"activeTask,omitempty" idumb:"ref=tasks" doc:"The task that it works on, if it has started one."`
	Delegation string          `json:"delegation,omitempty" idumb:"ref=delegations" doc:"The delegation that it works under: its task, only with its tools, until it is recalled."`
	StartedAt  Time            `json:"startedAt,omitzero" doc:"When it started."`
	LastSeenAt Time            `json:"lastSeenAt,omitzero" doc:"When its hook last ran."`
	ResumedAt  Time            `json:"resumedAt,omitzero" doc:"When it was last taken up again, after it had ended or nothing was heard of it for a while."`
	EndedAt    Time            `json:"endedAt,omitzero" doc:"When its host reported the end."`
	Raised     []string        `json:"raised,omitempty" idumb:"ref=triggers" doc:"Triggers for repeated calls that fire now."`
	State      string          `json:"state,omitempty" idumb:"enum=new|compacted|resumed|working|waiting|between-turns|stopped" doc:"Where in its life the session was last seen: new, compacted (its conversation was cut), resumed (taken up after a pause), working (a turn runs), waiting (for the user: see waitsFor), between-turns (its turn ended, and background work continues), stopped (the user stopped a call)."`
	WaitsFor   string          `json:"waitsFor,omitempty" idumb:"enum=permission|answer|input" doc:"In state waiting, the expected input of the user: permission (for a call), answer (to a question), input (the next prompt, after the end of the turn)."`
	Asks       string          `json:"asks,omitempty" doc:"In state waiting, the question in the words of the agent or its host, one line."`
	Since      Time            `json:"since,omitzero" doc:"In state waiting, since when it waits."`
	Tokens     int             `json:"tokens,omitempty" idumb:"min=0" doc:"Tokens of the conversation, as last reported by its host; absent if the host does not report it."`
	Counters   SessionCounters `json:"counters,omitzero" doc:"What happened in it."`
}

// Equal reports whether two records are equal.
func (s *SessionSpec) Equal(o *SessionSpec) bool {
	return s.Host == o.Host && s.Agent == o.Agent && s.Role == o.Role && s.Parent == o.Parent && s.ActiveTask == o.ActiveTask && s.Delegation == o.Delegation &&
		s.StartedAt.Equal(o.StartedAt.Time) && s.LastSeenAt.Equal(o.LastSeenAt.Time) && s.ResumedAt.Equal(o.ResumedAt.Time) && s.EndedAt.Equal(o.EndedAt.Time) &&
		slices.Equal(s.Raised, o.Raised) && s.State == o.State && s.WaitsFor == o.WaitsFor && s.Asks == o.Asks && s.Since.Equal(o.Since.Time) &&
		s.Tokens == o.Tokens && s.Counters == o.Counters
}

// Enter sets a state other than StateWaiting and clears the waiting fields.
func (s *SessionSpec) Enter(state string) {
	s.State, s.WaitsFor, s.Asks, s.Since = state, "", "", Time{}
}

// Wait sets StateWaiting. The text of the request (asks) may be empty. If the
// session already waits for the same thing, Wait keeps the first text and time,
// unless only the new request has a text.
func (s *SessionSpec) Wait(waitsFor, asks string, since Time) {
	if s.State == StateWaiting && s.WaitsFor == waitsFor && (s.Asks != "" || asks == "") {
		return
	}
	s.State, s.WaitsFor, s.Asks, s.Since = StateWaiting, waitsFor, asks, since
}

// SessionCounters counts events of a session.
type SessionCounters struct {
	ToolCalls    int `json:"toolCalls,omitempty" doc:"Calls that reached the gate."`
	Writes       int `json:"writes,omitempty" doc:"Checkpoints recorded for writes and edits."`
	Denials      int `json:"denials,omitempty" doc:"Calls that the gate denied."`
	Compactions  int `json:"compactions,omitempty" doc:"Times the conversation was compacted."`
	Turns        int `json:"turns,omitempty" doc:"Prompts."`
	Violations   int `json:"violations,omitempty" doc:"Calls against the rules that ran: mode log let them pass, or the gate was not asked or not heeded."`
	QuietTurns   int `json:"quietTurns,omitempty" doc:"Prompts since something was last recorded for the session's task."`
	Failures     int `json:"failures,omitempty" doc:"Calls in a row that ended with an error."`
	Repeats      int `json:"repeats,omitempty" doc:"Repetitions of the same error, regardless of writes in between; 0 after the failing call succeeded."`
	Outputs      int `json:"outputs,omitempty" doc:"Tool outputs in the agent's context at the last prompt or denial, since the last compaction."`
	StaleOutputs int `json:"staleOutputs,omitempty" doc:"The outputs of failed calls, of files that another author changed since, and of tasks that ended."`
	Cancels      int `json:"cancels,omitempty" doc:"Calls and turns in a row that the user stopped."`
}

// States of a session, as observed by its hook. The context depends on the state: a new,
// compacted or resumed session gets a full pack, and a resumed session also gets the
// changes since its last turn. In the other states a session only gets changes.
const (
	StateNew          = "new"
	StateCompacted    = "compacted"
	StateResumed      = "resumed"
	StateWorking      = "working"
	StateWaiting      = "waiting"
	StateBetweenTurns = "between-turns"
	StateStopped      = "stopped"
)

// Values of spec.waitsFor.
const (
	WaitsForPermission = "permission"
	WaitsForAnswer     = "answer"
	WaitsForInput      = "input"
)

// Phases of a session.
const (
	SessionActive  = "active"
	SessionIdle    = "idle"
	SessionResumed = "resumed"
	SessionStale   = "stale"
	SessionEnded   = "ended"
)

// SessionStatus is the observed state of a session.
type SessionStatus struct {
	Common
	Triggers []string `json:"triggers,omitempty" doc:"Triggers that fire in it now."`

	Drift  int `json:"drift" doc:"How far the session strayed from its task, 0-100: turns without anything recorded for it, a stale task, calls against the rules."`
	Health int `json:"health" doc:"100 minus what went wrong: calls against the rules, failures and stopped calls in a row, compactions, drift."`

	LastCall *LastCall `json:"lastCall,omitempty" doc:"Its last tool call at the gate, in queries of a full session; not in the status file."`
}

// LastCall is the last tool call of a session.
type LastCall struct {
	Tool   string `json:"tool" doc:"The host's name for it."`
	Target string `json:"target,omitempty" doc:"The files, the command or the agent that it is about, in one line."`
	At     Time   `json:"at" doc:"When the gate judged it."`
	OK     *bool  `json:"ok,omitempty" doc:"Whether it succeeded; absent while it runs or if its end is unknown."`
}
