package hooks

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// watchLoop checks whether the next call continues a pattern that a trigger
// counts. It records the triggers that fire, and returns the text for the agent
// once for each.
func (h *handler) watchLoop() (*admission.Loop, string) {
	if h.sessionName() == "" || h.event.Action == admission.Ask {
		return nil, ""
	}
	s, _ := h.repo.Session(h.sessionName())
	id := h.callID()
	past := h.callLog()
	if h.waits() {
		h.note(pastWaited, id)
	} else {
		h.note(pastMade, id)
	}
	if h.event.Action == admission.Delegate {
		h.note(pastStarted, h.agentID())
	}
	var raised []*resources.Trigger
	var loop *admission.Loop
	for _, t := range h.repo.triggers(resources.LoopEvents()...) {
		if t.Spec.Disabled || !resources.IsLoopTrigger(t) {
			continue
		}
		r := h.runsFor(t, past)
		if r.maximum() < status.TriggerCount(t) {
			continue
		}
		raised = append(raised, t)
		if loop == nil && t.Spec.Action == resources.ActionHalt && h.exceedsCount(t, r, id) {
			loop = &admission.Loop{Trigger: t.Metadata.Name, Text: h.triggerText(t), Count: status.TriggerCount(t), Event: t.Spec.Event, Stuck: r.sameError(id) >= status.TriggerCount(t), Spent: resources.Limits(t)}
		}
	}
	return loop, h.raise(s, raised)
}

// runsFor counts the repetitions for a trigger. A prompt of the user ends a
// halt, so a halting trigger counts from there.
func (h *handler) runsFor(t *resources.Trigger, past []pastCall) runs {
	if resources.Limits(t) {
		return runs{noCall: h.spentSince(t.Spec.Event)}
	}
	if t.Spec.Action == resources.ActionHalt {
		past = sinceTurn(past)
	}
	return runsOf(t.Spec.Event, past, h.countsFrom(t))
}

// exceedsCount reports whether the next call is one that a trigger counted too often.
func (h *handler) exceedsCount(t *resources.Trigger, r runs, id string) bool {
	if resources.Limits(t) {
		return h.event.Action != admission.Governance && h.event.Action != admission.Read
	}
	if t.Spec.Event == resources.TriggerRound || t.Spec.Event == resources.TriggerReview {
		return h.event.Action == admission.Delegate && r[h.agentID()] >= status.TriggerCount(t)
	}
	return h.event.Action != admission.Governance && max(r[id], r.sameError(id)) >= status.TriggerCount(t)
}

// agentID returns the ID under which the calls to the same subagent are counted.
func (h *handler) agentID() string { return idOf(h.event.DelegateTo) }

// countsFrom returns the time from which a trigger counts; zero if its window is
// not limited.
func (h *handler) countsFrom(t *resources.Trigger) time.Time {
	if t.Spec.Window == "" {
		return time.Time{}
	}
	return h.repo.now.Add(-resources.Duration(t.Spec.Window, time.Minute))
}

// raise records the fired triggers in the session's record, and returns the
// text for the agent about new ones.
func (h *handler) raise(s *resources.Session, triggers []*resources.Trigger) string {
	var names, before, texts []string
	if s != nil {
		before = s.Spec.Raised
	}
	for _, t := range triggers {
		name := t.Metadata.Name
		names = append(names, name)
		if slices.Contains(before, name) {
			continue
		}
		h.warn(resources.ReasonTriggered, "session/"+h.sessionName(), "trigger "+name+": "+h.triggerText(t), nil)
		if t.Spec.Action == resources.ActionHalt {
			h.halt(s, t)
		}
		if t.Spec.Action != resources.ActionEvent {
			texts = append(texts, "GOVERNANCE WARNING ("+name+"): "+h.triggerText(t)+"."+h.attempts(t))
		}
	}
	if !slices.Equal(names, before) {
		h.updateSession(func(s *resources.SessionSpec) { s.Raised = names })
	}
	return strings.Join(texts, "\n")
}

// mostTried limits the listed attempts.
const mostTried = 5

// attempts returns the recent records of the session's task if an error recurs.
// For a repeated review it returns the scores of the reports.
func (h *handler) attempts(t *resources.Trigger) string {
	switch t.Spec.Event {
	case resources.TriggerError:
		if list := h.lastDone(); len(list) > 0 {
			return " Tried so far: " + strings.Join(list, "; ") + "."
		}
	case resources.TriggerReview:
		if list := scores(h.callLog()); len(list) > 0 {
			return " The reports, in order: " + strings.Join(list, "; ") + "."
		}
	}
	return ""
}

// lastDone lists the recent records of the session's task, without duplicates.
func (h *handler) lastDone() (list []string) {
	task, ok := h.work()
	if !ok {
		return nil
	}
	for _, c := range h.repo.overlay.Evidence(task.Metadata.Name).Last {
		if what := admission.Plain(c.Summary); what != "" && c.Tool != resources.ToolHalt && !slices.Contains(list, what) && len(list) < mostTried {
			list = append(list, what)
		}
	}
	return list
}

// triggerText returns the text of a trigger for the agent. It contains the
// trigger's message only if the person trusts it.
func (h *handler) triggerText(t *resources.Trigger) string {
	if !h.repo.trusted() || h.repo.trustState() != trust.Trusted && !h.repo.isTrustedVersion(t) {
		own := *t
		own.Spec.Message, t = "", &own
	}
	return admission.Plain(status.TriggerText(t))
}

// tighten sets mode enforce and requirePlan for a session in which a tightening
// trigger has fired. It does not change mode off, or a mode that the person set
// for this process.
func (h *handler) tighten() {
	settings := h.repo.settings
	if settings.Mode == admission.ModeOff || h.env.get(admission.EnforceVariable) != "" {
		return
	}
	s, ok := h.repo.Session(h.sessionName())
	if !ok || len(s.Spec.Raised) == 0 && s.Spec.Counters.Cancels == 0 && s.Spec.Counters.Compactions == 0 {
		return
	}
	for _, t := range status.TriggersIn(s, status.Figures{Counters: s.Spec.Counters}, h.repo.Triggers()) {
		if t.Spec.Action == resources.ActionTighten {
			tightened := *settings
			tightened.Mode, tightened.RequirePlan = admission.ModeEnforce, true
			h.repo.settings = &tightened
			return
		}
	}
}

// Triggers returns all triggers, sorted by name.
func (r *repo) Triggers() []*resources.Trigger { return r.load(r.Names(resources.Triggers)) }

// triggers returns the triggers that may apply to one of the events.
func (r *repo) triggers(events ...string) []*resources.Trigger {
	terms := make([]graph.Term, len(events))
	for i, event := range events {
		terms[i].Value = event
	}
	names, _ := r.overlay.Mentioning(resources.Triggers, terms...)
	return r.load(names)
}

// load reads the triggers with these names. It skips missing and unreadable ones.
func (r *repo) load(triggers []string) []*resources.Trigger {
	var list []*resources.Trigger
	for _, name := range triggers {
		o, _ := r.Get(resources.Key{Kind: resources.Triggers, Name: name})
		if t, ok := o.(*resources.Trigger); ok {
			list = append(list, t)
		}
	}
	return list
}
