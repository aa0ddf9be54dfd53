package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// demo is demoAt of this moment.
func demo() files { return demoAt(time.Now()) }

// demoAt is a believable store: a plan of four stages with three agents at work on it, and a plan
// beside it. All times are some time before now, so that what is drawn of them then is the same whenever it is.
func demoAt(now time.Time) files {
	session := func(host, agent, task string, seen time.Duration, more map[string]any) map[string]any {
		return sessionAt(now, host, agent, task, seen, more)
	}
	store := files{
		"workplans/accounts": {"spec": map[string]any{"title": "People can sign in", "state": "active", "acceptance": []string{"A new person signs up, signs in and signs out", "A stolen session can be ended"},
			"phases": []map[string]any{{"name": "design", "order": 1}, {"name": "build", "order": 2}, {"name": "prove", "order": 3}, {"name": "ship", "order": 4}}}},
		"workplans/billing": {"spec": map[string]any{"title": "Teams pay by card", "state": "active", "acceptance": []string{"An invoice is paid"}}},
		"sessions/claude-7f": session("claude", "claude-7f", "token-lib", 5*time.Second, map[string]any{"state": "working", "tokens": 412000,
			"counters": map[string]any{"turns": 14, "toolCalls": 61, "writes": 9, "denials": 1}}),
		"sessions/codex-02": session("codex", "codex-02", "signup-api", 40*time.Second, map[string]any{"state": "working", "tokens": 655000,
			"counters": map[string]any{"turns": 31, "toolCalls": 120, "writes": 22, "failures": 4, "repeats": 4}}),
		"sessions/open-c1": session("opencode", "open-c1", "mailer", 3*time.Minute, map[string]any{"state": "waiting", "waitsFor": "answer", "since": before(now, 3*time.Minute+20*time.Second),
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
		if seen := map[string]string{"completed": "completedAt", "active": "startedAt"}[row.state]; seen != "" { // by a controller that ran then
			store["status/tasks/"+row.name] = map[string]any{"phase": row.state, seen: before(now, row.since)}
		}
	}
	return store
}

var demoTasks = []struct {
	name, title, plan, stage, state, needs, expects string
	since                                           time.Duration // how long it is so
}{
	{"survey", "What the old sign-in does", "accounts", "design", "completed", "", "A list of its flows", 5 * time.Hour},
	{"threat-model", "Threat model", "accounts", "design", "completed", "survey", "docs/threats.md", 33 * time.Minute},
	{"db-schema", "Database schema", "accounts", "design", "completed", "survey", "Tables users and sessions", 48 * time.Minute},
	{"token-lib", "Token library", "accounts", "build", "active", "threat-model", "Tokens are made and checked", 31 * time.Minute},
	{"mailer", "Confirmation mail", "accounts", "build", "active", "survey", "A mail with a link", 50 * time.Minute},
	{"signup-api", "Sign-up endpoint", "accounts", "build", "active", "db-schema", "POST /signup", 45 * time.Minute},
	{"login-api", "Login endpoint", "accounts", "build", "", "db-schema token-lib", "POST /login", 0},
	{"login-form", "Login form", "accounts", "build", "", "login-api", "A form that signs in", 0},
	{"signup-form", "Sign-up form", "accounts", "build", "", "signup-api mailer", "A form that signs up", 0},
	{"rate-limit", "Rate limits", "accounts", "build", "", "login-api", "Ten tries a minute", 0},
	{"e2e", "End-to-end tests", "accounts", "prove", "", "login-form signup-form rate-limit", "All flows run", 0},
	{"pentest", "Attack it ourselves", "accounts", "prove", "", "rate-limit login-form", "A report", 0},
	{"docs", "Write the manual", "accounts", "ship", "", "e2e", "The manual", 0},
	{"release", "Release 1.0", "accounts", "ship", "", "e2e pentest docs", "A tag", 0},
	{"card-form", "Card form", "billing", "", "", "", "A form that takes a card", 0},
	{"invoice", "Invoices", "billing", "", "", "card-form", "An invoice as a PDF", 0},
}

// session is sessionAt of this moment.
func session(host, agent, task string, seen time.Duration, more map[string]any) map[string]any {
	return sessionAt(time.Now(), host, agent, task, seen, more)
}

// sessionAt is a session that was seen some time before now.
func sessionAt(now time.Time, host, agent, task string, seen time.Duration, more map[string]any) map[string]any {
	spec := map[string]any{"host": host, "agent": agent, "activeTask": task, "startedAt": before(now, 52*time.Minute), "lastSeenAt": before(now, seen)}
	for field, value := range more {
		spec[field] = value
	}
	return map[string]any{"spec": spec}
}

// ago is a time some time ago.
func ago(d time.Duration) string { return before(time.Now(), d) }

func before(now time.Time, d time.Duration) string { return now.Add(-d).UTC().Format(time.RFC3339) }

// remembered puts two mems into the demo's store, one of which may be wrong by now.
func remembered(s *shop) {
	file := filepath.Join(s.dir, "docs", "auth.md")
	must(s.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(s.t, os.WriteFile(file, []byte("# Auth\n\n## Tokens\n\nA token lives 30 days.\n"), 0o644))
	s.run("git", "add", "docs")
	s.run("git", "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-qm", "begin")
	s.idumb("mem", "save", "token-life", "Tokens live 30 days", "--evidence", "docs/auth.md#Tokens")
	s.idumb("mem", "save", "staging", "Staging is reset every Monday")
	must(s.t, os.WriteFile(file, []byte("# Auth\n\n## Tokens\n\nA token lives 7 days.\n"), 0o644))
}
