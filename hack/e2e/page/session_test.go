package page_test

import (
	"strings"
	"testing"
)

// sessions makes sure that the panel of a session says what it works on, ran, wrote, was denied and was told.
func sessions(t *testing.T, d *driver) {
	s := d.openShop(t, demo(), func(s *shop) { s.denied("claude-7f") })
	s.idumb("comment", "task/token-lib", "--", "Take the clock from the caller.")
	call := func(tool string, input map[string]any, after map[string]any) {
		for _, event := range []string{"PreToolUse", "PostToolUse"} {
			e := map[string]any{"session_id": "claude-7f", "hook_event_name": event, "cwd": s.dir, "tool_name": tool, "tool_use_id": "t-" + tool, "tool_input": input}
			if event == "PostToolUse" {
				e["tool_response"] = after
			}
			s.hook(e)
		}
	}
	call("Write", map[string]any{"file_path": s.dir + "/token/token.go", "content": "package token"}, map[string]any{"filePath": s.dir + "/token/token.go"})
	call("Bash", map[string]any{"command": "go test ./token/..."}, map[string]any{"stdout": "ok", "stderr": "", "interrupted": false})
	p := d.open(t, s, wide)
	p.at("#screen=now")
	eval[bool](p, `(document.querySelector("#agent-list [data-ref='session/claude-7f']").click(), true)`)
	p.wait("what it did is read", `document.querySelector("#panel").textContent.includes("Commands")`)
	for _, l := range []look{wide, phone} {
		p.show(l)
		text := p.text("#panel")
		for _, want := range []string{"Works on", "Token library", "turn 14", "Denied or against the rules 1", "shell git push --force", "Commands 1", "go test ./token/...", "Files 1", "token/token.go", "Told 1", "Take the clock from the caller.", "task/token-lib"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in: %s", l, want, text)
			}
		}
	}
	p.show(wide)
	eval[bool](p, `(document.querySelector("#panel [data-ref^='call/']").click(), true)`)
	p.wait("a denial leads to its details, and back", `document.querySelector("#panel").textContent.includes("Use instead") && document.querySelector("#panel [data-ref='session/claude-7f']")`)
	p.quiet()
}
