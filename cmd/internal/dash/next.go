package dash

import (
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/records"
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

// nextPage adds the agent's first action after a denied call: the next checkpoint of its task, its
// next denied call, or its current call. Times have whole seconds, so actions within the second of
// the call are ignored.
func (m *model) nextPage(p *page, e *resources.Event) {
	at, text := time.Time{}, ""
	first := func(t time.Time, what string) {
		if t.After(e.Time.Time) && (text == "" || t.Before(at)) {
			at, text = t, what
		}
	}
	if c := m.nextCheckpoints[deniedRow(e)]; c != nil {
		first(c.Time.Time, strings.TrimSpace(c.Tool+" "+records.Summary(*c)))
	}
	if again := m.deniedNext(e); again != nil {
		what := again.Verdict() + ": " + again.Violation.Call
		if again.Violation.Call == e.Violation.Call {
			what = again.Verdict() + ": the same again"
		}
		first(again.Time.Time, what)
	}
	if s := m.state.session(e.Violation.Session); s != nil && s.LastCall != nil && text == "" {
		first(s.LastCall.At.Time, activity(s))
	}
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

// deniedNext returns the next denied call of a session, nil for none. The calls are sorted newest
// first.
func (m *model) deniedNext(e *resources.Event) (next *resources.Event) {
	for i := range m.state.Denied {
		d := &m.state.Denied[i]
		if d == e || d.Time.Before(e.Time.Time) {
			break
		}
		if d.Violation.Session == e.Violation.Session {
			next = d
		}
	}
	return next
}
