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
	return kind.New().StatusPointer(), time.Time{} // of a role, the settings and shell rules there is nothing to observe
}

func pointed[S any](status S, next time.Time) (any, time.Time) { return &status, next }

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
