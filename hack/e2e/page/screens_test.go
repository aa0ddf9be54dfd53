package page_test

import (
	"strings"
	"testing"
)

// places are the screens, where they are, and what has to be read there.
var places = []struct {
	name, hash, part string
	words            []string
}{
	{"now", "#screen=now", "main", []string{"Needs you", "open-c1", "valid 24 hours, or until used?", "People can sign in", "Agents 3", "claude-7f", "Token library", "Since you looked"}},
	{"plan", "#screen=plan", "#graph", []string{"People can sign in", "Login endpoint", "Release 1.0", "waits for", "design", "ship"}},
	{"outline", "#screen=plan&view=outline", "#canvas", []string{"build", "Login endpoint", "waits for signup-api, mailer"}},
	{"board", "#screen=plan&view=board", "#canvas", []string{"Ready", "Active 3", "Done 3", "8 wait"}},
	{"gate", "#screen=gate", "#list", []string{"Gate", "claude/claude-7f", "git push --force", "shell-gate", "denied"}},
	{"session", "#screen=now&ref=session/claude-7f", "#panel", []string{"claude-7f", "Works on", "Token library", "Denied or against the rules 1"}},
	{"memory", "#screen=memory", "#list", []string{"To review 1", "token-life", "Tokens live 30 days", "Staging is reset every Monday"}},
	{"mem", "#screen=memory&ref=mem/token-life", "#panel", []string{"Tokens live 30 days", "docs/auth.md#Tokens has changed"}},
	{"task", "#screen=now&ref=task/login-api", "#panel", []string{"Login endpoint", "Why it waits", "claude-7f works on", "Proves it done", "POST /login"}},
}

// screens makes sure that each screen shows what it is for.
func screens(t *testing.T, d *driver) {
	p := d.open(t, d.demo, wide)
	for _, l := range []look{wide, phone} {
		p.show(l)
		for _, place := range places {
			p.at(place.hash)
			p.wait("drawn: "+place.name, `!document.querySelector("#canvas").textContent.includes("Laying it out")`)
			text := strings.Join(strings.Fields(p.text(place.part)), " ")
			for _, words := range place.words {
				if l == phone && place.name == "plan" {
					continue // there it is the outline
				}
				if !strings.Contains(text, words) {
					t.Errorf("%s at %s: no %q in: %s", place.name, l, words, text)
				}
			}
			if place.name == "mem" { // git was asked for what it cites as it was
				p.wait("the lines then and now", `document.querySelector("#panel .raw").textContent === "- A token lives 30 days.\n+ A token lives 7 days."`)
			}
			if wider := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wider > 0 {
				t.Errorf("%s at %s: %d pixels wider than the screen", place.name, l, wider)
			}
		}
	}
	p.quiet()
}

// again makes sure that a screen to which somebody comes back is drawn, though nothing changed.
func again(t *testing.T, d *driver) {
	p := d.open(t, d.demo, wide)
	for _, name := range []string{"gate", "memory", "gate", "now", "memory", "plan", "gate"} {
		for _, place := range places {
			if place.name != name {
				continue
			}
			p.at(place.hash)
			if text := p.text(place.part); !strings.Contains(text, place.words[1]) {
				t.Errorf("%s is not drawn again: %s", name, text)
			}
		}
	}
}
