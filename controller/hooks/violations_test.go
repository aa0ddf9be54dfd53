package hooks

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// violationCalls are calls of which enforce denies some: by agents that may and may not.
func violationCalls(r *rand.Rand, n int) []hosts.Event {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	var calls []hosts.Event
	for range n {
		e := hosts.Event{Type: hosts.BeforeTool, Host: one("claude", "codex", "opencode"), Session: one("s1", "s2", "s3"), Agent: one("", "general-purpose", "Explore", "stranger")}
		switch r.IntN(6) {
		case 0:
			e.Tool, e.Action, e.Paths = "Write", admission.Write, []string{one("src/a.go", "src/b.go", ".idumb/config.json", "docs/x.md")}
		case 1:
			e.Tool, e.Action = "Bash", admission.Shell
			e.Command = one("ls", "rm -rf .idumb", "echo x > src/a.go", "git push --force", "go test ./...", "psql -c 'DROP TABLE x'", "curl x | sh", "cp a src/b.go && make", "idumb apply -f .idumb/config.json", "git commit --no-verify -m x")
		case 2:
			e.Tool, e.Action, e.DelegateTo, e.Text = "Agent", admission.Delegate, one("Explore", "general-purpose", "stranger"), one("look", "build")
		case 3:
			e.Tool, e.Action, e.Command = "Bash", admission.Governance, one("idumb create workplan w --title t --accept a", "idumb start a", "idumb archive task/a", "idumb next")
		case 4:
			e.Tool, e.Action = one("WebFetch", "mcp__x__y"), admission.Other
		default:
			e.Tool, e.Action, e.Paths = "Read", admission.Read, []string{"src/a.go"}
		}
		calls = append(calls, e)
	}
	return calls
}

// Mode log lets everything pass, and records exactly what mode enforce denies.
func TestLogRecordsWhatEnforceDenies(t *testing.T) {
	rules := map[string]int{}
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			calls := violationCalls(rand.New(rand.NewPCG(seed, 4)), 120)
			enforced, logged := newHouse(t), newHouse(t)
			for _, h := range []*house{enforced, logged} {
				h.file("triggers/runaway", `{"spec": {"event": "call", "count": 4, "window": "10m", "action": "halt"}}`)
				h.file("triggers/rounds", `{"spec": {"event": "round", "count": 2, "action": "halt"}}`)
				h.file("chainrules/roadmap", `{"spec": {"level": "HARD_BLOCK", "when": {"commands": ["idumb archive", "make"]}, "requires": [{"files": ["ROADMAP.md"]}]}}`)
				h.file("tasks/c", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "fileLocks": ["docs/**"], "assignedTo": "investigator"}}`)
			}
			enforced.file("config", `{"spec": {"mode": "enforce"}}`)
			logged.file("config", `{"spec": {"mode": "log"}}`)
			denied := 0
			for i, e := range calls {
				if enforced.run(e).Deny != "" {
					denied++
				}
				passed := logged.run(e)
				require.Empty(t, passed.Deny+passed.Ask, "call %d", i)
			}
			require.Positive(t, denied)
			require.Less(t, denied, len(calls))
			want, err := records.Violations(enforced.root)
			require.NoError(t, err)
			got, err := records.Violations(logged.root)
			require.NoError(t, err)
			require.Len(t, want, denied)
			require.Len(t, got, denied)
			for i := range want {
				assert.Equal(t, resources.ReasonDenied, want[i].Reason)
				assert.Equal(t, resources.ReasonWouldDeny, got[i].Reason)
				assert.Equal(t, *want[i].Violation, *got[i].Violation, i)
				assert.Equal(t, want[i].Message, got[i].Message)
				rules[want[i].Violation.Rule]++
			}
			counted := 0
			for _, name := range []string{"s1", "s2", "s3"} {
				counted += logged.session(name).Counters.Violations
				assert.Zero(t, logged.session(name).Counters.Denials)
			}
			assert.Equal(t, denied, counted)
		})
	}
	assert.Subset(t, slices.Collect(maps.Keys(rules)), []string{"halted", "governed-path", "shell-gate", "write-gate", "chain-rule"}, "the calls try the rules")
}

func TestOutcomesAreCounted(t *testing.T) {
	h := newHouse(t)
	h.start()
	after := func(change func(*hosts.Event)) resources.SessionCounters {
		e := hosts.Event{Type: hosts.AfterTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: "make"}
		change(&e)
		h.run(e)
		return h.session("s").Counters
	}
	failed := func(e *hosts.Event) { e.Failed = true }
	stopped := func(e *hosts.Event) { e.Failed, e.OutcomeUnknown, e.Cancelled = true, true, true }
	after(failed)
	assert.Equal(t, 2, after(failed).Failures)
	assert.Equal(t, 2, after(func(e *hosts.Event) { e.OutcomeUnknown = true }).Failures, "nobody knows how it ended")
	c := after(stopped)
	assert.Equal(t, []int{2, 1}, []int{c.Failures, c.Cancels})
	assert.Equal(t, 2, after(stopped).Cancels)
	c = after(func(*hosts.Event) {})
	assert.Equal(t, []int{0, 0}, []int{c.Failures, c.Cancels})
}

func TestQuietTurnsEndWithWork(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	h.ask()
	h.ask()
	assert.Equal(t, 2, h.session("s").Counters.QuietTurns)
	h.run(hosts.Event{Type: hosts.AfterTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{"a.go"}})
	assert.Zero(t, h.session("s").Counters.QuietTurns)
	h.ask()
	h.run(hosts.Event{Type: hosts.AfterTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: "go test ./..."})
	assert.Zero(t, h.session("s").Counters.QuietTurns)
}

// Who drifts is told so, once.
func TestADriftingSessionIsWarned(t *testing.T) {
	h := chainedHouse(t)
	h.start()
	h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{"a.go"}})
	told := 0
	for range 12 {
		text := h.ask()
		h.run(hosts.Event{Type: hosts.Stop, Session: "s"})
		if text != "" {
			assert.Contains(t, text, "sessions/s your drift is medium: turn after turn nothing was recorded for its task")
			told++
		}
	}
	assert.Equal(t, 1, told)
}
