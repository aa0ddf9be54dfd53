package resources

import "slices"

// Trigger performs an action after an event occurred a number of times.
type Trigger = Resource[TriggerSpec, TriggerStatus]

// TriggerSpec defines the counted event, the limit and the action.
type TriggerSpec struct {
	Event    string `json:"event" idumb:"required,enum=cancel|call|error|round|review|calls|writes|minutes|compaction|stale|chain-break|export" doc:"What is counted in a session. cancel: calls in a row that the user stopped. call: the same call again, with no file written in between. error: the same call failing again, likewise, or the same error coming again whatever is written in between. round: an agent started again after another one was, likewise (a planner and a checker going in circles). review: the same, though the same files are written again in between; another file, another task or a report with a better score ends it. calls, writes, minutes: how much was done, and how long, since the user's last prompt. compaction: compactions. stale: its task being stale. chain-break: something that its task depends on being abandoned. export: exports of sessions that no mem was made of yet."`
	Count    int    `json:"count,omitempty" idumb:"min=1" doc:"The number at which the trigger fires. Default 1; required for calls, writes and minutes."`
	Window   string `json:"window,omitempty" idumb:"format=duration" doc:"For call, error, round and review: the period that counts. Default: the whole session."`
	Action   string `json:"action" idumb:"required,enum=event|warn|tighten|halt|synthesize" doc:"event: write one. warn: that, and a warning in the session's context. tighten: that, and the session is held to mode enforce and requirePlan for as long as it lasts. halt: that, and the one call that would go on is denied (of calls, writes and minutes: each call but those that read), with the session's figures exported. synthesize (of exports only): make a mem of them."`
	Message  string `json:"message,omitempty" doc:"The message to the session. Default: a description of the event."`
	Disabled bool   `json:"disabled,omitempty" doc:"Switches the trigger off without removing it."`
}

// TriggerStatus is the observed state of a trigger.
type TriggerStatus struct {
	Common
}

// Events that triggers count.
const (
	TriggerCancel     = "cancel"
	TriggerCall       = "call"
	TriggerError      = "error"
	TriggerRound      = "round"
	TriggerReview     = "review"
	TriggerCalls      = "calls"
	TriggerWrites     = "writes"
	TriggerMinutes    = "minutes"
	TriggerCompaction = "compaction"
	TriggerStale      = "stale"
	TriggerChainBreak = "chain-break"
	TriggerExport     = "export"
)

// Actions of triggers.
const (
	ActionEvent      = "event"
	ActionWarn       = "warn"
	ActionTighten    = "tighten"
	ActionHalt       = "halt"
	ActionSynthesize = "synthesize"
)

// Phases of a trigger.
const (
	TriggerOn  = "on"
	TriggerOff = "off"
)

// IsLoopTrigger reports whether a trigger counts calls that only the hook observes. The hook
// records in the session which of these triggers are firing.
func IsLoopTrigger(t *Trigger) bool { return slices.Contains(LoopEvents(), t.Spec.Event) }

// LoopEvents lists the events of repeated calls and the events that limit the work of a
// turn.
func LoopEvents() []string {
	return append(LimitEvents(), TriggerCall, TriggerError, TriggerRound, TriggerReview)
}

// LimitEvents lists the events that limit the work of a turn.
func LimitEvents() []string { return []string{TriggerCalls, TriggerWrites, TriggerMinutes} }

// Limits reports whether a trigger limits the work of a turn.
func Limits(t *Trigger) bool { return slices.Contains(LimitEvents(), t.Spec.Event) }

func (v *validator) trigger(t *Trigger) {
	event, action := t.Spec.Event, t.Spec.Action
	switch {
	case (event == TriggerExport) != (action == ActionSynthesize):
		v.add(Forbidden("spec.action", `"synthesize" is for the event "export", and the only action for it`))
	case action == ActionHalt && !IsLoopTrigger(t):
		v.add(Forbidden("spec.action", `"halt" denies the call that would go on, so it is for the events "call", "error", "round", "review", "calls", "writes" and "minutes" only`))
	case action == ActionTighten && (event == TriggerStale || event == TriggerChainBreak):
		v.add(Forbidden("spec.action", `such a task is cured by work, so "tighten" is not for the events "stale" and "chain-break"`))
	case Limits(t) && t.Spec.Count == 0:
		v.add(FieldError{Field: "spec.count", Detail: "Required value: how many " + event + " since the user's last prompt are too many"})
	case t.Spec.Window != "" && (!IsLoopTrigger(t) || Limits(t)):
		v.add(Forbidden("spec.window", `only the events "call", "error", "round" and "review" have times that count`))
	}
}
