package resources

import (
	"slices"
	"strings"
	"time"
)

// Condition is one observation about an object, with the six fields of Kubernetes'
// metav1.Condition. The field observedRevision replaces observedGeneration.
type Condition struct {
	Type               string `json:"type" doc:"The type of the condition: Ready, Blocked, Valid, ..."`
	Status             string `json:"status" idumb:"enum=True|False|Unknown" doc:"True, False or Unknown."`
	ObservedRevision   string `json:"observedRevision,omitempty" doc:"The revision of the object that was observed."`
	LastTransitionTime Time   `json:"lastTransitionTime,omitzero" doc:"When status last changed."`
	Reason             string `json:"reason" doc:"One CamelCase word for programs."`
	Message            string `json:"message,omitempty" doc:"A sentence for people, with the remedy if one exists."`
}

// Values of Condition.Status.
const (
	True    = "True"
	False   = "False"
	Unknown = "Unknown"
)

// Types of conditions. Ready and Valid are named for the normal state. The other conditions
// are abnormal or final and are present only while they are True.
const (
	Ready           = "Ready"           // a task can be started, or work on a plan can begin
	Valid           = "Valid"           // False: the file is unreadable and its last valid version is in use
	Blocked         = "Blocked"         // a prerequisite is missing
	OutputSatisfied = "OutputSatisfied" // all evidence items of a task were found
	Parked          = "Parked"          // an active task is parked because another plan is in focus
	EvidenceMissing = "EvidenceMissing" // spec.state is completed, but evidence is missing
	ChainBroken     = "ChainBroken"     // a dependency was abandoned and archived, or is part of a cycle
	Orphaned        = "Orphaned"        // a reference names an object that does not exist
	Stale           = "Stale"           // no activity for longer than staleAfter
	DelegateGone    = "DelegateGone"    // all sessions of a delegation have ended, but the delegation has not
	Conflict        = "Conflict"        // two objects contradict each other
	Disagrees       = "Disagrees"       // the state in a document differs from the state of its artifact
	TooDeep         = "TooDeep"         // a task has more parents than spec.taskLevels of the config allows
	Suspect         = "Suspect"         // a source cited by a mem or an anchor changed or was deleted
)

// Conditions of a decision in effect. They inform users and do not change the phase.
const (
	Contradicted  = "Contradicted"  // the code uses a technology that the decision avoids, or does not use one that it requires
	UpstreamStale = "UpstreamStale" // a document that the decision depends on changed after the decision was made
)

// ConditionTypes returns the types of the conditions of all kinds.
func ConditionTypes() []string {
	return []string{
		Ready, Valid, Blocked, OutputSatisfied, Parked, EvidenceMissing, ChainBroken, Orphaned, Stale, DelegateGone, Conflict, Disagrees, TooDeep, Suspect,
		Contradicted, UpstreamStale,
	}
}

// DecisionDoubts returns the conditions that make a decision in effect worth a user's
// review.
func DecisionDoubts() []string { return []string{Contradicted, UpstreamStale, Suspect} }

// FindCondition returns the condition of a type, or nil. The pointer is into conditions.
func FindCondition(conditions []Condition, conditionType string) *Condition {
	for i := range conditions {
		if conditions[i].Type == conditionType {
			return &conditions[i]
		}
	}
	return nil
}

// IsTrue reports whether the condition of a type is present and True.
func IsTrue(conditions []Condition, conditionType string) bool {
	c := FindCondition(conditions, conditionType)
	return c != nil && c.Status == True
}

// MergeConditions returns a copy of wanted, sorted by type, with transition times. A
// condition with the same status in old keeps its old time. Any other condition gets now.
// Reason and message may change without a new time, as in Kubernetes'
// meta.SetStatusCondition.
func MergeConditions(old, wanted []Condition, now time.Time) []Condition {
	merged := slices.Clone(wanted)
	for i := range merged {
		c := &merged[i]
		if before := FindCondition(old, c.Type); before != nil && before.Status == c.Status && !before.LastTransitionTime.IsZero() {
			c.LastTransitionTime = before.LastTransitionTime
		} else {
			c.LastTransitionTime = NewTime(now)
		}
	}
	slices.SortFunc(merged, func(a, b Condition) int { return strings.Compare(a.Type, b.Type) })
	return merged
}
