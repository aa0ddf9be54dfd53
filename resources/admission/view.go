package admission

import (
	"iter"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// View is what a decision looks at: the last good version of every object, by
// name, and a few lists. Lists may be costly (a hook without a controller has
// to scan); Decide asks for one only when an answer depends on it.
type View interface {
	status.View
	status.Artifacts
	// ActivePlans returns the names of the plans that are being worked on:
	// spec.state active, and not all of their tasks completed. Sorted.
	ActivePlans() []string
	// ActiveTasks returns the names of the tasks with spec.state active, sorted.
	ActiveTasks() []string
	// ReadyTasks yields the names of the tasks that may be started, best first.
	ReadyTasks() iter.Seq[string]
	// Offered reports whether a task may be proposed: its file is there and can be read, and it is not
	// worked on in another working tree.
	Offered(t *resources.Task) bool
	// PlanTasks returns the names of a plan's tasks, sorted.
	PlanTasks(plan string) []string
	// Role returns the last good version of a role.
	Role(name string) (*resources.Role, bool)
	// Roles returns every role, sorted by name. Read-only.
	Roles() []*resources.Role
	// Other returns the lease of whoever else than that session has a task to themselves; nil if
	// it is free for that session, the one that a person started, or "" where no host names one.
	Other(t *resources.Task, session string) *resources.Lease
	// Lapsed returns the lease of a task that this clone had, and that the team may have given to
	// another one meanwhile; nil if there is none.
	Lapsed(t *resources.Task) *resources.Lease
	// EndedElsewhere returns the lease of a task that somebody held here, and that another clone ended
	// meanwhile; nil if none did.
	EndedElsewhere(t *resources.Task) *resources.Lease
	// Session returns the record of a session.
	Session(name string) (*resources.Session, bool)
	// Delegation returns the last good version of a delegation.
	Delegation(name string) (*resources.Delegation, bool)
	// Delegations returns the delegations that hand over that task, sorted by name.
	// Decide asks only where a task is to be handed on.
	Delegations(task string) []*resources.Delegation
	// Delegates returns the sessions that work under that delegation, sorted by name. It is
	// asked for tasks that were handed over, and that no session says to be its own.
	Delegates(delegation string) []*resources.Session
	// ChainRules returns the rules whose files hold one of the words, and perhaps some more,
	// sorted by name. A rule about a program names it; one about tools says "tools".
	ChainRules(words ...string) []*resources.ChainRule
	// FileTasks returns the names of the open tasks that name a file, in spec.fileLocks, spec.paths
	// or spec.evidence, sorted, and perhaps some more.
	FileTasks(file string) []string
	// TrackedFiles returns the files that git tracks, from the repository's root; nil if that
	// cannot be told. It is costly: Decide asks where a glob is about to deny a write.
	TrackedFiles() []string
	// HasFile reports whether a file or folder from the repository's root matches a glob.
	HasFile(glob string) bool
	// Recorded reports whether there is a checkpoint of a task.
	Recorded(task string) bool
	// Names returns the names of all objects of a kind, sorted. It may be costly.
	Names(kind string) []string
}
