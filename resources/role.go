package resources

// Role defines the permissions of an agent.
type Role = Resource[RoleSpec, RoleStatus]

// RoleSpec lists the permissions of an agent in this role.
type RoleSpec struct {
	Mode        string    `json:"mode,omitempty" idumb:"enum=primary|all" doc:"primary: the agent that talks to the user; all: subagents too. Default all."`
	Scope       string    `json:"scope,omitempty" idumb:"enum=meta|project|bridge" doc:"meta: governance itself; project: the code; bridge: both."`
	Level       int       `json:"level,omitempty" idumb:"min=0,max=3" doc:"0 is the top; nobody delegates upwards."`
	Tools       RuleSet   `json:"tools,omitzero" doc:"Tools by name, as globs; deny wins, an empty allow allows all."`
	Paths       PathRules `json:"paths,omitzero" doc:"Files that may be written, as globs from the repository's root."`
	Shell       RuleSet   `json:"shell,omitzero" doc:"Commands by their first words; deny wins, an empty allow allows all."`
	DelegatesTo []string  `json:"delegatesTo,omitempty" idumb:"ref=roles" doc:"Roles that this one may hand tasks to."`
	FirstTools  []string  `json:"firstTools,omitempty" doc:"Tools of which one must come first in a session, as globs; any command or tool of idumb will do as well. Looking at files and asking are always open."`
	Agents      []string  `json:"agents,omitempty" doc:"Names of host agents that act in this role, as globs; an exact name wins over a glob."`
	Categories  []string  `json:"categories,omitempty" idumb:"enum=development|research|governance|maintenance|spec-kit|ad-hoc" doc:"Sorts of plans whose tasks may be delegated to this role; none: all."`
	Rules       []string  `json:"rules,omitempty" doc:"Sentences that open the packed context of an agent in this role."`
}

// RuleSet allows and denies patterns. Deny has precedence, and an empty Allow allows
// everything. Allowed patterns in Ask require a user's confirmation.
type RuleSet struct {
	Allow []string `json:"allow,omitempty" doc:"Patterns that are allowed; none: everything is."`
	Ask   []string `json:"ask,omitempty" doc:"Patterns of what is allowed that a user is asked about each time; denied where nobody can be asked."`
	Deny  []string `json:"deny,omitempty" doc:"Patterns that are denied, whatever allow says."`
}

// PathRules lists the files that may be written.
type PathRules struct {
	Write []string `json:"write,omitempty" idumb:"format=glob" doc:"Files that may be written; none: all that are not denied."`
	Deny  []string `json:"deny,omitempty" idumb:"format=glob" doc:"Files that may not be written, whatever write says."`
}

// RoleStatus is the observed state of a role.
type RoleStatus struct {
	Common
}
