package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// made makes sure that tasks and plans are made and edited on the page, that refusals are shown in the dialog, and that
// what was typed stays there.
func made(t *testing.T, d *driver) {
	s := d.openShop(t, demo(), nil)
	p := d.open(t, s, wide)
	p.at("#screen=plan&view=board")
	fill := func(values ...string) {
		t.Helper()
		for i := 0; i < len(values); i += 2 {
			eval[bool](p, fmt.Sprintf(`(i => (i.value = %q, i.dispatchEvent(new Event("change")), true))(document.querySelector(%q))`, values[i+1], values[i]))
		}
	}
	refused := func(why string) {
		t.Helper()
		p.control(kb.Enter)
		p.wait("it is refused, in the dialog: "+why, fmt.Sprintf(`document.querySelector("#over").open && !document.querySelector("#over .refusal").hidden && document.querySelector("#over .refusal").textContent.includes(%q)`, why))
	}
	holds := func(file string, texts ...string) {
		t.Helper()
		eventually(t, file+" is written", func() bool { return s.read(file) != "" })
		for _, text := range texts {
			if got := s.read(file); !strings.Contains(strings.Join(strings.Fields(got), " "), text) {
				t.Errorf("no %s in %s: %s", text, file, got)
			}
		}
	}

	eval[bool](p, `([...document.querySelectorAll("#plan-filter .acts button")].find(b => b.textContent.startsWith("New task")).click(), true)`)
	p.wait("it is asked, for the plan that is shown", `document.querySelector("#over").open && document.querySelector("#ask-plan").value === "accounts" && document.activeElement.id === "ask-title"`)
	p.control(kb.Enter)
	if !eval[bool](p, `document.querySelector("#over").open && document.activeElement.id === "ask-title"`) {
		t.Error("a task without a title is sent")
	}
	p.press("Forgotten <b>password</b>")
	fill("#ask-expect", "A mail with a link", "#ask-description", "One line.\n\nAnother one.", "#ask-dependsOn", "mailer\nno-such-task", "#ask-paths", "reset/**\n", "#ask-commands", "go test ./reset")
	refused("no-such-task")
	if typed := eval[string](p, `["title", "dependsOn", "commands"].map(f => document.getElementById("ask-" + f).value).join("|")`); typed != "Forgotten <b>password</b>|mailer\nno-such-task|go test ./reset" {
		t.Errorf("what was typed is %q", typed)
	}
	fill("#ask-dependsOn", "mailer", "[list=names-dependsOn]", "login-api")
	p.control(kb.Enter)
	p.wait("the new task is open", `!document.querySelector("#over").open && document.querySelector("#panel h2").textContent.includes("Forgotten <b>password</b>")`)
	holds("tasks/forgotten-b-password-b", `"workPlan": "accounts"`, `"dependsOn": [ "mailer", "login-api" ]`, `"paths": [ "reset/**" ]`, `"command": "go test ./reset", "succeeds": true`, `"expectedOutput": "A mail with a link"`, `Another one.`)

	p.press("e")
	p.wait("its title can be edited", `document.querySelector("#ask-title").value === "Forgotten <b>password</b>" && document.querySelector("#ask-description").value.endsWith("Another one.")`)
	fill("#ask-title", "Forgotten password")
	s.idumb("patch", "task/forgotten-b-password-b", "-p", `{"spec":{"notes":"by somebody else"}}`)
	p.wait("the change is seen", `document.querySelector("#panel pre.raw")?.textContent.includes("by somebody else") || [...document.querySelectorAll("#panel details pre")].some(e => e.textContent.includes("by somebody else"))`)
	refused("somebody wrote it since you looked")
	if typed := eval[string](p, `document.querySelector("#ask-title").value`); typed != "Forgotten password" {
		t.Errorf("what was typed is %q", typed)
	}
	p.control(kb.Enter)
	p.wait("once it was seen, it is written", `!document.querySelector("#over").open && document.querySelector("#panel h2").textContent.includes("Forgotten password")`)
	holds("tasks/forgotten-b-password-b", `"title": "Forgotten password"`, "by somebody else")

	for _, screen := range []string{"now", "gate", "memory", "plan"} {
		p.at("#screen=" + screen)
		p.press("W")
		p.wait("a key makes a plan on "+screen, `document.querySelector("#over").open && document.querySelector("#ask-accept")`)
		p.press(escape)
	}
	p.press("W")
	p.press("Accounts")
	fill("#ask-accept", "It works\nIt is fast")
	refused("already exists")
	fill("#ask-title", "Reports", "#ask-state", "draft", "[list=names-dependsOn]", "billing")
	p.control(kb.Enter)
	p.wait("the new plan is shown", `!document.querySelector("#over").open && document.querySelector("#h-plan").textContent === "Reports" && location.hash.includes("plan=reports")`)
	holds("workplans/reports", `"acceptance": [ "It works", "It is fast" ]`, `"state": "draft"`, `"dependsOn": [ "billing" ]`)

	eval[bool](p, axe(t)+"; true")
	for _, l := range []look{wide, {390, 844, true}} {
		p.show(l)
		for _, key := range []string{"N", "W"} {
			p.press(key)
			p.audit(t, "after "+key+" "+l.String())
			if wider := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wider > 0 {
				t.Errorf("%s at %s: %d pixels wider than the screen", key, l, wider)
			}
			p.press(escape)
		}
	}
	p.quiet("422", "409")

	empty := d.open(t, d.openShop(t, files{}, nil), phone)
	empty.at("#screen=now")
	eval[bool](empty, `(document.querySelector("#canvas .acts button:last-child").click(), true)`)
	empty.wait("the first plan can be made", `document.querySelector("#over").open && document.querySelector("#ask-accept")`)
	empty.quiet()
}
