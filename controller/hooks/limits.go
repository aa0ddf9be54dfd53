package hooks

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// turn holds the counts of a session at the person's last prompt. Triggers with
// limits count from there.
type turn struct {
	At     time.Time `json:"at,omitzero"`
	Calls  int       `json:"calls,omitempty"`
	Writes int       `json:"writes,omitempty"`
}

// BeginTurn restarts the counts of triggers in the caller's session, as a
// person's prompt does.
func (g *Gate) BeginTurn() { g.h.beginTurn() }

// beginTurn records a prompt of the person. If triggers have limits, it also
// records the counts of the session.
func (h *handler) beginTurn() {
	h.note(pastTurn, nobody)
	if !slices.ContainsFunc(h.repo.triggers(resources.LimitEvents()...), resources.Limits) {
		return
	}
	c := h.countersNow()
	h.updateMemo(func(m *memo) { m.Turn = &turn{h.repo.now, c.ToolCalls, c.Writes} })
}

// spent returns the number of actions, or of minutes, since the person's last
// prompt. If that is unknown, it counts from the beginning of the session.
func (h *handler) spent(event string) int {
	began, c := h.readMemo().Turn, h.countersNow()
	if began == nil {
		began = &turn{At: h.record().StartedAt.Time}
	}
	switch event {
	case resources.TriggerCalls:
		return c.ToolCalls - began.Calls
	case resources.TriggerWrites:
		return c.Writes - began.Writes
	}
	if began.At.IsZero() {
		return 0
	}
	return int(h.repo.now.Sub(began.At) / time.Minute)
}

// countersNow returns the session's counters, including counts since its record
// was written.
func (h *handler) countersNow() resources.SessionCounters {
	c := h.record().Counters
	CatchUp(h.repo.Root, h.sessionName(), &c)
	return c
}
