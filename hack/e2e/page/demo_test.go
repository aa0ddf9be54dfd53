package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// demo is a believable store: a plan of four stages with three agents at work on it, and a plan
// beside it. All times are some time ago, so that what is drawn of them is the same whenever it is.
func demo() files {
	store := files{
		"workplans/accounts": {"spec": map[string]any{"title": "People can sign in", "state": "active", "acceptance": []string{"A new person signs up, signs in and signs out", "A stolen session can be ended"},
			"phases": []map[string]any{{"name": "design", "order": 1}, {"name": "build", "order": 2}, {"name": "prove", "order": 3}, {"name": "ship", "order": 4}}}},
		"workplans/billing": {"spec": map[string]any{"title": "Teams pay by card", "state": "active", "acceptance": []string{"An invoice is paid"}}},
		"sessions/claude-7f": session("claude", "claude-7f", "token-lib", 5*time.Second, map[string]any{"state": "working", "tokens": 412000,
			"counters": map[string]any{"turns": 14, "toolCalls": 61, "writes": 9, "denials": 1}}),
		"sessions/codex-02": session("codex", "codex-02", "signup-api", 40*time.Second, map[string]any{"state": "working", "tokens": 655000,
			"counters": map[string]any{"turns": 31, "toolCalls": 120, "writes": 22, "failures": 4, "repeats": 4}}),
		"sessions/open-c1": session("opencode", "open-c1", "mailer", 3*time.Minute, map[string]any{"state": "waiting", "waitsFor": "answer", "since": ago(3*time.Minute + 20*time.Second),
			"asks": "Links in the mail: valid 24 hours, or until used? The threat model says both.", "tokens": 120000, "counters": map[string]any{"turns": 9, "toolCalls": 30}}),
	}
	for _, row := range demoTasks {
		spec := map[string]any{"title": row.title, "workPlan": row.plan, "expectedOutput": row.expects}
		for field, value := range map[string]string{"phase": row.stage, "state": row.state} {
			if value != "" {
				spec[field] = value
			}
		}
		if row.needs != "" {
			spec["dependsOn"] = strings.Fields(row.needs)
		}
		if row.state == "completed" {
			spec["result"] = map[string]any{"evidence": row.expects}
		}
		store["tasks/"+row.name] = map[string]any{"spec": spec}
	}
	return store
}

var demoTasks = []struct{ name, title, plan, stage, state, needs, expects string }{
	{"survey", "What the old sign-in does", "accounts", "design", "completed", "", "A list of its flows"},
	{"threat-model", "Threat model", "accounts", "design", "completed", "survey", "docs/threats.md"},
	{"db-schema", "Database schema", "accounts", "design", "completed", "survey", "Tables users and sessions"},
	{"token-lib", "Token library", "accounts", "build", "active", "threat-model", "Tokens are made and checked"},
	{"mailer", "Confirmation mail", "accounts", "build", "active", "survey", "A mail with a link"},
	{"signup-api", "Sign-up endpoint", "accounts", "build", "active", "db-schema", "POST /signup"},
	{"login-api", "Login endpoint", "accounts", "build", "", "db-schema token-lib", "POST /login"},
	{"login-form", "Login form", "accounts", "build", "", "login-api", "A form that signs in"},
	{"signup-form", "Sign-up form", "accounts", "build", "", "signup-api mailer", "A form that signs up"},
	{"rate-limit", "Rate limits", "accounts", "build", "", "login-api", "Ten tries a minute"},
	{"e2e", "End-to-end tests", "accounts", "prove", "", "login-form signup-form rate-limit", "All flows run"},
	{"pentest", "Attack it ourselves", "accounts", "prove", "", "rate-limit login-form", "A report"},
	{"docs", "Write the manual", "accounts", "ship", "", "e2e", "The manual"},
	{"release", "Release 1.0", "accounts", "ship", "", "e2e pentest docs", "A tag"},
	{"card-form", "Card form", "billing", "", "", "", "A form that takes a card"},
	{"invoice", "Invoices", "billing", "", "", "card-form", "An invoice as a PDF"},
}

func session(host, agent, task string, seen time.Duration, more map[string]any) map[string]any {
	spec := map[string]any{"host": host, "agent": agent, "activeTask": task, "startedAt": ago(52 * time.Minute), "lastSeenAt": ago(seen)}
	for field, value := range more {
		spec[field] = value
	}
	return map[string]any{"spec": spec}
}

// ago is a time some time ago.
func ago(d time.Duration) string { return time.Now().Add(-d).UTC().Format(time.RFC3339) }

// remembered puts two mems into the demo's store, one of which may be wrong by now.
func remembered(s *shop) {
	file := filepath.Join(s.dir, "docs", "auth.md")
	must(s.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(s.t, os.WriteFile(file, []byte("# Auth\n\n## Tokens\n\nA token lives 30 days.\n"), 0o644))
	s.idumb("mem", "save", "token-life", "Tokens live 30 days", "--evidence", "docs/auth.md#Tokens")
	s.idumb("mem", "save", "staging", "Staging is reset every Monday")
	must(s.t, os.WriteFile(file, []byte("# Auth\n\n## Tokens\n\nA token lives 7 days.\n"), 0o644))
}
