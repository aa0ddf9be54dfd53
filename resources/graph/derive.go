package graph

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Derive computes the status of any object: a pointer to its kind's status, and
// the next moment at which it changes by itself, zero if it never does. Phases
// follow from specs, logs and the clock alone. What only the machinery knows is
// not filled in (see FillStatus), nor are transition times (see MergeConditions).
// nil for an object that is of no kind of this package.
func Derive(o resources.Object, v status.WideView) (st any, next time.Time) {
	switch o := o.(type) {
	case *resources.Task:
		return derived(status.DeriveTask(o, v))
	case *resources.WorkPlan:
		return derived(status.DerivePlan(o, v))
	case *resources.Anchor:
		return derived(status.DeriveAnchor(o, v))
	case *resources.Mem:
		return derived(memory.Derive(o, v))
	case *resources.Role:
		return derived(DeriveRole(o, v))
	case *resources.Trigger:
		return derived(status.DeriveTrigger(o, v))
	case *resources.Delegation:
		return derived(status.DeriveDelegation(o, v))
	case *resources.ChainRule:
		return derived(status.DeriveChainRule(o, v))
	case *resources.Session:
		return derived(status.DeriveSession(o, v))
	case *resources.Trajectory:
		return derived(status.DeriveTrajectory(o, v))
	case *resources.Config:
		return derived(DeriveConfig(o, v))
	case *resources.ShellRules:
		return derived(DeriveShellRules(o, v))
	}
	return nil, time.Time{}
}

func derived[S any](status S, next time.Time) (any, time.Time) { return &status, next }

// DeriveRole has nothing to observe: roles that a role names may be made later.
func DeriveRole(*resources.Role, status.View) (resources.RoleStatus, time.Time) {
	return resources.RoleStatus{}, time.Time{}
}

// DeriveShellRules has nothing to observe.
func DeriveShellRules(*resources.ShellRules, status.View) (resources.ShellRulesStatus, time.Time) {
	return resources.ShellRulesStatus{}, time.Time{}
}

// DeriveConfig has nothing to observe.
func DeriveConfig(*resources.Config, status.View) (resources.ConfigStatus, time.Time) {
	return resources.ConfigStatus{}, time.Time{}
}

// FillStatus adds to a derived status what the machinery knows: the revision of
// the file that it is about, a uid where the object carries none, and, for a file
// that cannot be read or is invalid, phase Invalid and Valid=False. o is the last
// good version, nil if there is none; problem is nil for a file in good order.
func FillStatus(c *resources.Common, key resources.Key, o resources.Object, revision string, problem *resources.Problem) {
	c.ObservedRevision = revision
	if o == nil || o.Head().Metadata.UID == "" {
		c.UID = resources.DerivedUID(key)
	}
	if problem != nil {
		c.Phase = resources.PhaseInvalid
		c.Conditions = append(c.Conditions, resources.Condition{Type: resources.Valid, Status: resources.False, Reason: "InvalidFile", Message: problem.Error()})
	}
}
