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
