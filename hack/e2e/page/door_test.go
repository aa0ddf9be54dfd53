package page_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// door makes sure that nobody gets in but who was handed the link, with what a browser really sends.
func door(t *testing.T, d *driver) {
	p := d.open(t, d.demo, wide)
	site, err := url.Parse(eval[string](p, `location.origin`))
	must(t, err)
	if at := eval[string](p, `location.href`); strings.Contains(at, "once=") {
		t.Errorf("the code stays in the address: %s", at)
	}
	t.Run("another name", func(t *testing.T) { // the resolver of the browser leads it here, as in DNS rebinding
		evil := d.browser.newTab(t, nil, wide)
		evil.do(chromedp.Navigate("http://" + rebound + ":" + site.Port() + "/"))
		if evil.has("#needs") || !strings.Contains(evil.text("body"), "this host name is not served") {
			t.Errorf("a name that was bent to lead here gets: %.300s", evil.text("body"))
		}
	})
	t.Run("another page", func(t *testing.T) { anotherPage(t, d, p, site.String()) })
	t.Run("no token", func(t *testing.T) {
		typed := d.browser.newTab(t, p, wide)
		typed.do(chromedp.Navigate(site.String() + "/"))
		typed.wait("it is said why there is nothing", `document.querySelector("#notice").textContent.includes("idumb dash --web")`)
		if typed.has("#needs-list .kind") || typed.has("#graph .node") {
			t.Error("an address that was typed shows what needs somebody")
		}
	})
	t.Run("a reload", func(t *testing.T) {
		p.do(chromedp.Reload())
		p.live()
	})
	t.Run("another user", func(t *testing.T) { anotherUser(t, d, site.String()) })
	t.Run("a second use", func(t *testing.T) { secondUse(t, d) })
	p.quiet()
}

// rebound is a name that the browser is told to be this machine.
const rebound = "rebound.example"

// anotherPage is a page of another site, in the same browser, that asks for everything it can think of.
func anotherPage(t *testing.T, d *driver, p *tab, site string) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>other</title><body>")
	}))
	defer other.Close()
	token := eval[string](p, `sessionStorage.getItem("token")`)
	evil := d.browser.newTab(t, p, wide)
	evil.do(chromedp.Navigate(other.URL))
	for name, try := range map[string]string{
		"reads":            `fetch(SITE + "/me").then(r => r.text(), () => "")`,
		"reads, token":     `fetch(SITE + "/me", {headers: {Authorization: "Bearer " + TOKEN}}).then(r => r.text(), () => "")`,
		"reads, opaque":    `fetch(SITE + "/me", {mode: "no-cors"}).then(r => r.text(), () => "")`,
		"reads a file":     `fetch(SITE + "/main.js").then(r => r.text(), () => "")`,
		"runs a file":      `new Promise(f => { const s = document.createElement("script"); s.src = SITE + "/main.js"; s.onload = () => f("ran"); s.onerror = () => f(""); document.body.append(s); })`,
		"takes a code":     `fetch(SITE + "/once", {method: "POST", body: "{\"once\":\"x\"}"}).then(r => r.text(), () => "")`,
		"writes as a form": `fetch(SITE + "/actions/start", {method: "POST", mode: "no-cors", headers: {"Content-Type": "text/plain"}, body: "{\"object\":\"task/card-form\"}"}).then(r => r.text(), () => "")`,
		"frames it":        `new Promise(f => { const i = document.createElement("iframe"); i.src = SITE + "/"; i.onload = () => { try { f(i.contentDocument ? i.contentDocument.body.innerText : ""); } catch { f(""); } }; document.body.append(i); })`,
	} {
		try = strings.NewReplacer("SITE", fmt.Sprintf("%q", site), "TOKEN", fmt.Sprintf("%q", token)).Replace(try)
		if got := eval[string](evil, try); got != "" {
			t.Errorf("another page %s: %.200s", name, got)
		}
	}
	if state := d.demo.idumb("get", "task", "card-form", "-o", "jsonpath={.spec.state}"); state != "" && state != "planned" {
		t.Errorf("another page has changed a task: it is %s", state)
	}
}

// anotherUser is somebody else on this machine: the link lies in a file that is not theirs.
func anotherUser(t *testing.T, d *driver, site string) {
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Getuid() != 0 {
		t.Skip("only root can be somebody else, by setpriv")
	}
	file := strings.TrimPrefix(d.demo.handOver(), "file://")
	as := []string{"--reuid=65534", "--regid=65534", "--clear-groups"}
	if out, err := exec.Command(setpriv, append(as, "cat", file)...).Output(); err == nil {
		t.Errorf("another user reads the link: %s", out)
	}
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("there is no curl here")
	}
	for path, want := range map[string]string{"/": "200", "/me": "403", "/apis/idumb.dev/v1alpha1/tasks": "403"} {
		out, err := exec.Command(setpriv, append(as, curl, "-s", "-o", "/dev/null", "-w", "%{http_code}", site+path)...).Output()
		if err != nil || string(out) != want {
			t.Errorf("another user gets %s for %s (%v), want %s: the page's own files and nothing else", out, path, err, want)
		}
	}
	out, err := exec.Command(setpriv, append(as, curl, "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Sec-Fetch-Site: same-origin", site+"/me")...).Output()
	if err != nil || string(out) != "401" {
		t.Errorf("another user who knows what a page sends gets %s (%v), want 401", out, err)
	}
}

// secondUse has two tabs use one link: the second gets nothing, and both are told.
func secondUse(t *testing.T, d *driver) {
	link := d.demo.link()
	first := d.browser.newTab(t, nil, wide)
	first.do(chromedp.Navigate(link))
	first.live()
	second := d.browser.newTab(t, nil, wide)
	second.do(chromedp.Navigate(link))
	second.wait("the second is told", `document.querySelector("#notice").textContent.includes("was used before")`)
	first.wait("the first is told", `document.querySelector("#live-text").textContent.includes("was used before")`)
	if second.has("#needs-list .kind") {
		t.Error("the second use of a link shows what needs somebody")
	}
}

// oldLink makes sure that a link which nobody used in time is worth nothing. It was made when the test began.
func oldLink(t *testing.T, d *driver) {
	link, err := url.Parse(d.old.link)
	must(t, err)
	time.Sleep(time.Until(d.old.made.Add(31 * time.Second)))
	r, err := http.NewRequest(http.MethodPost, "http://"+link.Host+"/once", strings.NewReader(fmt.Sprintf(`{"once":%q}`, strings.TrimPrefix(link.Fragment, "once="))))
	must(t, err)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	if answer.StatusCode != http.StatusForbidden || !strings.Contains(string(text), "expired") {
		t.Errorf("a link of %s ago is answered %d %s", time.Since(d.old.made), answer.StatusCode, text)
	}
}
