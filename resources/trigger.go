package resources

import "slices"

// Trigger performs an action after an event occurred a number of times.
type Trigger = Resource[TriggerSpec, TriggerStatus]

// TriggerSpec defines the counted event, the limit and the action.
type TriggerSpec struct {
	Event    string `json:"event" idumb:"required,enum=cancel|call|error|round|review|calls|writes|minutes|compaction|stale|chain-break|export" doc:"The event to count in a session. cancel: consecutive calls that the user stopped. call: repeats of a call without a written file in between. error: repeats of a failing call without a written file in between, or of the same error. round: repeated starts of agents in turn (a planner and a checker) without a written file in between. review: the same, but writing the same files again does not end the count; another file, another task or a report with a better score does. calls, writes, minutes: the calls, writes or minutes since the user's last prompt. compaction: compactions. stale: the session's task is stale. chain-break: an object that the session's task depends on was abandoned. export: exports of sessions without a mem of them."`
	Count    int    `json:"count,omitempty" idumb:"min=1" doc:"The number at which the trigger fires. Default 1; required for calls, writes and minutes."`
	Window   string `json:"window,omitempty" idumb:"format=duration" doc:"For call, error, round and review: the period that counts. Default: the whole session."`
	Action   string `json:"action" idumb:"required,enum=event|warn|tighten|halt|synthesize" doc:"event: write an event. warn: also add a warning to the session's context. tighten: warn, and apply mode enforce and requirePlan to the session while the trigger fires. halt: warn, export the session's figures, and deny the repeated call (for calls, writes and minutes: every call except reads and iDumb's tools). synthesize (only for export): make a mem of the exports."`
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

// trigger checks the event, the action and the limits of a trigger.
func (v *validator) trigger(t *Trigger) {
	switch event, action := t.Spec.Event, t.Spec.Action; {
	case (event == TriggerExport) != (action == ActionSynthesize):
		v.add(Forbidden("spec.action", `"synthesize" is for the event "export", and the only action for it`))
	case action == ActionHalt && !IsLoopTrigger(t):
		v.add(Forbidden("spec.action", `"halt" denies calls, so it is only for the events "call", "error", "round", "review", "calls", "writes" and "minutes"`))
	case action == ActionTighten && (event == TriggerStale || event == TriggerChainBreak):
		v.add(Forbidden("spec.action", `such a task is cured by work, so "tighten" is not for the events "stale" and "chain-break"`))
	case Limits(t) && t.Spec.Count == 0:
		v.add(FieldError{Field: "spec.count", Detail: "Required value: how many " + event + " since the user's last prompt are too many"})
	case t.Spec.Window != "" && (!IsLoopTrigger(t) || Limits(t)):
		v.add(Forbidden("spec.window", `only the events "call", "error", "round" and "review" have times that count`))
	}
}
