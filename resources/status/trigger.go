package status

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// TriggerCount returns spec.count, or its default, 1.
func TriggerCount(t *resources.Trigger) int { return cmp.Or(t.Spec.Count, 1) }

// SetOff reports whether a trigger is firing in a session. It only depends on the session's
// record and the figures. The trigger stops firing when its cause ends. Triggers on exports
// do not belong to a session and return false.
func SetOff(t *resources.Trigger, s *resources.Session, f Figures) bool {
	switch {
	case t.Spec.Disabled:
		return false
	case resources.IsLoopTrigger(t):
		return slices.Contains(s.Spec.Raised, t.Metadata.Name)
	case t.Spec.Event == resources.TriggerCancel:
		return f.Counters.Cancels >= TriggerCount(t)
	case t.Spec.Event == resources.TriggerCompaction:
		return f.Counters.Compactions >= TriggerCount(t)
	case t.Spec.Event == resources.TriggerStale:
		return f.Working && f.Stale
	case t.Spec.Event == resources.TriggerChainBreak:
		return f.Working && f.Broken
	}
	return false
}

// TriggersIn returns the triggers that are firing in a session.
func TriggersIn(s *resources.Session, f Figures, triggers []*resources.Trigger) []*resources.Trigger {
	var found []*resources.Trigger
	for _, t := range triggers {
		if SetOff(t, s, f) {
			found = append(found, t)
		}
	}
	return found
}

// TriggerText returns the message for a session in which a trigger fires. It does not
// depend on the number of occurrences.
func TriggerText(t *resources.Trigger) string {
	return cmp.Or(t.Spec.Message, builtInTriggerText(t))
}

// builtInTriggerText returns the built-in message for the event of a trigger.
func builtInTriggerText(t *resources.Trigger) string {
	n := TriggerCount(t)
	switch t.Spec.Event {
	case resources.TriggerCancel:
		return fmt.Sprintf("the user stopped %d or more of your calls in a row: you may be on the wrong track; state your understanding of the task, and ask the user before you continue", n)
	case resources.TriggerCall:
		return fmt.Sprintf("you made the same call %d times or more without writing a file in between: its answer will not change; make a different call", n)
	case resources.TriggerError:
		return fmt.Sprintf("the same call failed, or the same error came after each change, %d times or more: find out why it fails before you continue, or ask the user", n)
	case resources.TriggerRound:
		return fmt.Sprintf("the same agents were started in turns, %d times or more, and nothing was written: decide, or ask the user", n)
	case resources.TriggerCompaction:
		return fmt.Sprintf("this session was compacted %d times or more: save important facts as anchors, and continue in a new session soon", n)
	case resources.TriggerReview:
		return fmt.Sprintf("the same agents were started in turns, %d times or more, no other file was written in between, and no report was better than those before: accept a result, or ask the user", n)
	case resources.TriggerCalls, resources.TriggerWrites, resources.TriggerMinutes:
		return fmt.Sprintf("%d %s or more went by since the user's last prompt: end your turn soon, and report the completed and the open work", n, t.Spec.Event)
	case resources.TriggerChainBreak:
		return "something that your task depends on was abandoned: change its dependsOn, restore that, or hand the task back (idumb fail|abandon)"
	case resources.TriggerStale:
		return "no work was recorded for your task for too long: continue it, or hand it back (idumb fail|abandon)"
	}
	return "enough exports for a mem"
}

// DeriveTrigger computes the status of a trigger: on or off. Firing triggers are listed in
// the statuses of sessions.
func DeriveTrigger(t *resources.Trigger, _ View) (resources.TriggerStatus, time.Time) {
	var status resources.TriggerStatus
	status.Phase = resources.TriggerOn
	if t.Spec.Disabled {
		status.Phase = resources.TriggerOff
	}
	return status, time.Time{}
}

// Phases of a chain rule.
const (
	ChainRuleActive   = "active"
	ChainRuleDisabled = "disabled"
)

// DeriveChainRule computes the status of a rule: active or disabled. The requirements of
// a rule are only evaluated when a call is checked.
func DeriveChainRule(r *resources.ChainRule, _ View) (resources.ChainRuleStatus, time.Time) {
	status := resources.ChainRuleStatus{}
	status.Phase = ChainRuleActive
	if r.Spec.Disabled {
		status.Phase = ChainRuleDisabled
	}
	return status, time.Time{}
}
