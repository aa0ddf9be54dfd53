package resources

import (
	"slices"
	"strings"
	"time"
)

// Condition is one observation about an object, with the six fields of
// Kubernetes' metav1.Condition (observedRevision stands for
// observedGeneration).
type Condition struct {
	Type               string `json:"type" doc:"What is observed: Ready, Blocked, Valid, ..."`
	Status             string `json:"status" idumb:"enum=True|False|Unknown" doc:"True, False or Unknown."`
	ObservedRevision   string `json:"observedRevision,omitempty" doc:"The revision of the object that was observed."`
	LastTransitionTime Time   `json:"lastTransitionTime,omitzero" doc:"When status last changed."`
	Reason             string `json:"reason" doc:"One CamelCase word for programs."`
	Message            string `json:"message,omitempty" doc:"A sentence for people, with the remedy where there is one."`
}

// Values of Condition.Status.
const (
	True    = "True"
	False   = "False"
	Unknown = "Unknown"
)

// Types of conditions. Ready and Valid are named for the normal state; the
// others are abnormal or final and present only while they are True.
const (
	Ready           = "Ready"           // a task may be started; a plan may be worked on
	Valid           = "Valid"           // False: the file cannot be read, its last good version is used
	Blocked         = "Blocked"         // something that must come first is not there yet
	OutputSatisfied = "OutputSatisfied" // every evidence item of a task was seen
	Parked          = "Parked"          // an active task was set aside: another plan is in focus
	EvidenceMissing = "EvidenceMissing" // completed is claimed without what proves it
	ChainBroken     = "ChainBroken"     // a dependency was abandoned and archived, or is a circle
	Orphaned        = "Orphaned"        // a reference names nothing that exists
	Stale           = "Stale"           // nothing was heard for longer than staleAfter
	DelegateGone    = "DelegateGone"    // the sessions that worked under a delegation are over, and it is not
	Conflict        = "Conflict"        // two objects contradict each other
	Disagrees       = "Disagrees"       // a document says of itself that it holds, or does not, and its artifact the contrary
	Suspect         = "Suspect"         // what a mem or an anchor cites has changed, or is gone
)

// Conditions of a decision that holds; they are for people, and change no phase.
const (
	Contradicted  = "Contradicted"  // the map shows what it avoids, or not what it uses
	UpstreamStale = "UpstreamStale" // a document that it depends on is another one than when it was made
)

// DecisionDoubts are the conditions of a decision that holds and that a person should look at again.
func DecisionDoubts() []string { return []string{Contradicted, UpstreamStale, Suspect} }

// FindCondition returns the condition of that type, or nil. The pointer is
// into conditions.
func FindCondition(conditions []Condition, conditionType string) *Condition {
	for i := range conditions {
		if conditions[i].Type == conditionType {
			return &conditions[i]
		}
	}
	return nil
}

// IsTrue reports whether the condition of that type is there and True.
func IsTrue(conditions []Condition, conditionType string) bool {
	c := FindCondition(conditions, conditionType)
	return c != nil && c.Status == True
}

// MergeConditions returns wanted, sorted by type, with the transition times that
// hold: a condition whose status is as it was in old keeps its time, any other
// gets now. Reason and message may change without moving the time, as in
// Kubernetes' meta.SetStatusCondition.
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
