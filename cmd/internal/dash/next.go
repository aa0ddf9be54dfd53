package dash

import (
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// followed is the first checkpoint of a session after its denied call.
type followed struct {
	id  string // ID of the call's row
	did *resources.Checkpoint
}

// deniedRow returns the ID of a denied call's row.
func deniedRow(e *resources.Event) string {
	return fmt.Sprintf("denied/%d/%s", e.Time.UnixNano(), e.Violation.Session)
}

// selectedDenial returns the selected denied call, nil for none.
func (m *model) selectedDenial() *resources.Event {
	r := m.lists[gatePane].current()
	if r == nil || r.event == 0 || r.event > len(m.state.Denied) {
		return nil
	}
	return &m.state.Denied[r.event-1]
}

// loadNext loads the checkpoint after the selected denied call, unless it is loaded.
func (m *model) loadNext() []effect {
	if m.screen != gateScreen || m.state == nil {
		return nil
	}
	e := m.selectedDenial()
	if e == nil || m.nextCheckpoints[deniedRow(e)] != nil {
		return nil
	}
	asked := *e
	return []effect{func() any { return followed{deniedRow(&asked), m.Host.Next(m.ctx, &asked)} }}
}

// nextPage adds the agent's first action after a denied call.
func (m *model) nextPage(p *page, e *resources.Event) {
	var last *resources.LastCall
	if s := m.state.session(e.Violation.Session); s != nil {
		last = s.LastCall
	}
	i := m.lists[gatePane].current().event - 1
	at, text := queries.NextAction(m.state.Denied, i, m.nextCheckpoints[deniedRow(e)], last)
	switch {
	case text == "":
		p.head("NEXT", "nothing was recorded after that second")
	case at.Sub(e.Time.Time) < time.Minute:
		p.head("NEXT", "at once")
		p.para(plain, "  ", text)
	default:
		p.head("NEXT", age(e.Time.Time, at)+" later")
		p.para(plain, "  ", text)
	}
}
