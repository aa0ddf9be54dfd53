package page_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// deed is an action as it is done on the keyboard: what is open, the key, what is typed into each field,
// and what then stands in the file.
type deed struct {
	action, ref, key string
	typed            []string // one for each field; "" goes on to the next
	file, has        string
	undone           bool // u takes it back
}

var deeds = []deed{
	{"start", "task/card-form", "s", nil, "tasks/card-form", `"state": "active"`, true},
	{"review", "task/token-lib", "r", []string{"token_test.go", ""}, "tasks/token-lib", `"state": "review"`, true},
	{"complete", "task/mailer", "C", []string{"a mail came", "go test ./mail"}, "tasks/mailer", `"state": "completed"`, true},
	{"fail", "task/signup-api", "F", []string{"the table is not there"}, "tasks/signup-api", `"state": "failed"`, true},
	{"abandon", "task/invoice", "x", []string{"we bill elsewhere"}, "tasks/invoice", `"state": "abandoned"`, true},
	{"priority", "task/login-api", "p", []string{"high"}, "tasks/login-api", `"priority": "high"`, true},
	{"rewrite", "task/login-form", "e", []string{"New: ", "It shows why."}, "tasks/login-form", `"description": "It shows why."`, true},
	{"assign", "task/login-api", "A", []string{"lead"}, "tasks/login-api", `"assignedTo": "lead"`, true},
	{"intent", "task/token-lib", "i", []string{"Tokens first"}, "trajectory", `"intent": "Tokens first"`, false}, // it made the file
	{"confirm", "mem/token-life", "t", nil, "mems/token-life", `"kind": "Mem"`, true},
	{"supersede", "mem/staging", "S", []string{"Staging is reset every night", "it was moved"}, "", ``, false},
	{"comment", "task/login-api", "c", []string{"Same error for both."}, "", ``, false},
	{"answer", "comment/" + question, "a", []string{"Until used."}, "", ``, false},
	{"hold", "task/rate-limit", "h", []string{"How many tries?"}, "", ``, false},
	{"release", "task/rate-limit", "h", nil, "", ``, false},
	{"allow", "session/denied-1", "y", []string{"the branch is mine"}, "", ``, false},
	{"adopt", "session/denied-2", "L", []string{"draft"}, "", ``, false},
	{"fine", "session/denied-2", "n", nil, "", ``, false},
	{"recall", "delegation/to-codex", "R", []string{""}, "delegations/to-codex", `"recalled"`, true},
}

// question is a comment that waits for an answer.
const question = "c-1763806200123-9f2c"

// keyboard makes sure that a keyboard alone reaches everything, and does everything.
func keyboard(t *testing.T, d *driver) {
	s := d.openShop(t, demo(), func(s *shop) {
		remembered(s)
		s.write("delegations/to-codex", map[string]any{"spec": map[string]any{"task": "signup-api", "from": "lead", "to": "codex-02"}})
		s.write("comments/"+question, map[string]any{"spec": map[string]any{"about": "task/mailer", "type": "question", "body": "24 hours, or until used?", "author": "agent/open-c1"}})
		s.denied("denied-1")
		s.denied("denied-2")
		s.listed("denied-2")
	})
	p := d.open(t, s, wide)
	for _, place := range places {
		p.at(place.hash)
		p.walk(t, place.name)
	}
	p.moves(t)
	p.searches(t)
	p.skips(t)
	p.coverage(t)
	for _, deed := range deeds {
		t.Run(deed.action, func(t *testing.T) { p.perform(t, s, deed) })
	}
	p.quiet()
}

// walk presses Tab until everything had the focus that somebody can do something with, and sees to it
// that it can be seen where the focus is.
func (p *tab) walk(t *testing.T, where string) {
	t.Helper()
	const list = `(window.all = [...document.querySelectorAll("a[href], button, select, input, textarea, summary, [tabindex='0']")].filter(e => e.getClientRects().length && !e.disabled && !e.closest("[inert]") && e.checkVisibility({visibilityProperty: true})), window.reached = new Set(), document.activeElement?.blur(), document.querySelector("#skip").focus(), all.length)`
	count := eval[int](p, list)
	for range count + 5 {
		if eval[int](p, `(reached.add(document.activeElement), all.filter(e => !reached.has(e)).length)`) == 0 {
			break
		}
		if bare := eval[string](p, `(e => e === document.body || getComputedStyle(e).outlineStyle !== "none" ? "" : e.outerHTML.slice(0, 120))(document.activeElement)`); bare != "" {
			t.Errorf("%s: nothing shows that it has the focus: %s", where, bare)
		}
		p.do(chromedp.KeyEvent(kb.Tab))
	}
	if missed := eval[string](p, `all.filter(e => e.isConnected && !reached.has(e)).map(e => e.outerHTML.slice(0, 100)).join("\n")`); missed != "" {
		t.Errorf("%s: Tab does not reach, of %d:\n%s", where, count, missed)
	}
}

// moves tries the keys that go somewhere.
func (p *tab) moves(t *testing.T) {
	t.Helper()
	p.at("#screen=now")
	for _, c := range []struct{ keys, holds string }{
		{"2", `document.querySelector("main").dataset.screen === "plan"`},
		{"3", `document.querySelector("main").dataset.screen === "gate"`},
		{"4", `document.querySelector("main").dataset.screen === "memory"`},
		{"1", `document.querySelector("main").dataset.screen === "now"`},
		{"v", `document.querySelector("#canvas .tree, #canvas .board")`},
		{"v", `document.querySelector("#canvas .board, #canvas .tree")`},
		{"v", `document.querySelector("#canvas .node")`},
		{"?", `document.querySelector("dialog .keys")`},
		{escape, `!document.querySelector("#over").open`},
		{"/", `document.querySelector("main").dataset.screen === "plan" && document.activeElement.matches("#plan-filter input")`},
		{"token", `document.querySelectorAll("#canvas .node:not(.off)").length === 1 && document.querySelector("#canvas .node:not(.off)").textContent.includes("Token library")`},
		{kb.Backspace + kb.Backspace + kb.Backspace + kb.Backspace + kb.Backspace, `!location.hash.includes("find") && !document.querySelector("#canvas .off")`},
	} {
		p.press(c.keys)
		p.wait(fmt.Sprintf("after %q: %s", c.keys, c.holds), c.holds)
	}
	p.at("#screen=now&view=board")
	if to := eval[string](p, `document.querySelector("#screens a[data-ref='screen/plan']").getAttribute("href")`); !strings.Contains(to, "view=board") {
		t.Errorf("the link to the plan forgets how it is drawn: %s", to)
	}
	p.at("#screen=now")
	p.control("k")
	p.press("login" + kb.ArrowDown)
	p.wait("an arrow marks the next hit", `[...document.querySelectorAll(".found li")].findIndex(li => li.ariaSelected === "true" && li.id === document.activeElement.getAttribute("aria-activedescendant")) === 1`)
	p.press(kb.ArrowUp + kb.ArrowUp)
	p.wait("before the first one stands the last", `document.querySelector(".found li:last-child").ariaSelected === "true"`)
	p.press(kb.ArrowDown + kb.ArrowDown)
	hit := eval[string](p, `document.querySelectorAll(".found li")[1].firstChild.textContent`)
	p.press(kb.Enter)
	p.wait("Enter goes to the marked hit", fmt.Sprintf(`document.querySelector("#h-task").textContent.includes(%q)`, hit))
	p.press(escape)
	p.control("k")
	p.press("login endp" + kb.Enter)
	p.wait("Ctrl K goes to a task", `document.querySelector("#h-task").textContent.includes("Login endpoint")`)
	p.press(escape)
	p.wait("Esc closes the panel", `document.querySelector("#panel").hidden`)
	p.at("#screen=now")
	eval[bool](p, `(document.querySelector("#agent-list li").focus(), true)`)
	p.press("j")
	if !eval[bool](p, `!!document.activeElement.closest("#agent-list")`) {
		t.Error("j leaves the part that has the focus")
	}
	p.press(kb.Enter)
	p.wait("Enter opens what has the focus", `!document.querySelector("#panel").hidden || document.activeElement`)
	p.press(escape)
}

// searches looks for something in the memory.
func (p *tab) searches(t *testing.T) {
	t.Helper()
	p.at("#screen=memory")
	eval[bool](p, `(document.querySelector("#list-filter input").focus(), true)`)
	p.press("monday")
	p.wait("the memory is searched", `document.querySelector("#list-body h3").textContent.startsWith("Found") && document.querySelector("#list-body tbody tr").textContent.includes("Staging is reset")`)
}

// skips tries the link past the header.
func (p *tab) skips(t *testing.T) {
	t.Helper()
	p.at("#screen=plan&ref=task/login-api")
	eval[bool](p, `(document.querySelector("#skip").focus(), true)`)
	p.press(kb.Enter)
	if at := eval[string](p, `document.activeElement.id + " " + location.hash`); !strings.HasPrefix(at, "main ") || !strings.Contains(at, "login-api") {
		t.Errorf("the skip link goes to %q", at)
	}
}

// coverage makes sure that there is a deed for every action.
func (p *tab) coverage(t *testing.T) {
	t.Helper()
	var names []string
	must(t, json.Unmarshal([]byte(eval[string](p, `fetch("/me", {headers: {Authorization: "Bearer " + sessionStorage.getItem("token")}}).then(r => r.json()).then(me => JSON.stringify(me.actions.map(a => a.name)))`)), &names))
	for _, name := range names {
		if name != "undo" && !strings.HasPrefix(name, "create-") && !slices.ContainsFunc(deeds, func(d deed) bool { return d.action == name }) {
			t.Errorf("nobody tries the action %q here: add a deed", name)
		}
	}
}

// perform does an action with its key, and takes it back.
func (p *tab) perform(t *testing.T, s *shop, d deed) {
	p.at("#screen=now&ref=" + d.ref)
	p.wait(d.ref+" is open, with what can be done", fmt.Sprintf(`!document.querySelector("#panel").hidden && [...document.querySelectorAll("#panel .acts kbd")].some(k => k.textContent === %q)`, d.key))
	before := s.read(d.file)
	eval[bool](p, `(document.querySelector("#notice").textContent = "", true)`)
	p.press(d.key)
	if len(d.typed) > 0 {
		p.wait("it is asked", `document.querySelector("#over").open`)
		for i, text := range d.typed {
			if i > 0 {
				p.press(kb.Tab)
			}
			p.press(text)
		}
		p.control(kb.Enter)
	}
	p.wait("it is said that it was done", `document.querySelector("#notice").textContent !== "" && !document.querySelector("#notice").hidden`)
	if said := p.text("#notice"); strings.Contains(said, "u takes it back") != d.undone || eval[bool](p, `document.querySelector("#notice").classList.contains("bad")`) {
		t.Errorf("it is said: %s", said)
	}
	if after := s.read(d.file); !strings.Contains(after, d.has) {
		t.Errorf("no %s in %s: %s", d.has, d.file, after)
	}
	if !eval[bool](p, `!document.querySelector("#over").open`) {
		t.Error("the dialog stays open")
	}
	if !d.undone {
		return
	}
	time.Sleep(150 * time.Millisecond) // the controller writes what follows
	p.press("u")
	p.wait("it is taken back", `document.querySelector("#notice").textContent === "Undone."`)
	if after := s.read(d.file); strings.Contains(after, d.has) && !strings.Contains(before, d.has) {
		t.Errorf("%s is there still after u: %s", d.has, after)
	}
}
