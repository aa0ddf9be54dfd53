package page_test

import (
	"testing"
	"time"
)

// sleeper is a tab that nobody sees from the begin of the test on.
type sleeper struct {
	shop  *shop
	tab   *tab
	since time.Time
}

// hide has a tab believe that it is in the background, or in front again.
func (p *tab) hide(hidden bool) {
	p.t.Helper()
	eval[bool](p, map[bool]string{true: `window.away = true`, false: `window.away = false`}[hidden]+`, Object.defineProperty(document, "hidden", {configurable: true, get: () => window.away}), document.dispatchEvent(new Event("visibilitychange"))`)
}

func (d *driver) fallAsleep(t *testing.T) sleeper {
	t.Helper()
	s := d.openShop(t, demo(), nil)
	p := d.open(t, s, wide)
	p.hide(true)
	return sleeper{s, p, time.Now()}
}

func (s *shop) rename(title string) {
	s.t.Helper()
	s.write("workplans/accounts", map[string]any{"spec": map[string]any{"title": title, "state": "active", "acceptance": []string{"x"}}})
}

// asleep makes sure that a page which nobody sees for a minute lets go, and goes on when it is seen.
func asleep(t *testing.T, d *driver) {
	s := d.sleeper
	time.Sleep(time.Until(s.since.Add(62 * time.Second)))
	s.shop.rename("Nobody looks")
	time.Sleep(time.Second)
	if title := s.tab.text("#h-plan"); title != "People can sign in" {
		t.Errorf("a page that nobody sees for a minute follows still: %q", title)
	}
	s.tab.hide(false)
	s.tab.wait("it goes on", `document.querySelector("#h-plan").textContent === "Nobody looks"`)
	s.shop.rename("Somebody looks")
	s.tab.wait("and on", `document.querySelector("#h-plan").textContent === "Somebody looks"`)
	s.tab.quiet()
}

// gone makes sure that a page says so when the controller ends, and shows what was last.
func gone(t *testing.T, d *driver) {
	s := d.openShop(t, demo(), nil)
	p := d.open(t, s, wide)
	s.idumb("controller", "stop")
	p.wait("it is said that the controller is gone", `/ended|does not answer/.test(document.querySelector("#live-text").textContent) && document.querySelector("main.stale")`)
	p.wait("it is said what to do", `document.querySelector("#live-text").textContent.includes("idumb dash --web")`)
	if !p.has("#needs-list .kind") || !p.has("#canvas .node") {
		t.Error("what was last is not shown any more")
	}
	s.idumb("controller", "start") // to be stopped again
	p.enter(s)
}
