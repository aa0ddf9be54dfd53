package resources

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// TriggerCount is spec.count with its default, 1.
func TriggerCount(t *Trigger) int { return cmp.Or(t.Spec.Count, 1) }

// Looped reports whether a trigger is about calls that come again, which only the hook
// sees, call by call: it notes in the session's record which of them are set off.
func Looped(t *Trigger) bool {
	switch t.Spec.Event {
	case TriggerCall, TriggerError, TriggerRound:
		return true
	}
	return false
}

// SetOff reports whether a trigger is set off in a session with those figures. It follows
// from the session's record and the clock alone, and ends with what it is about. An
// export is no session's own.
func SetOff(t *Trigger, s *Session, f Figures) bool {
	switch {
	case t.Spec.Disabled:
		return false
	case Looped(t):
		return slices.Contains(s.Spec.Raised, t.Metadata.Name)
	case t.Spec.Event == TriggerCancel:
		return f.Counters.Cancels >= TriggerCount(t)
	case t.Spec.Event == TriggerCompaction:
		return f.Counters.Compactions >= TriggerCount(t)
	case t.Spec.Event == TriggerStale:
		return f.Working && f.Stale
	case t.Spec.Event == TriggerChainBreak:
		return f.Working && f.Broken
	}
	return false
}

// TriggersIn returns those of the triggers that are set off in a session.
func TriggersIn(s *Session, f Figures, triggers []*Trigger) []*Trigger {
	var found []*Trigger
	for _, t := range triggers {
		if SetOff(t, s, f) {
			found = append(found, t)
		}
	}
	return found
}

// TriggerText is what a session is told of a trigger that it set off: the same
// however often it happened.
func TriggerText(t *Trigger) string {
	return cmp.Or(t.Spec.Message, triggerTexts(t))
}

func triggerTexts(t *Trigger) string {
	n := TriggerCount(t)
	switch t.Spec.Event {
	case TriggerCancel:
		return fmt.Sprintf("the person stopped %d or more of your calls in a row: you may be on the wrong track; say what you believe is asked, and ask before you go on", n)
	case TriggerCall:
		return fmt.Sprintf("you made the same call %d times or more and wrote nothing in between: its answer will not change; do something else", n)
	case TriggerError:
		return fmt.Sprintf("the same call failed %d times or more: do not repeat it; find out why it fails, change something, or ask the person", n)
	case TriggerRound:
		return fmt.Sprintf("the same agents were started in turns, %d times or more, and nothing was written: decide, or ask the person", n)
	case TriggerCompaction:
		return fmt.Sprintf("this session was compacted %d times or more: keep what must survive as an anchor, and go on in a new session soon", n)
	case TriggerChainBreak:
		return "something that your task depends on was abandoned: change its dependsOn, restore that, or hand the task back (idumb fail|abandon)"
	case TriggerStale:
		return "nothing was recorded for your task for too long: go on with it, or hand it back (idumb fail|abandon)"
	}
	return "enough exports for a mem"
}

// DeriveTrigger says whether a trigger is on. Where it is set off the sessions' statuses say.
func DeriveTrigger(t *Trigger, _ View) (TriggerStatus, time.Time) {
	var status TriggerStatus
	status.Phase = TriggerOn
	if t.Spec.Disabled {
		status.Phase = TriggerOff
	}
	return status, time.Time{}
}

func (v *validator) trigger(t *Trigger) {
	event, action := t.Spec.Event, t.Spec.Action
	switch {
	case (event == TriggerExport) != (action == ActionSynthesize):
		v.add(forbidden("spec.action", `"synthesize" is for the event "export", and the only action for it`))
	case action == ActionHalt && !Looped(t):
		v.add(forbidden("spec.action", `"halt" denies the call that would go on, so it is for the events "call", "error" and "round" only`))
	case action == ActionTighten && (event == TriggerStale || event == TriggerChainBreak):
		v.add(forbidden("spec.action", `such a task is cured by work, so "tighten" is not for the events "stale" and "chain-break"`))
	case t.Spec.Window != "" && !Looped(t):
		v.add(forbidden("spec.window", `only the events "call", "error" and "round" have times that count`))
	}
}
