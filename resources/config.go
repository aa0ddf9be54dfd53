package resources

import "time"

// ConfigName is the name of the only Config, .idumb/config.json.
const ConfigName = "config"

// Config holds the governance settings of a repository.
type Config = Resource[ConfigSpec, ConfigStatus]

// ConfigSpec holds the settings. The default of a setting is in its struct tag.
// EffectiveConfig applies the defaults.
type ConfigSpec struct {
	Mode                 string           `json:"mode,omitempty" idumb:"enum=enforce|log|off,default=enforce" doc:"enforce denies calls, log records the calls that enforce would deny, off does neither. IDUMB_ENFORCE overrides."`
	MinVersion           string           `json:"minVersion,omitempty" idumb:"format=version" doc:"The lowest version of idumb that supports these files, such as 1.4.0. Older versions print that an upgrade is required."`
	Plan                 string           `json:"plan,omitempty" idumb:"ref=workplans" doc:"The plan of new tasks without a plan. Default: the plan in focus, or the only active plan."`
	RequirePlan          bool             `json:"requirePlan,omitempty" idumb:"default=false" doc:"Deny writes even while no plan is active, when there is otherwise one line of advice."`
	DefaultRole          string           `json:"defaultRole,omitempty" idumb:"ref=roles,default=solo" doc:"The role of agents without a role."`
	UnknownAgents        string           `json:"unknownAgents,omitempty" idumb:"enum=least|default,default=least" doc:"The rights of an agent whose name matches no role: least, the rights of the most limited role; default, the rights of defaultRole. idumb doctor lists such agents."`
	RequireTodo          bool             `json:"requireTodo,omitempty" idumb:"default=false" doc:"Deny starting a subagent whose prompt names no task or delegation (task/NAME, delegation/NAME) that is written down."`
	TaskLevels           int              `json:"taskLevels,omitempty" idumb:"min=1,max=100,default=3" doc:"How deep tasks may be nested: 3 allows a task, its parts and their parts."`
	AllowOnce            []string         `json:"allowOnce,omitzero" idumb:"enum=shell-gate|role-tools|role-shell|role-paths|first-tool|may-start|assignee|todo|file-owner|write-gate|task-phase|allowed-tools|delegated-tools|comment|task-paths|halted|chain-rule,default=shell-gate|task-paths|file-owner" doc:"The rules that one call may pass once a user allows it (idumb allow); [] for none."`
	ContextWindow        int              `json:"contextWindow,omitempty" idumb:"min=1000,default=200000" doc:"Tokens in the model's window."`
	ContextShare         int              `json:"contextShare,omitempty" idumb:"min=1,max=100,default=12" doc:"Percent of the window that the packed context may use."`
	SplitAt              int              `json:"splitAt,omitempty" idumb:"min=1,max=100,default=80" doc:"Percent of the model's window at which an OpenCode session continues in a new session; 100 means never."`
	ContextMinCharacters int              `json:"contextMinCharacters,omitempty" idumb:"min=0,default=15000" doc:"The packed context may always use this many characters, unless the host's limit is lower."`
	ContextTaskBody      int              `json:"contextTaskBody,omitempty" idumb:"min=50,default=300" doc:"Tokens of the packed context for the descriptions and notes of active tasks. Longer texts are reduced to headings and beginning."`
	AnchorStaleAfter     string           `json:"anchorStaleAfter,omitempty" idumb:"format=duration,default=48h" doc:"An anchor not validated for this long is stale."`
	PlanStaleAfter       string           `json:"planStaleAfter,omitempty" idumb:"format=duration,default=48h" doc:"An active plan without work for this time is stale."`
	TaskStaleAfter       string           `json:"taskStaleAfter,omitempty" idumb:"format=duration,default=4h" doc:"An active task without a checkpoint for this long is stale."`
	MemFadingBelow       int              `json:"memFadingBelow,omitempty" idumb:"min=0,max=100,default=60" doc:"A mem below this confidence is fading."`
	MemStaleBelow        int              `json:"memStaleBelow,omitempty" idumb:"min=0,max=100,default=45" doc:"A mem below this confidence is stale."`
	OrphanGracePeriod    string           `json:"orphanGracePeriod,omitempty" idumb:"format=duration,default=24h" doc:"How long a missing reference is put down to git or an editor."`
	DelegationGrace      string           `json:"delegationGrace,omitempty" idumb:"format=duration,default=1h" doc:"A delegation lapses this long after its last session ended. Its task can then be delegated again."`
	PurgeAfter           string           `json:"purgeAfter,omitempty" idumb:"format=duration,default=48h" doc:"An abandoned plan is archived after this long."`
	SessionIdleAfter     string           `json:"sessionIdleAfter,omitempty" idumb:"format=duration,default=1h" doc:"A session without a call for this long is idle."`
	SessionStaleAfter    string           `json:"sessionStaleAfter,omitempty" idumb:"format=duration,default=48h" doc:"A session without a call for this long is stale."`
	SessionCollectAfter  string           `json:"sessionCollectAfter,omitempty" idumb:"format=duration,default=168h" doc:"An ended or stale session is archived after this long."`
	EventsKept           string           `json:"eventsKept,omitempty" idumb:"format=duration,default=336h" doc:"Event logs older than this are removed."`
	Record               string           `json:"record,omitempty" idumb:"enum=none|names|full,default=full" doc:"What is recorded on this machine of the words and calls of agents. full: last messages, questions, command lines and to-do lists, with tokens masked. names: only names of tools, programs and files. none: only tools and times. Evidence of tasks and denied calls are always recorded."`
	Language             Language         `json:"language,omitzero" doc:"Languages, first in the context so that they survive compaction."`
	ProjectFacts         []string         `json:"projectFacts,omitempty" doc:"Sentences about the project that every context carries."`
	Planning             PlanningConfig   `json:"planning,omitzero" doc:"Which planning framework of the repository rules, and what becomes of the lists that agents keep in their hosts."`
	Map                  MapConfig        `json:"map,omitzero" doc:"The files that the code map omits."`
	Controller           ControllerConfig `json:"controller,omitzero" doc:"How the background controller behaves."`
	Sync                 SyncConfig       `json:"sync,omitzero" doc:"How claims and plans are shared with the team, where a user enables it."`
}

// Language configures the languages of the agent's answers and files.
type Language struct {
	Communication string `json:"communication,omitempty" doc:"For answers to the user."`
	Documents     string `json:"documents,omitempty" doc:"For files."`
}

// Values of ConfigSpec.Record.
const (
	RecordNone  = "none"
	RecordNames = "names"
	RecordFull  = "full"
)

// Values of PlanningConfig.Mirror.
const (
	MirrorTasks = "tasks"
	MirrorOff   = "off"
)

// PlanningConfig configures the plans that are made elsewhere: the leading framework in a repository with several
// planning frameworks, and the to-do lists of agents.
type PlanningConfig struct {
	Mirror  string `json:"mirror,omitempty" idumb:"enum=tasks|show|off,default=show" doc:"What happens to the to-do lists that agents keep in their hosts. show: idumb status shows them, and open items are handed over to the next session. tasks: each list also becomes a draft plan. off: they are not recorded, as without record: full."`
	Primary string `json:"primary,omitempty" idumb:"enum=bmad|gsd|spec-kit|openspec|kiro|agent-os|task-master|backlog.md|beads|hivemind" doc:"The planning framework in use, if documents of several exist. Documents of the other frameworks are not adopted as plans."`
}

// MapConfig lists files that the code map ignores.
type MapConfig struct {
	Ignore []string `json:"ignore,omitempty" idumb:"format=glob" doc:"Files that the map omits, in addition to the files that git ignores."`
}

// DefaultClaimTTL is the default lifetime of a claim in etcd that is not renewed.
const DefaultClaimTTL = 10 * time.Minute

// SyncConfig configures how a team's clones share plans and task claims. Each user enables
// synchronization and selects the server in personal settings.
type SyncConfig struct {
	Engine       string   `json:"engine,omitempty" idumb:"enum=git|etcd,default=git" doc:"The means by which the team's clones share claims. Each user's settings name the remote or server."`
	Team         string   `json:"team,omitempty" idumb:"format=dns1123" doc:"With etcd: the team; its rights are the rights of /idumb/TEAM/."`
	Repo         string   `json:"repo,omitempty" idumb:"format=dns1123" doc:"With etcd: this repository's name in the team."`
	ClaimTTL     string   `json:"claimTTL,omitempty" idumb:"format=duration,default=10m" doc:"With etcd: a claim ends when its machine was not heard of for this long; from 30s to 24h."`
	OfflineStart string   `json:"offlineStart,omitempty" idumb:"enum=allow|deny" doc:"Whether a task may be started while the team is not reached. Default: allow with git, deny with etcd."`
	Subscribe    []string `json:"subscribe,omitempty" idumb:"set" doc:"Whose tasks each clone follows: active, for plans that are not over, all, or names of plans. Default active. idumb sync subscribe adds to it for one clone."`
	MaxObjects   int      `json:"maxObjects,omitempty" idumb:"min=1,max=1000000,default=20000" doc:"Where more objects than this are followed, none are before fewer plans are, or some are archived: each is a file in every clone."`
}

// ControllerConfig configures the background controller.
type ControllerConfig struct {
	AutoStart *bool  `json:"autoStart,omitempty" idumb:"default=true" doc:"Start a controller when a session starts and none runs; it ends 30 minutes after the last session. IDUMB_AUTOSTART overrides."`
	Poll      string `json:"poll,omitempty" idumb:"format=duration" doc:"Look for changes this often in place of inotify; for network mounts."`
	MemoryMB  int    `json:"memoryMB,omitempty" idumb:"min=32,default=512" doc:"Soft memory limit of the controller in MB. GOMEMLIMIT overrides."`
}

// StartsItself reports whether a session starts the controller if none is running. It
// returns true unless autoStart is false.
func (c ControllerConfig) StartsItself() bool { return c.AutoStart == nil || *c.AutoStart }

// ConfigStatus is the observed state of the settings.
type ConfigStatus struct {
	Common
}
