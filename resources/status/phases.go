package status

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// PhasesOf returns the phases of a kind, or nil for a kind without phases.
func PhasesOf(plural string) []string {
	var own []string
	switch plural {
	case resources.Tasks:
		own = []string{resources.TaskPlanned, resources.TaskBlocked, resources.TaskActive, resources.TaskReview, resources.TaskCompleted, resources.TaskFailed, resources.TaskAbandoned}
	case resources.WorkPlans:
		own = []string{resources.PlanDraft, resources.PlanActive, resources.PlanBlocked, resources.PlanReview, resources.PlanCompleted, resources.PlanArchived, resources.PlanAbandoned}
	case resources.Mems:
		own = []string{resources.Pending, resources.Fresh, resources.Fading, resources.SuspectPhase, resources.StalePhase, resources.GonePhase, resources.Superseded, resources.Ended, resources.Purged}
	case resources.Anchors:
		own = []string{resources.Fresh, resources.StalePhase}
	case resources.Sessions:
		own = []string{resources.SessionActive, resources.SessionIdle, resources.SessionResumed, resources.SessionStale, resources.SessionEnded}
	case resources.Delegations:
		own = []string{"assigned", "accepted", "done", "recalled", DelegationLapsed}
	case resources.Artifacts:
		own = []string{resources.ArtifactDraft, resources.ArtifactCurrent, resources.SuspectPhase, resources.StalePhase, resources.ArtifactMissing, resources.ArtifactCompleted, resources.ArtifactSuperseded, resources.ArtifactAbandoned, resources.Purged}
	case resources.Decisions:
		own = []string{resources.DecisionUnresolved, resources.DecisionResolved, resources.DecisionRejected, resources.DecisionDeprecated, resources.DecisionSuperseded}
	default:
		return nil
	}
	return slices.Concat(own, []string{resources.PhaseInvalid})
}
