package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Two sessions of Claude Code whose names begin with the same five characters.
const (
	firstSession  = "a1f4b0c2-1d5b-4a86-9c0f-2f6f1f7f7a01"
	secondSession = "a1f4b9d3-77aa-4c11-8e02-0d5b4a869c0f"
)

// gate makes sure that each denied call is listed with what its agent was told and did next, and is decided about there.
func gate(t *testing.T, d *driver) {
	const twoLines = "git push --force origin\ngit push --force mirror"
	s := d.openShop(t, demo(), func(s *shop) {
		s.denied(firstSession)
		s.call(firstSession, twoLines, true)
		s.call(secondSession, "git push --force '"+attacks[0]+"'", true)
	})
	p := d.open(t, s, wide)
	time.Sleep(1100 * time.Millisecond) // what follows comes in a later second than the denials
	s.call(secondSession, "git push --force-with-lease", false)
	p.at("#screen=gate")
	p.wait("all calls are listed", `document.querySelectorAll("#list tbody tr").length === 3`)
	for _, want := range []string{"claude/a1f4b0", "claude/a1f4b9", "git push --force", "shell-gate", "denied"} {
		if text := p.text("#list"); !strings.Contains(text, want) || strings.Contains(text, firstSession) {
			t.Errorf("no %q, or a full name, in: %s", want, text)
		}
	}
	if n, status := eval[string](p, `document.querySelector("#screens [data-ref='screen/gate'] .n").textContent`), s.idumb("status", "-o", "jsonpath={.denied[*].rule}"); n != "3" || len(strings.Fields(status)) != 3 {
		t.Errorf("the page counts %s calls, the status %s", n, status)
	}
	s.call(firstSession, "git push --force", true)
	p.wait("a call that comes meanwhile", `document.querySelector("#screens [data-ref='screen/gate'] .n").textContent === "4"`)

	row := func(has string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("#list tbody tr")].find(r => r.textContent.includes(%q))`, has)
	}
	const allowIt = `[...document.querySelectorAll("#panel .acts button")].find(b => b.textContent.startsWith("Allow once"))`
	eval[bool](p, "("+row("onerror")+".click(), true)")
	p.wait("the details", `document.querySelector("#panel").textContent.includes("this exact call passes")`)
	text := p.text("#panel")
	for _, want := range []string{secondSession, "claude/a1f4b9", "What", "You tried to run", "Why", "Use instead", "--force-with-lease", "Evidence", "What it did next", "git push --force '<img src=x"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the details: %s", want, text)
		}
	}
	p.wait("what it did next", `document.querySelector("#panel").textContent.includes("Bash git push --force-with-lease")`)
	var found []string
	must(t, json.Unmarshal([]byte(eval[string](p, harm)), &found))
	if len(found) > 0 {
		t.Errorf("%s", strings.Join(found, "; "))
	}
	p.press("n")
	p.wait("it is dismissed", row("onerror")+`.textContent.includes("dismissed") && !document.querySelector("#panel .acts button")`)

	eval[bool](p, "("+row("mirror")+".click(), true)")
	p.wait("it may be allowed", allowIt)
	eval[bool](p, "("+allowIt+".click(), true)")
	p.wait("the dialog shows all of the call", fmt.Sprintf(`document.querySelector("#over .raw")?.textContent === %q`, "shell "+twoLines)+` || document.querySelector("#over .raw")?.textContent === `+fmt.Sprintf("%q", twoLines))
	p.press("once, please")
	eval[bool](p, `(document.querySelector("#over .b.p").click(), true)`)
	p.wait("it is allowed", row("mirror")+`.textContent.includes("allowed once")`)
	if out := s.call(firstSession, twoLines, false); !strings.Contains(out, "ALLOWED ONCE") {
		t.Errorf("the agent is told: %s", out)
	}
	s.call(firstSession, twoLines, true)
	p.wait("once means once", `document.querySelector("#screens [data-ref='screen/gate'] .n").textContent === "5"`)

	s.hook(map[string]any{"session_id": firstSession, "hook_event_name": "SessionEnd", "cwd": s.dir})
	p.wait("what would not succeed is not offered", `document.querySelector("#panel").textContent.includes("It cannot be allowed") || (`+row("git push --force")+`.click(), false)`)
	if !eval[bool](p, allowIt+".disabled && "+allowIt+`.title.includes("has ended")`) {
		t.Errorf("it is offered: %s", p.text("#panel"))
	}
	p.quiet()
}

// call has an agent ask for a shell command, and fails unless the gate decides so.
func (s *shop) call(session, command string, denied bool) string {
	s.t.Helper()
	out := s.hook(map[string]any{"session_id": session, "hook_event_name": "PreToolUse", "cwd": s.dir, "tool_name": "Bash", "tool_use_id": "t", "tool_input": map[string]any{"command": command}})
	if bytes.Contains(out, []byte("GOVERNANCE BLOCK")) != denied {
		s.t.Fatalf("%s: denied is %v: %s", command, !denied, out)
	}
	return string(out)
}
