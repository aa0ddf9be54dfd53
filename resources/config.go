package resources

// ConfigName is the name of the one Config, .idumb/config.json.
const ConfigName = "config"

// Config is how a repository wants to be governed.
type Config = Resource[ConfigSpec, ConfigStatus]

// ConfigSpec holds the settings. Every one has a default (DefaultConfig).
type ConfigSpec struct {
	Mode                 string           `json:"mode,omitempty" idumb:"enum=enforce|log|off" doc:"enforce denies, log records what it would have denied, off is silent. Default enforce. IDUMB_ENFORCE overrides."`
	MinVersion           string           `json:"minVersion,omitempty" idumb:"format=version" doc:"The lowest version of idumb that understands these files, such as 1.4.0: older ones say that they have to be upgraded."`
	RequirePlan          bool             `json:"requirePlan,omitempty" doc:"Deny writes even while no plan is active. Default false: one line of advice."`
	DefaultRole          string           `json:"defaultRole,omitempty" idumb:"ref=roles" doc:"The role of agents that have none of their own. Default solo."`
	UnknownAgents        string           `json:"unknownAgents,omitempty" idumb:"enum=least|default" doc:"What an agent may do whose name no role names: least, what the role with the fewest rights may; default, what defaultRole may. Default least. idumb doctor lists such agents."`
	RequireTodo          bool             `json:"requireTodo,omitempty" doc:"Deny starting a subagent whose prompt names no task or delegation (task/NAME, delegation/NAME) that is written down. Default false."`
	ContextWindow        int              `json:"contextWindow,omitempty" idumb:"min=1000" doc:"Tokens in the model's window. Default 200000."`
	ContextShare         int              `json:"contextShare,omitempty" idumb:"min=1,max=100" doc:"Percent of the window that the packed context may use. Default 12."`
	SplitAt              int              `json:"splitAt,omitempty" idumb:"min=1,max=100" doc:"Percent of the model's window at which an OpenCode session goes on in a new one; 100: never. Default 80."`
	ContextMinCharacters int              `json:"contextMinCharacters,omitempty" idumb:"min=0" doc:"The packed context may always use this many characters, unless the host's limit is lower. Default 15000."`
	AnchorStaleAfter     string           `json:"anchorStaleAfter,omitempty" idumb:"format=duration" doc:"An anchor not validated for this long is stale. Default 48h."`
	TaskStaleAfter       string           `json:"taskStaleAfter,omitempty" idumb:"format=duration" doc:"An active task without a checkpoint for this long is stale. Default 4h."`
	MemFadingBelow       int              `json:"memFadingBelow,omitempty" idumb:"min=0,max=100" doc:"A mem below this confidence is fading. Default 60."`
	MemStaleBelow        int              `json:"memStaleBelow,omitempty" idumb:"min=0,max=100" doc:"A mem below this confidence is stale. Default 45."`
	OrphanGracePeriod    string           `json:"orphanGracePeriod,omitempty" idumb:"format=duration" doc:"How long a missing reference is put down to git or an editor. Default 24h."`
	DelegationGrace      string           `json:"delegationGrace,omitempty" idumb:"format=duration" doc:"A delegation whose sessions all ended has lapsed after this long: its task may be handed to somebody else. Default 1h."`
	PurgeAfter           string           `json:"purgeAfter,omitempty" idumb:"format=duration" doc:"An abandoned plan is archived after this long. Default 48h."`
	SessionIdleAfter     string           `json:"sessionIdleAfter,omitempty" idumb:"format=duration" doc:"A session without a call for this long is idle. Default 1h."`
	SessionStaleAfter    string           `json:"sessionStaleAfter,omitempty" idumb:"format=duration" doc:"A session without a call for this long is stale. Default 48h."`
	SessionCollectAfter  string           `json:"sessionCollectAfter,omitempty" idumb:"format=duration" doc:"An ended or stale session is archived after this long. Default 168h."`
	EventsKept           string           `json:"eventsKept,omitempty" idumb:"format=duration" doc:"Event logs older than this are removed. Default 336h."`
	Language             Language         `json:"language,omitzero" doc:"Languages, first in the context so that they survive compaction."`
	ProjectFacts         []string         `json:"projectFacts,omitempty" doc:"Sentences about the project that every context carries."`
	Controller           ControllerConfig `json:"controller,omitzero" doc:"How the background controller behaves."`
}

// Language says in which languages the agent speaks and writes.
type Language struct {
	Communication string `json:"communication,omitempty" doc:"For answers to the person."`
	Documents     string `json:"documents,omitempty" doc:"For files."`
}

// ControllerConfig is how the background controller behaves.
type ControllerConfig struct {
	AutoStart *bool  `json:"autoStart,omitempty" doc:"Start a controller when a session starts and none runs; it ends 30 minutes after the last session. Default true. IDUMB_AUTOSTART overrides."`
	Poll      string `json:"poll,omitempty" idumb:"format=duration" doc:"Look for changes this often in place of inotify; for network mounts."`
	MemoryMB  int    `json:"memoryMB,omitempty" idumb:"min=32" doc:"How many MB of memory the controller takes before it looks harder for what it can give back. Default 512. GOMEMLIMIT overrides."`
}

// StartsItself reports whether sessions start a controller where none runs: unless
// autoStart says false.
func (c ControllerConfig) StartsItself() bool { return c.AutoStart == nil || *c.AutoStart }

// ConfigStatus is what holds about the settings.
type ConfigStatus struct {
	Common
}

// DefaultConfig returns the settings of a repository without config.json.
func DefaultConfig() ConfigSpec {
	return ConfigSpec{
		Mode: "enforce", DefaultRole: "solo", UnknownAgents: "least", DelegationGrace: "1h",
		ContextWindow: 200000, ContextShare: 12, SplitAt: 80, ContextMinCharacters: 15000,
		AnchorStaleAfter: "48h", TaskStaleAfter: "4h", MemFadingBelow: 60, MemStaleBelow: 45,
		OrphanGracePeriod: "24h", PurgeAfter: "48h",
		Controller:       ControllerConfig{MemoryMB: 512},
		SessionIdleAfter: "1h", SessionStaleAfter: "48h", SessionCollectAfter: "168h", EventsKept: "336h",
	}
}
