package status

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Turn is a recorded milestone of a plan.
type Turn struct {
	Time   resources.Time `json:"time"`
	Kind   string         `json:"what"`   // one word: started, redirected, halted, ...
	Object string         `json:"object"` // "task/build-login-form"
	Text   string         `json:"text,omitempty"`
}

// History contains the records of a plan. It is the input of TurningPoints.
type History struct {
	Plan        *resources.WorkPlan
	Tasks       []string                           // names of the plan's tasks
	Delegations map[string][]*resources.Delegation // by task
	Checkpoints map[string][]resources.Checkpoint  // by task, oldest first
	Events      []resources.Event                  // events of all objects, oldest first
}

// FocusMessage returns the message of the event that records a change of focus to a plan.
func FocusMessage(plan string) string { return "the context is about plan " + plan + " now" }

// chainTurn returns the milestone for an event about a broken or repaired chain of dependencies, by
// its reason, or "".
func chainTurn(reason string) string {
	switch reason {
	case resources.ChainBroken:
		return "chain broken"
	case "ChainMended":
		return "chain mended"
	case "ChainBreakerArchived":
		return "chain breaker archived"
	}
	return ""
}

// TurningPoints returns the milestones of a plan, oldest first: the creation and the start
// of work, broken and repaired chains, redirections, halts, focus changes, abandonment and
// completion.
func TurningPoints(h History) []Turn {
	plan := "workplan/" + h.Plan.Metadata.Name
	var turns []Turn
	for _, c := range h.Plan.Spec.Met {
		if !c.At.IsZero() {
			turns = append(turns, Turn{c.At, "criterion met", "workplan/" + h.Plan.Metadata.Name, c.Criterion})
		}
	}
	if at := h.Plan.Created(); !at.IsZero() {
		turns = append(turns, Turn{resources.NewTime(at), "planned", plan, h.Plan.Spec.Title})
	}
	turns = append(turns, h.workTurns()...)
	for _, e := range h.Events {
		if what := h.eventTurn(e, plan); what != "" {
			turns = append(turns, Turn{e.Time, what, e.Object, e.Message})
		}
	}
	slices.SortStableFunc(turns, func(a, b Turn) int { return cmp.Or(a.Time.Compare(b.Time.Time), cmp.Compare(a.Object, b.Object)) })
	return turns
}

// eventTurn returns the milestone for an event, or "".
func (h *History) eventTurn(e resources.Event, plan string) string {
	switch {
	case e.Object == plan:
		switch e.Reason {
		case "Activated", "Blocked", "Unblocked", "Completed", "Archived", "Abandoned", "Purged":
			return strings.ToLower(e.Reason)
		case "Draft":
			return "set back"
		case "CriteriaOpen":
			return "tasks done"
		}
		return chainTurn(e.Reason)
	case e.Reason == "ContextSwitched" && e.Message == FocusMessage(h.Plan.Metadata.Name):
		return "in focus"
	}
	for _, task := range h.Tasks {
		if e.Object == "task/"+task {
			// Ordinary steps of the work are not milestones.
			switch e.Reason {
			case "Failed", "Abandoned":
				return strings.ToLower(e.Reason)
			case "TakenOver":
				return "taken over"
			}
			return chainTurn(e.Reason)
		}
	}
	return ""
}

// workTurns returns milestones for the first checkpoint, for halts, and for each
// redirection to another delegate.
func (h *History) workTurns() (turns []Turn) {
	var first Turn
	for _, task := range h.Tasks {
		for _, c := range h.Checkpoints[task] {
			switch {
			case c.Tool == resources.ToolHalt:
				turns = append(turns, Turn{c.Time, "halted", "task/" + task, c.Summary})
			case first.Time.IsZero() || c.Time.Before(first.Time.Time):
				first = Turn{c.Time, "started", "task/" + task, "the first thing was done"}
			}
		}
		given := slices.Clone(h.Delegations[task])
		slices.SortStableFunc(given, func(a, b *resources.Delegation) int { return a.Created().Compare(b.Created()) })
		for i, d := range given {
			if i > 0 && given[i-1].Spec.State == "recalled" && given[i-1].Spec.To != d.Spec.To {
				turns = append(turns, Turn{resources.NewTime(d.Created()), "redirected", "task/" + task, "from " + given[i-1].Spec.To + " to " + d.Spec.To})
			}
		}
	}
	if !first.Time.IsZero() {
		turns = append(turns, first)
	}
	return turns
}
