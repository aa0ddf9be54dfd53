package dash

import (
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/resources"
)

// followed is what was recorded of a session after a call of it that was against the rules.
type followed struct {
	id  string // of the row of that call
	did *resources.Checkpoint
}

// deniedRow names the row of a call against the rules.
func deniedRow(e *resources.Event) string {
	return fmt.Sprintf("denied/%d/%s", e.Time.UnixNano(), e.Violation.Session)
}

// selectedDenial is the call that is selected; nil for none.
func (m *model) selectedDenial() *resources.Event {
	r := m.lists[gatePane].current()
	if r == nil || r.event == 0 || r.event > len(m.state.Denied) {
		return nil
	}
	return &m.state.Denied[r.event-1]
}

// loadNext asks what came after the call that is selected, where that is not known yet.
func (m *model) loadNext() []effect {
	if m.screen != gateScreen || m.state == nil {
		return nil
	}
	e := m.selectedDenial()
	if e == nil || m.did[deniedRow(e)] != nil {
		return nil
	}
	asked := *e
	return []effect{func() any { return followed{deniedRow(&asked), m.Host.Next(m.ctx, &asked)} }}
}

// nextPage says what the agent did after a call that was against the rules, as far as that is known: what was
// recorded for its task, or the next call of it against the rules, or else what it is at. Times are whole
// seconds: of what has the second of the call nothing tells that it came after it.
func (m *model) nextPage(p *page, e *resources.Event) {
	at, text := time.Time{}, ""
	first := func(t time.Time, what string) {
		if t.After(e.Time.Time) && (text == "" || t.Before(at)) {
			at, text = t, what
		}
	}
	if c := m.did[deniedRow(e)]; c != nil {
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
		first(s.LastCall.At.Time, doing(s))
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

// deniedNext is the next call of a session against the rules; nil for none. They are the newest first.
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
