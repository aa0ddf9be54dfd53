package resources

// Delegation hands a task from one agent to another.
type Delegation = Resource[DelegationSpec, DelegationStatus]

// DelegationSpec names the delegated task, its giver and its delegate.
type DelegationSpec struct {
	Task           string   `json:"task" idumb:"flag=task,required,ref=tasks" doc:"The task to delegate."`
	From           string   `json:"from" idumb:"flag=from,required" doc:"The role or agent that delegates."`
	To             string   `json:"to" idumb:"flag=to,required" doc:"The role or agent that gets the task; its prompt must contain delegation/NAME."`
	Session        string   `json:"session,omitempty" idumb:"flag=session,ref=sessions" doc:"The only session that may use the delegation. Default: any session of the role or agent."`
	AllowedTools   []string `json:"allowedTools,omitempty" idumb:"flag=tools,set" doc:"Tools that the delegate may use. Commands and tools of idumb are always allowed. Default: the tools of its task and role."`
	ExpectedOutput string   `json:"expectedOutput,omitempty" idumb:"flag=expect" doc:"The expected result. Default: the expected result of the task."`
	State          string   `json:"state,omitempty" idumb:"flag=state,enum=assigned|accepted|recalled|done" doc:"The state. A recalled delegation stops the delegate at its next call. Default assigned."`
}

// DelegationStatus is the observed state of a delegation.
type DelegationStatus struct {
	Common
	Depth    int      `json:"depth" doc:"How many hand-overs lead to it; 3 at most."`
	Chain    []string `json:"chain,omitempty" doc:"Who handed over to whom, first to last."`
	Sessions []string `json:"sessions,omitempty" doc:"Sessions of this machine that work under it and have not ended."`
}
