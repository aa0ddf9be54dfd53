package resources

import (
	"slices"
	"strings"
	"sync"
)

// Plurals of the kinds, as used in Key.Kind, in paths and in commands.
const (
	WorkPlans    = "workplans"
	Tasks        = "tasks"
	Anchors      = "anchors"
	Mems         = "mems"
	Decisions    = "decisions"
	Roles        = "roles"
	Triggers     = "triggers"
	Delegations  = "delegations"
	Sessions     = "sessions"
	ChainRules   = "chainrules"
	Artifacts    = "artifacts"
	Comments     = "comments"
	Trajectories = "trajectory"
	Configs      = "config"
	Shell        = "shell"
)

// Kind is one row of the table of kinds.
type Kind struct {
	Name       string   // in files: "TaskNode"
	Display    string   // in messages: "The Task "foo" is invalid"
	Singular   string   // in output: "task.idumb.dev/foo"
	Plural     string   // in Key.Kind, commands and as the directory name
	ShortNames []string // additional names for commands
	Prefix     string   // of generated names: "tn" produces tn-<unixms>-<counter>
	Single     bool     // one file .idumb/<plural>.json, named after the plural
	Local      bool     // excluded from git
	Forbids    bool     // the kind defines prohibitions: an unknown field makes a file invalid
	Doc        string   // one sentence for explain and api-resources

	make func(*Kind) Object

	once   sync.Once // guards fields and spec, which reflection builds from the struct tags
	fields *Field
	spec   *Field // fields without the status
}

// New returns an empty object of this kind.
func (k *Kind) New() Object {
	o := k.make(k)
	o.Head().APIVersion, o.Head().Kind = APIVersion, k.Name
	return o
}

// Resource returns the name of the kind in messages: "tasks.idumb.dev".
func (k *Kind) Resource() string { return k.Plural + "." + Group }

// Qualified returns the name of an object in output: "task.idumb.dev/foo".
func (k *Kind) Qualified(name string) string { return k.Singular + "." + Group + "/" + name }

// kinds is the table of kinds, in the order in which "get all" prints them.
var kinds = [...]*Kind{
	{Name: "WorkPlan", Display: "WorkPlan", Singular: "workplan", Plural: WorkPlans, ShortNames: []string{"wp", "plan", "plans"}, Prefix: "wp", Doc: "A goal with acceptance criteria; tasks belong to it.", make: newResource[WorkPlanSpec, WorkPlanStatus]},
	{Name: "TaskNode", Display: "Task", Singular: "task", Plural: Tasks, ShortNames: []string{"tn"}, Prefix: "tn", Doc: "One piece of work, with its dependencies and its evidence.", make: newResource[TaskSpec, TaskStatus]},
	{Name: "Anchor", Display: "Anchor", Singular: "anchor", Plural: Anchors, ShortNames: []string{"an"}, Prefix: "an", Doc: "A fact that must survive compaction.", make: newResource[AnchorSpec, AnchorStatus]},
	{Name: "Mem", Display: "Mem", Singular: "mem", Plural: Mems, Prefix: "mem", Doc: "Something learnt: an insight or a false path.", make: newResource[MemSpec, MemStatus]},
	{Name: "Decision", Display: "Decision", Singular: "decision", Plural: Decisions, ShortNames: []string{"dec"}, Prefix: "dec", Doc: "A proposed or accepted choice. Tasks that depend on it wait until it is accepted.", make: newResource[DecisionSpec, DecisionStatus]},
	{Name: "Role", Display: "Role", Singular: "role", Plural: Roles, Prefix: "role", Forbids: true, Doc: "The permissions of an agent.", make: newResource[RoleSpec, RoleStatus]},
	{Name: "Trigger", Display: "Trigger", Singular: "trigger", Plural: Triggers, ShortNames: []string{"trg"}, Prefix: "trg", Forbids: true, Doc: "A limit on events in a session, and the action at the limit.", make: newResource[TriggerSpec, TriggerStatus]},
	{Name: "Delegation", Display: "Delegation", Singular: "delegation", Plural: Delegations, ShortNames: []string{"del"}, Prefix: "del", Doc: "A task handed from one agent to another.", make: newResource[DelegationSpec, DelegationStatus]},
	{Name: "ChainRule", Display: "ChainRule", Singular: "chainrule", Plural: ChainRules, ShortNames: []string{"cr"}, Prefix: "cr", Forbids: true, Doc: "Requirements that must be met before a command runs.", make: newResource[ChainRuleSpec, ChainRuleStatus]},
	{Name: "Artifact", Display: "Artifact", Singular: "artifact", Plural: Artifacts, ShortNames: []string{"art"}, Prefix: "art", Doc: "A record about a planning document: the objects that it covers, its sources and its state.", make: newResource[ArtifactSpec, ArtifactStatus]},
	{Name: "Comment", Display: "Comment", Singular: "comment", Plural: Comments, ShortNames: []string{"com"}, Prefix: "c", Doc: "A remark about an object, delivered to the agents that work on it.", make: newResource[CommentSpec, CommentStatus]},
	{Name: "Session", Display: "Session", Singular: "session", Plural: Sessions, ShortNames: []string{"ses"}, Prefix: "ses", Local: true, Doc: "One conversation of one agent host.", make: newResource[SessionSpec, SessionStatus]},
	{Name: "Trajectory", Display: "Trajectory", Singular: "trajectory", Plural: Trajectories, ShortNames: []string{"traj"}, Single: true, Doc: "The read-head: the current plan, tasks and intent.", make: newResource[TrajectorySpec, TrajectoryStatus]},
	{Name: "Config", Display: "Config", Singular: "config", Plural: Configs, Single: true, Doc: "The settings of the repository.", make: newResource[ConfigSpec, ConfigStatus]},
	{Name: "ShellRules", Display: "ShellRules", Singular: "shell", Plural: Shell, ShortNames: []string{"sh"}, Single: true, Forbids: true, Doc: "Stricter verdicts and additional rules for shell commands.", make: newResource[ShellRulesSpec, ShellRulesStatus]},
}

// Kinds returns the table of kinds in its order. The rows are shared and must not be
// modified.
func Kinds() []*Kind { return kinds[:] }

// KindOf returns the kind with a plural, as in Key.Kind.
func KindOf(plural string) (*Kind, bool) {
	for _, k := range kinds {
		if k.Plural == plural {
			return k, true
		}
	}
	return nil, false
}

// MisspeltKind returns the kind that a name of a directory of objects means but does not spell, or
// nil: "task" and "taks" mean tasks.
func MisspeltKind(name string) *Kind {
	if _, spelt := KindOf(name); spelt {
		return nil
	}
	if k, ok := LookupKind(name); ok {
		return k
	}
	plurals := make([]string, len(kinds))
	for i, k := range kinds {
		plurals[i] = k.Plural
	}
	k, _ := KindOf(Nearest(name, plurals))
	return k
}

// New returns an empty object of a kind, with a name: New[*Task](Tasks, "a"). It panics if
// the kind does not exist or its objects are not of type T.
func New[T Object](plural, name string) T {
	kind, _ := KindOf(plural)
	o := kind.New().(T)
	o.Head().Metadata.Name = name
	return o
}

// LookupKind finds a kind by any of its names: plural, singular, short name or kind, with
// or without a plural s and the suffix ".idumb.dev". It ignores case.
func LookupKind(word string) (*Kind, bool) {
	word = strings.TrimSuffix(strings.ToLower(word), "."+Group)
	for _, k := range kinds {
		if word == k.Plural || word == k.Singular || strings.TrimSuffix(word, "s") == strings.ToLower(k.Name) {
			return k, true
		}
		if slices.Contains(k.ShortNames, word) {
			return k, true
		}
	}
	return nil, false
}
