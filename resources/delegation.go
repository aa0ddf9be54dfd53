package resources

// Delegation hands a task from one agent to another.
type Delegation = Resource[DelegationSpec, DelegationStatus]

// DelegationSpec names the delegated task, its giver and its delegate.
type DelegationSpec struct {
	Task           string   `json:"task" idumb:"required,ref=tasks" doc:"The task that is handed over."`
	From           string   `json:"from" idumb:"required" doc:"The role or agent that hands it over."`
	To             string   `json:"to" idumb:"required" doc:"The role or agent that takes it: a subagent of that name or role, whose prompt says delegation/NAME."`
	Session        string   `json:"session,omitempty" idumb:"ref=sessions" doc:"The one session that may work under it. Default: any of an agent that it is addressed to."`
	AllowedTools   []string `json:"allowedTools,omitempty" idumb:"set" doc:"Tools that the delegate may use, of those that its task and its role allow. Default: all of these; commands and tools of idumb are always open."`
	ExpectedOutput string   `json:"expectedOutput,omitempty" doc:"What is expected back. Default: the task's."`
	State          string   `json:"state,omitempty" idumb:"enum=assigned|accepted|recalled|done" doc:"Where it stands. Default assigned; recalled stops the delegate at its next call."`
}

// DelegationStatus is the observed state of a delegation.
type DelegationStatus struct {
	Common
	Depth    int      `json:"depth" doc:"How many hand-overs lead to it; 3 at most."`
	Chain    []string `json:"chain,omitempty" doc:"Who handed over to whom, first to last."`
	Sessions []string `json:"sessions,omitempty" doc:"Sessions of this machine that work under it and have not ended."`
}
