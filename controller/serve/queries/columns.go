package queries

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// ColumnOf is one column of a table with a row for each T.
type ColumnOf[T any] struct {
	Header string
	Wide   bool // only with -o wide
	Cell   func(of T, now time.Time) string
}

// Column is one column of a kind's table.
type Column = ColumnOf[*Entry]

// Columns returns the columns of a kind's table. The default columns fit into
// 80 characters with names of usual length.
func Columns(plural string) []Column {
	if columns, known := tables[plural]; known {
		return columns
	}
	return []Column{name, phase, age}
}

var (
	name   = Column{"NAME", false, func(e *Entry, _ time.Time) string { return e.Key.Name }}
	phase  = Column{"PHASE", false, func(e *Entry, _ time.Time) string { return e.Phase() }}
	holder = Column{"HOLDER", true, func(e *Entry, _ time.Time) string { return e.Holder }}
	age    = Column{"AGE", false, func(e *Entry, now time.Time) string {
		if e.Object == nil {
			return Age(time.Time{}, now)
		}
		return Age(e.Object.Created(), now)
	}}
)

// tables maps each kind to the columns of its table.
var tables = map[string][]Column{
	resources.WorkPlans: {name, phase,
		column("DONE", func(_ *resources.WorkPlan, s *resources.WorkPlanStatus) string {
			return fmt.Sprintf("%d/%d", s.Progress.ByPhase[resources.TaskCompleted], s.Progress.Total)
		}),
		column("ACTIVE", func(_ *resources.WorkPlan, s *resources.WorkPlanStatus) string {
			return strconv.Itoa(s.Progress.ByPhase[resources.TaskActive])
		}),
		age,
		wide("NEXT", func(_ *resources.WorkPlan, s *resources.WorkPlanStatus) string { return briefList(s.Next) }),
		wide("BLOCKED-BY", func(_ *resources.WorkPlan, s *resources.WorkPlanStatus) string { return briefList(s.BlockedBy) }),
		wide("OWNER", func(o *resources.WorkPlan, _ *resources.WorkPlanStatus) string { return o.Spec.OwnedBy }),
		wide("TITLE", func(o *resources.WorkPlan, _ *resources.WorkPlanStatus) string { return o.Spec.Title }),
	},
	resources.Tasks: {name,
		column("PLAN", func(o *resources.Task, _ *resources.TaskStatus) string { return o.Spec.WorkPlan }),
		phase,
		column("PRIORITY", func(o *resources.Task, _ *resources.TaskStatus) string { return cmp.Or(o.Spec.Priority, "normal") }),
		age,
		holder,
		wide("READY", func(_ *resources.Task, s *resources.TaskStatus) string { return strconv.FormatBool(s.Ready) }),
		wide("BLOCKED-BY", func(_ *resources.Task, s *resources.TaskStatus) string { return briefList(s.BlockedBy) }),
		wide("ASSIGNED-TO", func(o *resources.Task, _ *resources.TaskStatus) string { return o.Spec.AssignedTo }),
		wide("CHECKPOINTS", func(_ *resources.Task, s *resources.TaskStatus) string { return strconv.Itoa(s.Checkpoints.Count) }),
		wide("TITLE", func(o *resources.Task, _ *resources.TaskStatus) string { return o.Spec.Title }),
	},
	resources.Anchors: {name,
		column("TYPE", func(o *resources.Anchor, _ *resources.AnchorStatus) string { return cmp.Or(o.Spec.Type, "context") }),
		column("PRIORITY", func(o *resources.Anchor, _ *resources.AnchorStatus) string { return cmp.Or(o.Spec.Priority, "normal") }),
		phase,
		column("SCORE", func(_ *resources.Anchor, s *resources.AnchorStatus) string { return strconv.Itoa(s.Score) }),
		age,
		wide("SOURCE", func(o *resources.Anchor, _ *resources.AnchorStatus) string { return source(o.Spec.Source) }),
		wide("CONTENT", func(o *resources.Anchor, _ *resources.AnchorStatus) string { return truncate(o.Spec.Content) }),
	},
	resources.Mems: {name,
		column("TYPE", func(o *resources.Mem, _ *resources.MemStatus) string { return cmp.Or(o.Spec.Type, "insight") }),
		phase,
		column("CONFIDENCE", func(_ *resources.Mem, s *resources.MemStatus) string { return strconv.Itoa(s.Confidence) }),
		age,
		wide("SHELF", func(o *resources.Mem, _ *resources.MemStatus) string { return o.Spec.Shelf }),
		wide("TAGS", func(o *resources.Mem, _ *resources.MemStatus) string { return briefList(o.Spec.Tags) }),
		wide("SUPERSEDED-BY", func(_ *resources.Mem, s *resources.MemStatus) string { return s.SupersededBy }),
		wide("TITLE", func(o *resources.Mem, _ *resources.MemStatus) string {
			return cmp.Or(o.Spec.Title, truncate(o.Spec.Content))
		}),
	},
	resources.Decisions: {name, phase,
		column("STATE", func(o *resources.Decision, _ *resources.DecisionStatus) string { return resources.DecisionState(o) }),
		column("DOUBTS", func(_ *resources.Decision, s *resources.DecisionStatus) string { return strings.Join(doubts(s), ",") }),
		column("TITLE", func(o *resources.Decision, _ *resources.DecisionStatus) string { return truncate(o.Spec.Title) }),
		age,
		wide("BY", func(o *resources.Decision, _ *resources.DecisionStatus) string { return o.Spec.DecidedBy }),
		wide("USES", func(o *resources.Decision, _ *resources.DecisionStatus) string { return briefList(o.Spec.Uses) }),
		wide("AVOIDS", func(o *resources.Decision, _ *resources.DecisionStatus) string { return briefList(o.Spec.Avoids) }),
		wide("SUPERSEDED-BY", func(_ *resources.Decision, s *resources.DecisionStatus) string { return s.SupersededBy }),
		wide("BLOCKED-BY", func(_ *resources.Decision, s *resources.DecisionStatus) string { return briefList(s.BlockedBy) }),
	},
	resources.Comments: {name,
		column("ABOUT", func(o *resources.Comment, _ *resources.CommentStatus) string { return o.Spec.About }),
		column("TYPE", func(o *resources.Comment, _ *resources.CommentStatus) string { return resources.CommentType(o) }),
		phase,
		column("AUTHOR", func(o *resources.Comment, s *resources.CommentStatus) string { return cmp.Or(s.From, o.Spec.Author) }),
		age,
		column("BODY", func(o *resources.Comment, _ *resources.CommentStatus) string { return truncate(o.Spec.Body) }),
		wide("TOLD", func(_ *resources.Comment, s *resources.CommentStatus) string { return commentState(s) }),
		wide("HOLD", func(o *resources.Comment, s *resources.CommentStatus) string {
			return strconv.FormatBool(o.Spec.Hold && s.Binds)
		}),
	},
	resources.Roles: {name,
		column("MODE", func(o *resources.Role, _ *resources.RoleStatus) string { return cmp.Or(o.Spec.Mode, "all") }),
		column("SCOPE", func(o *resources.Role, _ *resources.RoleStatus) string { return o.Spec.Scope }),
		column("LEVEL", func(o *resources.Role, _ *resources.RoleStatus) string { return strconv.Itoa(o.Spec.Level) }),
		age,
		wide("DELEGATES-TO", func(o *resources.Role, _ *resources.RoleStatus) string { return briefList(o.Spec.DelegatesTo) }),
		wide("WRITES", func(o *resources.Role, _ *resources.RoleStatus) string { return briefList(o.Spec.Paths.Write) }),
		wide("TAKES", func(o *resources.Role, _ *resources.RoleStatus) string { return briefList(o.Spec.Categories) }),
		wide("DENIED-TOOLS", func(o *resources.Role, _ *resources.RoleStatus) string { return briefList(o.Spec.Tools.Deny) }),
	},
	resources.ChainRules: {name,
		column("LEVEL", func(o *resources.ChainRule, _ *resources.ChainRuleStatus) string { return o.Spec.Level }),
		phase,
		column("WHEN", func(o *resources.ChainRule, _ *resources.ChainRuleStatus) string {
			return briefList(append(o.Spec.When.Commands[:len(o.Spec.When.Commands):len(o.Spec.When.Commands)], o.Spec.When.Tools...))
		}),
		age,
		wide("REQUIRES", func(o *resources.ChainRule, _ *resources.ChainRuleStatus) string { return required(o.Spec.Requires) }),
		wide("WHERE", func(o *resources.ChainRule, _ *resources.ChainRuleStatus) string { return briefList(o.Spec.When.Where) }),
	},
	resources.Artifacts: {name,
		column("TYPE", func(o *resources.Artifact, _ *resources.ArtifactStatus) string { return resources.ArtifactType(o) }),
		phase,
		column("BOXES", func(_ *resources.Artifact, s *resources.ArtifactStatus) string { return boxes(s.Sections) }),
		column("PATH", func(o *resources.Artifact, _ *resources.ArtifactStatus) string { return o.Spec.Path }),
		age,
		wide("STALE", func(_ *resources.Artifact, s *resources.ArtifactStatus) string { return briefList(s.Stale) }),
		wide("COVERS", func(o *resources.Artifact, _ *resources.ArtifactStatus) string { return briefList(o.Spec.Covers) }),
		wide("SUPERSEDED-BY", func(_ *resources.Artifact, s *resources.ArtifactStatus) string { return s.SupersededBy }),
	},
	resources.Triggers: {name,
		column("EVENT", func(o *resources.Trigger, _ *resources.TriggerStatus) string { return o.Spec.Event }),
		column("COUNT", func(o *resources.Trigger, _ *resources.TriggerStatus) string {
			return strconv.Itoa(status.TriggerCount(o))
		}),
		column("WINDOW", func(o *resources.Trigger, _ *resources.TriggerStatus) string { return o.Spec.Window }),
		column("ACTION", func(o *resources.Trigger, _ *resources.TriggerStatus) string { return o.Spec.Action }),
		phase,
		age,
		wide("MESSAGE", func(o *resources.Trigger, _ *resources.TriggerStatus) string { return truncate(status.TriggerText(o)) }),
	},
	resources.Shell: {name,
		column("RULES", func(o *resources.ShellRules, _ *resources.ShellRulesStatus) string {
			return strconv.Itoa(len(o.Spec.Rules))
		}),
		column("COMMANDS", func(o *resources.ShellRules, _ *resources.ShellRulesStatus) string {
			return strconv.Itoa(len(o.Spec.Commands))
		}),
		age,
	},
	resources.Delegations: {name,
		column("TASK", func(o *resources.Delegation, _ *resources.DelegationStatus) string { return o.Spec.Task }),
		column("TO", func(o *resources.Delegation, _ *resources.DelegationStatus) string { return o.Spec.To }),
		phase,
		column("DEPTH", func(_ *resources.Delegation, s *resources.DelegationStatus) string { return strconv.Itoa(s.Depth) }),
		age,
		wide("SESSION", func(o *resources.Delegation, s *resources.DelegationStatus) string {
			return cmp.Or(briefList(s.Sessions), o.Spec.Session)
		}),
		wide("CHAIN", func(_ *resources.Delegation, s *resources.DelegationStatus) string {
			return strings.Join(s.Chain, " > ")
		}),
		wide("TOOLS", func(o *resources.Delegation, _ *resources.DelegationStatus) string {
			return briefList(o.Spec.AllowedTools)
		}),
	},
	resources.Sessions: {name,
		column("HOST", func(o *resources.Session, _ *resources.SessionStatus) string { return o.Spec.Host }),
		phase,
		{"SEEN", false, func(e *Entry, now time.Time) string {
			if o, ok := e.Object.(*resources.Session); ok {
				return Age(o.Spec.LastSeenAt.Time, now)
			}
			return ""
		}},
		age,
		wide("AGENT", func(o *resources.Session, _ *resources.SessionStatus) string { return o.Spec.Agent }),
		wide("ROLE", func(o *resources.Session, _ *resources.SessionStatus) string { return o.Spec.Role }),
		wide("TASK", func(o *resources.Session, _ *resources.SessionStatus) string { return o.Spec.ActiveTask }),
		wide("DELEGATION", func(o *resources.Session, _ *resources.SessionStatus) string { return o.Spec.Delegation }),
		wide("WRITES", func(o *resources.Session, _ *resources.SessionStatus) string {
			return strconv.Itoa(o.Spec.Counters.Writes)
		}),
		wide("DENIALS", func(o *resources.Session, _ *resources.SessionStatus) string {
			return strconv.Itoa(o.Spec.Counters.Denials)
		}),
	},
	resources.Trajectories: {name,
		column("PLAN", func(_ *resources.Trajectory, s *resources.TrajectoryStatus) string { return s.ActivePlan }),
		column("STAGE", func(_ *resources.Trajectory, s *resources.TrajectoryStatus) string { return s.ActivePhase }),
		column("TASKS", func(_ *resources.Trajectory, s *resources.TrajectoryStatus) string { return briefList(s.ActiveTasks) }),
		age,
		wide("INTENT", func(o *resources.Trajectory, _ *resources.TrajectoryStatus) string { return o.Spec.Intent }),
	},
	resources.Configs: {name,
		column("MODE", func(o *resources.Config, _ *resources.ConfigStatus) string {
			return cmp.Or(o.Spec.Mode, resources.DefaultConfig().Mode)
		}),
		column("ROLE", func(o *resources.Config, _ *resources.ConfigStatus) string {
			return cmp.Or(o.Spec.DefaultRole, resources.DefaultConfig().DefaultRole)
		}),
		column("WINDOW", func(o *resources.Config, _ *resources.ConfigStatus) string {
			return number(o.Spec.ContextWindow, resources.DefaultConfig().ContextWindow)
		}),
		column("SHARE", func(o *resources.Config, _ *resources.ConfigStatus) string {
			return number(o.Spec.ContextShare, resources.DefaultConfig().ContextShare) + "%"
		}),
		age,
		wide("LANGUAGE", func(o *resources.Config, _ *resources.ConfigStatus) string { return o.Spec.Language.Communication }),
	},
}
