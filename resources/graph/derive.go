package graph

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Derive computes the status of any object. It returns a pointer to the status of the kind,
// and the next time at which the status changes, or the zero time. Phases only depend on
// specs, logs and the clock. Derive does not set the fields of FillStatus and the
// transition times (see resources.MergeConditions).
func Derive(o resources.Object, v status.WideView) (st any, next time.Time) {
	switch o := o.(type) {
	case *resources.Task:
		return pointed(status.DeriveTask(o, v))
	case *resources.WorkPlan:
		return pointed(status.DerivePlan(o, v))
	case *resources.Anchor:
		return pointed(status.DeriveAnchor(o, v))
	case *resources.Mem:
		return pointed(memory.Derive(o, v))
	case *resources.Decision:
		return pointed(memory.DeriveDecision(o, v))
	case *resources.Trigger:
		return pointed(status.DeriveTrigger(o, v))
	case *resources.Delegation:
		return pointed(status.DeriveDelegation(o, v))
	case *resources.Comment:
		return pointed(status.DeriveComment(o, v))
	case *resources.Artifact:
		return pointed(status.DeriveArtifact(o, v))
	case *resources.ChainRule:
		return pointed(status.DeriveChainRule(o, v))
	case *resources.Session:
		return pointed(status.DeriveSession(o, v))
	case *resources.Trajectory:
		return pointed(status.DeriveTrajectory(o, v))
	}
	kind, _ := resources.KindOf(o.Key().Kind)
	return kind.New().StatusPointer(), time.Time{} // roles, settings and shell rules have no observed state
}

// pointed returns a pointer to a status, as an any.
func pointed[S any](status S, next time.Time) (any, time.Time) { return &status, next }

// FillStatus adds the revision of the file to a derived status. It adds a UID if the object
// has none. For an unreadable or invalid file, it adds the phase Invalid and the condition
// Valid=False. o is the last valid version, or nil; problem is nil for a valid file.
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
