package dash

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

func ago(d time.Duration) resources.Time { return resources.NewTime(noon.Add(-d)) }

// shop is what there is in the shop: a plan, three agents, and what they wait for.
func shop() State {
	return State{Time: noon, Took: 4 * time.Millisecond, Live: true, Dash: queries.Dash{
		Overview: queries.Overview{
			Mode: "enforce", Needs: shopNeeds(),
			Plans: []queries.PlanProgress{{Name: "accounts", Title: "People can sign in", Phase: "active", Focus: true, Total: 14, ByPhase: map[string]int{"completed": 3, "active": 3, "blocked": 8}}},
			Next:  []queries.NextDocument{{Name: "card-form", Plan: "billing"}},
		},
		Sessions: []queries.Top{
			{Name: "7f21", Host: "claude", State: "active", Task: "token-lib", Turns: 14, Tokens: 412_300, Health: 92, LastSeenAt: ago(0), LastCall: &resources.LastCall{Tool: "Bash", Target: "go test ./token/...", At: ago(0)}},
			{Name: "02", Host: "codex", State: "active", Task: "signup-api", Turns: 31, Tokens: 655_000, Health: 58, LastSeenAt: ago(4 * time.Minute), LastCall: &resources.LastCall{Tool: "edit", Target: "src/api/signup.go", At: ago(4 * time.Minute)}},
			{Name: "c1", Host: "opencode", State: "waiting", WaitsFor: "answer", Task: "mailer", Turns: 9, Health: 97, LastSeenAt: ago(3 * time.Minute)},
		},
		Tasks:  shopTasks(),
		Memory: []queries.MemoryFinding{{Object: "mem/token-life", Confidence: 40, Reason: "Suspect", Text: "docs/auth.md#Tokens has changed"}},
		Avoid:  []queries.MemoryFinding{{Object: "mem/no-jwt", Confidence: 90, Reason: "fresh", Text: "AVOID JWT BECAUSE it cannot be taken back INSTEAD rows in sessions"}},
	}, Events: []resources.Event{
		{Time: ago(3 * time.Hour), Type: "Normal", Reason: "Completed", Object: "task/survey", Message: "completed"},
		{Time: ago(12 * time.Minute), Type: "Warning", Reason: "Circles", Object: "session/02", Message: "the same call 4 times"},
		{Time: ago(2 * time.Minute), Type: "Normal", Reason: "Completed", Object: "task/threat-model", Message: "completed; token-lib may go on"},
	}, Denied: []resources.Event{
		{Time: ago(6 * time.Minute), Reason: resources.ReasonDenied, Message: "You tried to run `git push --force`: it throws away what others pushed. Use git push --force-with-lease", Violation: &resources.Violation{Session: "7f21", Rule: "git-force-push", Call: "git push --force", Task: "token-lib", Digest: "d",
			Why: "It removes commits of other people from the remote.", UseInstead: "Run `git push --force-with-lease`.", Evidence: "shell rule git-force-push"}},
		{Time: ago(40 * time.Minute), Reason: resources.ReasonWouldDeny, Message: "hooks are not skipped", Violation: &resources.Violation{Session: "02", Rule: "no-verify", Call: "git commit --no-verify"}},
	}}
}

func shopNeeds() []attention.Need {
	do := func(commands ...string) (all []attention.Action) {
		for _, command := range commands {
			a, _ := attention.ActionOf(command)
			all = append(all, a)
		}
		return all
	}
	return []attention.Need{
		{Name: "answer.session.c1", Rank: attention.Asks, Sign: attention.SignAsks, Reason: "Answer", Subject: "opencode/c1", Text: "asks: valid 24 hours, or until used? The threat model says both.", Why: "it works on task/mailer", Object: "session/c1", Since: ago(3 * time.Minute), Do: do(`idumb comment --answer c-1 "..."`)},
		{Name: "circles.session.02", Rank: attention.Circles, Sign: attention.SignCircles, Reason: "Circles", Subject: "codex/02", Text: "goes in circles: same edit 4 times, same test fails", Object: "session/02", Since: ago(4 * time.Minute), Do: do("idumb session show 02")},
		{Name: "denied.session.7f21", Rank: attention.Denied, Sign: attention.SignWaits, Reason: "Denied", Subject: "claude/7f21", Text: "was denied: git push --force", Why: "rule git-force-push", Object: "session/7f21", Since: ago(6 * time.Minute), Do: do("idumb allow d-1", "idumb allow --fine d-1", "idumb session show 7f21")},
		{Name: "suspect.mem.token-life", Rank: attention.Suspect, Sign: attention.SignSuspect, Reason: "Suspect", Subject: "mem/token-life", Text: "docs/auth.md#Tokens has changed", Object: "mem/token-life", Since: ago(21 * time.Minute), Do: do("idumb confirm mem token-life")},
	}
}

// shopTrees are the other worktrees of the shop: one where nothing is needed, and one that asks something.
func shopTrees() []serve.Tree {
	return []serve.Tree{
		{Name: "shop", Root: "/src/shop", Working: []queries.ActiveTask{{Task: "card-form"}}},
		{Name: "side", Root: "/src/side", Needs: []attention.Need{{Name: "permission.session.c2", Rank: attention.Asks, Sign: attention.SignAsks, Reason: "Permission", Subject: "opencode/c2", Text: "asks for a permission: npm publish", Object: "session/c2", Since: ago(time.Minute)}}},
	}
}

// shopNext is what was recorded after a call that was denied.
func shopNext() map[string]*resources.Checkpoint {
	return map[string]*resources.Checkpoint{"git push --force": {Time: resources.NewTime(noon.Add(-6*time.Minute + 4*time.Second)), Session: "7f21", Tool: "shell", Command: "git push --force-with-lease"}}
}

// shopTasks are the tasks of accounts, by name.
func shopTasks() []queries.DashTask {
	done := []string{"survey", "db-schema", "threat-model"}
	var tasks []queries.DashTask
	for _, line := range []string{
		"survey|Ask ten people|completed|design|", "db-schema|Tables|completed|design|survey", "threat-model|What could go wrong|completed|design|survey",
		"token-lib|Token library|active|build|threat-model", "signup-api|Sign-up endpoint|active|build|db-schema", "mailer|Confirmation mail|active|build|db-schema",
		"signup-form|Sign-up form|blocked|build|signup-api,mailer", "login-api|Login endpoint|blocked|build|token-lib", "login-form|Login form|blocked|build|login-api",
		"rate-limits|Rate limits|blocked|build|login-api", "e2e|End-to-end tests|blocked|prove|signup-form,login-form,rate-limits", "manual|Write the manual|blocked|prove|e2e",
		"pentest|Attack it ourselves|blocked|prove|e2e,rate-limits", "release|Release 1.0|blocked|ship|manual,pentest",
	} {
		f := strings.Split(line, "|")
		t := queries.DashTask{Name: f[0], Plan: "accounts", Title: f[1], Phase: f[2], Stage: f[3]}
		if f[4] != "" {
			t.Needs = strings.Split(f[4], ",")
		}
		for _, n := range t.Needs {
			if !slices.Contains(done, n) {
				t.Waits = append(t.Waits, n)
			}
		}
		tasks = append(tasks, t)
	}
	slices.SortFunc(tasks, func(a, b queries.DashTask) int { return strings.Compare(a.Name, b.Name) })
	return tasks
}

// loginAPI is what is known of a task.
func loginAPI(about string) *queries.Description {
	if about == "mem/token-life" {
		return &queries.Description{Object: json.RawMessage(`{"apiVersion":"idumb.dev/v1alpha1","kind":"Mem","metadata":{"name":"token-life"},"spec":{"content":"Tokens live 30 days","type":"decision","topicKey":"auth/tokens","evidence":[{"path":"docs/auth.md","section":"Tokens"}]}}`),
			Differences: []queries.Difference{{Cites: "docs/auth.md#Tokens", Text: "docs/auth.md#Tokens has changed", Lines: []string{"- - A token is valid for 30 days.", "+ - A token is valid for 7 days,", "+   or until it was used."}}}}
	}
	if about != "task/login-api" {
		return &queries.Description{Object: json.RawMessage(`{"apiVersion":"idumb.dev/v1alpha1","kind":"Task","metadata":{"name":"x"},"spec":{}}`)}
	}
	return &queries.Description{
		Object: json.RawMessage(`{"apiVersion":"idumb.dev/v1alpha1","kind":"TaskNode","metadata":{"name":"login-api"},"spec":{"workPlan":"accounts","expectedOutput":"POST /login answers with a token","paths":["src/api/**"],
			"evidence":[{"command":"go test ./api","succeeds":true}]},"status":{"phase":"blocked","checkpoints":{"count":1,"last":[{"time":"2026-05-20T11:30:00Z","tool":"edit","filesModified":["src/api/login.go"]}]}}}`),
		Remarks: []queries.Remark{
			{Name: "c-1", Time: ago(38 * time.Minute), Author: "claude/7f21", Type: "note", State: "told to 02, turn 12", Body: "token.Verify takes a clock now."},
			{Name: "c-2", Time: ago(12 * time.Minute), Author: "person/lead", Type: "instruction, holds", State: "told to nobody yet", Body: "Same error for a wrong password and an unknown address."},
		},
	}
}
