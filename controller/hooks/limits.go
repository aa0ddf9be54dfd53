package hooks

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// turn holds the counts of a session at the person's last prompt. Triggers with
// limits count from there.
type turn struct {
	Started time.Time `json:"at,omitzero"`
	Calls   int       `json:"calls,omitempty"`
	Writes  int       `json:"writes,omitempty"`
}

// BeginTurn restarts the counts of triggers in the caller's session, as a
// person's prompt does.
func (g *Gate) BeginTurn() { g.h.beginTurn() }

// beginTurn records a prompt of the person. If triggers have limits, it also
// records the counts of the session.
func (h *handler) beginTurn() {
	h.note(pastTurn, noCall)
	if !slices.ContainsFunc(h.repo.triggers(resources.LimitEvents()...), resources.Limits) {
		return
	}
	c := h.countersNow()
	h.updateState(func(m *sessionState) { m.Turn = &turn{h.repo.now, c.ToolCalls, c.Writes} })
}

// spentSince returns the number of actions, or of minutes, since the person's last
// prompt. If that is unknown, it counts from the beginning of the session.
func (h *handler) spentSince(event string) int {
	began, c := h.readState().Turn, h.countersNow()
	if began == nil {
		began = &turn{Started: h.record().StartedAt.Time}
	}
	switch event {
	case resources.TriggerCalls:
		return c.ToolCalls - began.Calls
	case resources.TriggerWrites:
		return c.Writes - began.Writes
	}
	if began.Started.IsZero() {
		return 0
	}
	return int(h.repo.now.Sub(began.Started) / time.Minute)
}

// countersNow returns the session's counters, including counts since its record
// was written.
func (h *handler) countersNow() resources.SessionCounters {
	c := h.record().Counters
	CatchUp(h.repo.Root, h.sessionName(), &c)
	return c
}
