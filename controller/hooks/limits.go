package hooks

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// turn is where a session stood when the person spoke last: what triggers limit counts from there.
type turn struct {
	At     time.Time `json:"at,omitzero"`
	Calls  int       `json:"calls,omitempty"`
	Writes int       `json:"writes,omitempty"`
}

// BeginTurn lets what triggers count in the caller's session begin anew, as a person's prompt does.
func (g *Gate) BeginTurn() { g.h.beginTurn() }

// beginTurn notes that the person speaks and, where anything is limited, where the session stands.
func (h *handler) beginTurn() {
	h.note(pastTurn, nobody)
	if !slices.ContainsFunc(h.repo.triggers(resources.LimitEvents()...), resources.Limits) {
		return
	}
	c := h.countersNow()
	h.updateMemo(func(m *memo) { m.Turn = &turn{h.repo.now, c.ToolCalls, c.Writes} })
}

// spent is how much was done, or how many minutes went by, since the person spoke last; since the
// session began, where that is not known.
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

// countersNow are the session's counters, with what was counted since its record was written.
func (h *handler) countersNow() resources.SessionCounters {
	c := h.record().Counters
	CatchUp(h.repo.Root, h.sessionName(), &c)
	return c
}
