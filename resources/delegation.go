package resources

// Delegation hands a task from one agent to another.
type Delegation = Resource[DelegationSpec, DelegationStatus]

// DelegationSpec says who does what for whom.
type DelegationSpec struct {
	Task           string   `json:"task" idumb:"required,ref=tasks" doc:"The task that is handed over."`
	From           string   `json:"from" idumb:"required" doc:"The role or agent that hands it over."`
	To             string   `json:"to" idumb:"required" doc:"The role or agent that takes it."`
	Session        string   `json:"session,omitempty" idumb:"ref=sessions" doc:"The session that works on it."`
	AllowedTools   []string `json:"allowedTools,omitempty" doc:"Tools that the delegate may use."`
	ExpectedOutput string   `json:"expectedOutput,omitempty" doc:"What is expected back. Default: the task's."`
	State          string   `json:"state,omitempty" idumb:"enum=assigned|accepted|recalled|done" doc:"Where it stands. Default assigned."`
}

// DelegationStatus is what holds about a delegation.
type DelegationStatus struct {
	Common
	Depth int      `json:"depth" doc:"How many hand-overs lead to it; 3 at most."`
	Chain []string `json:"chain,omitempty" doc:"Who handed over to whom, first to last."`
}
