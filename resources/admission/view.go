package admission

import (
	"iter"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// View is the state that decisions are based on: the last valid version of all objects by
// name, and some lists. Lists can be expensive (hooks without a controller must scan), so
// Decide only requests them if the answer depends on them.
type View interface {
	status.View
	status.Artifacts
	// ActivePlans returns the names of the plans with spec.state active and tasks that are
	// not completed, sorted.
	ActivePlans() []string
	// ActiveTasks returns the names of the tasks with spec.state active, sorted.
	ActiveTasks() []string
	// ReadyTasks yields the names of the tasks that can be started, best first.
	ReadyTasks() iter.Seq[string]
	// Offered reports whether a task can be suggested: its file exists and is valid, and
	// it is not active in another work tree.
	Offered(t *resources.Task) bool
	// PlanTasks returns the names of a plan's tasks, sorted.
	PlanTasks(plan string) []string
	// Role returns the last valid version of a role.
	Role(name string) (*resources.Role, bool)
	// Roles returns all roles, sorted by name. Read-only.
	Roles() []*resources.Role
	// OtherLease returns the lease of another session on a task, or nil if the
	// task is free. session is the session that a person started. It is "" if the
	// host does not report it.
	OtherLease(t *resources.Task, session string) *resources.Lease
	// Lapsed returns the expired lease of this clone on a task, which the team may have
	// given to another clone, or nil.
	Lapsed(t *resources.Task) *resources.Lease
	// EndedElsewhere returns the lease of a task that was held here and ended by another
	// clone, or nil.
	EndedElsewhere(t *resources.Task) *resources.Lease
	// Session returns the record of a session.
	Session(name string) (*resources.Session, bool)
	// Delegation returns the last valid version of a delegation.
	Delegation(name string) (*resources.Delegation, bool)
	// Delegations returns the delegations of a task, sorted by name. Decide only calls it
	// for hand-overs.
	Delegations(task string) []*resources.Delegation
	// Delegates returns the sessions that work under a delegation, sorted by name. It is
	// called for delegated tasks that are not the task of a session.
	Delegates(delegation string) []*resources.Session
	// ChainRules returns the rules whose files contain one of the words, and possibly more,
	// sorted by name. Rules about a program contain its name, rules about tools the word
	// "tools".
	ChainRules(words ...string) []*resources.ChainRule
	// FileTasks returns the names of the open tasks that name a file in spec.fileLocks,
	// spec.paths or spec.evidence, and possibly more, sorted.
	FileTasks(file string) []string
	// TrackedFiles returns the files that git tracks, from the repository root, or nil if
	// unknown. It is expensive; Decide only calls it before a glob denies a write.
	TrackedFiles() []string
	// HasFile reports whether a file or folder, from the repository root, matches a glob.
	HasFile(glob string) bool
	// Recorded reports whether a task has a checkpoint.
	Recorded(task string) bool
	// Names returns the names of all objects of a kind, sorted. It can be expensive.
	Names(kind string) []string
}
