package resources

// Role defines the permissions of an agent.
type Role = Resource[RoleSpec, RoleStatus]

// RoleSpec lists the permissions of an agent in this role.
type RoleSpec struct {
	Mode        string    `json:"mode,omitempty" idumb:"flag=mode,enum=primary|all" doc:"primary: only the agent that talks to the user; all: subagents too. Default all."`
	Scope       string    `json:"scope,omitempty" idumb:"flag=scope,enum=meta|project|bridge" doc:"meta: governance itself; project: the code; bridge: both."`
	Level       int       `json:"level,omitempty" idumb:"flag=level,min=0,max=3" doc:"The level, 0 (top) to 3; a role cannot delegate to a lower number."`
	Tools       RuleSet   `json:"tools,omitzero" idumb:"flag=tools" doc:"Tools by name, as globs; deny wins, an empty allow allows all."`
	Paths       PathRules `json:"paths,omitzero" doc:"Files that may be written, as globs from the repository's root."`
	Shell       RuleSet   `json:"shell,omitzero" idumb:"flag=shell*" doc:"Commands by their first words; deny wins, an empty allow allows all."`
	DelegatesTo []string  `json:"delegatesTo,omitempty" idumb:"flag=delegates-to,ref=roles" doc:"Roles that tasks may be delegated to."`
	FirstTools  []string  `json:"firstTools,omitempty" idumb:"flag=first-tools" doc:"Tools, as patterns; a session must call one of them first. Every command or tool of idumb counts. Reading files and asking are always allowed."`
	Agents      []string  `json:"agents,omitempty" idumb:"flag=agents" doc:"Names of host agents with this role, as patterns. An exact name wins over a pattern."`
	Categories  []string  `json:"categories,omitempty" idumb:"flag=categories,enum=development|research|governance|maintenance|spec-kit|ad-hoc" doc:"Kinds of plans whose tasks may be delegated to the role. Default: all."`
	Rules       []string  `json:"rules,omitempty" idumb:"flag=rule*" doc:"A sentence at the start of the context of the agent."`
}

// RuleSet allows and denies patterns. Deny has precedence, and an empty Allow allows
// everything. Allowed patterns in Ask require a user's confirmation.
type RuleSet struct {
	Allow []string `json:"allow,omitempty" idumb:"flag=allow" doc:"The only ones allowed: tools as patterns, commands by their first words. Default: all."`
	Ask   []string `json:"ask,omitempty" idumb:"flag=ask" doc:"Tools (patterns) or commands (first words) that need the user's approval. Without a user they are denied."`
	Deny  []string `json:"deny,omitempty" idumb:"flag=deny" doc:"Tools (patterns) or commands (first words) that are denied even if allow matches."`
}

// PathRules lists the files that may be written.
type PathRules struct {
	Write []string `json:"write,omitempty" idumb:"flag=write*,format=glob" doc:"A file pattern; only matching files may be written. Default: all files that deny does not match."`
	Deny  []string `json:"deny,omitempty" idumb:"flag=deny-write*,format=glob" doc:"A file pattern that may not be written, even if write matches."`
}

// RoleStatus is the observed state of a role.
type RoleStatus struct {
	Common
}

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
