package page_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
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

// gone makes sure that a page says so when the controller ends, shows what was last, and goes on with the
// next controller: what was typed stays. It sends its token to no other program that takes the port.
func gone(t *testing.T, d *driver) {
	s := d.openShop(t, demo(), nil)
	p := d.open(t, s, wide)
	s.idumb("controller", "stop")
	p.wait("it is said that the controller is gone", `/ended|does not answer/.test(document.querySelector("#live-text").textContent) && document.querySelector("main.stale")`)
	p.wait("it is said what to do", `document.querySelector("#live-text").textContent.includes("idumb dash --web")`)
	if !p.has("#needs-list .kind") || !p.has("#canvas .node") {
		t.Error("what was last is not shown any more")
	}
	p.at("#screen=now&ref=task/login-api")
	p.press("c")
	p.press("half a sentence")
	s.idumb("controller", "start")
	began := time.Now()
	p.live()
	t.Logf("the page goes on %s after the controller was started (aim: 2 s)", ms(time.Since(began)))
	if typed := eval[string](p, `document.querySelector("#over textarea, #over input").value`); typed != "half a sentence" {
		t.Errorf("what was typed is %q", typed)
	}
	s.rename("Everybody signs in")
	p.wait("it hears of changes", `document.querySelector("#h-plan").textContent === "Everybody signs in"`)

	s.idumb("controller", "stop")
	p.wait("it is gone again", `document.querySelector("main.stale")`)
	other := &thief{}
	must(t, other.listen(strings.TrimPrefix(eval[string](p, `location.origin`), "http://")))
	p.wait("another program is found out", `document.querySelector("#live-text").textContent.includes("another program answers")`)
	must(t, other.server.Close())
	other.mu.Lock()
	defer other.mu.Unlock()
	if other.asked == 0 || len(other.tokens) > 0 {
		t.Errorf("another program at this address was asked %d times and got %d tokens", other.asked, len(other.tokens))
	}
	s.idumb("controller", "start") // to be stopped again
	p.enter(s)
}

// thief is a program that takes the port of a page and notes the tokens that it gets.
type thief struct {
	server http.Server
	mu     sync.Mutex
	tokens []string
	asked  int
}

func (s *thief) listen(host string) error {
	listener, err := net.Listen("tcp4", host)
	if err == nil {
		s.server.Handler = s
		go s.server.Serve(listener)
	}
	return err
}

func (s *thief) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if token := r.Header.Get("Authorization"); token != "" {
		s.tokens = append(s.tokens, token)
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{"proof":"00"}`)
}
