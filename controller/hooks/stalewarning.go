package hooks

import (
	"time"

	"github.com/idumb-dev/idumb/resources/status"
)

// soonStale warns a session once that its task becomes stale unless work is
// recorded for it.
func (h *handler) soonStale() string {
	t, ok := h.repo.Task(h.record().ActiveTask)
	if !ok || !h.canDeliver() {
		return ""
	}
	at := status.SoonStale(t, wholeEvidence{h.repo})
	if at.IsZero() {
		return ""
	}
	name, told := t.Metadata.Name, t.Metadata.Name+" "+at.UTC().Format(time.RFC3339)
	if h.readState().SoonStale == told {
		return ""
	}
	h.updateState(func(m *sessionState) { m.SoonStale = told })
	return "iDumb: task \"" + name + "\" turns stale at " + at.UTC().Format("2006-01-02 15:04") + " UTC, because no work was recorded for it recently: continue it, or hand it back (" + h.inTools("`idumb fail "+name+" --reason \"...\"`") + ").\n"
}
