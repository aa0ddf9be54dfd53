package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

func TestScoreOf(t *testing.T) {
	for report, want := range map[string]string{
		"":                                     "",
		"All good.":                            "",
		"**Score: 6/10**. Found 3 issues.":     "6/10",
		"I give it 7.5 / 10.":                  "7.5/10",
		"8 out of 10!":                         "8/10",
		"quality 85/100":                       "85/100",
		"Verdict: 3 blocking issues remain.":   "3",
		"No issues.":                           "0",
		"issues: see above":                    "",
		"on 11/24 we tried 1/2 of it":          "",
		"step 2/3 of the plan":                 "",
		"900/100":                              "",
		"12 tests passed, 1 error, 4 findings": "1",
	} {
		assert.Equal(t, want, scoreOf(report), report)
	}
}

func FuzzScoreOf(f *testing.F) {
	f.Add("score 6/10, 3 issues")
	f.Fuzz(func(t *testing.T, report string) {
		if given := scoreOf(report); given != "" {
			_, ok := readScore(given + " id")
			assert.True(t, ok, given)
		}
	})
}

// planned lets a planner write a plan, and a checker look at it and report.
func (h *house) planned(file, report string) (told hosts.Answer) {
	for _, agent := range []string{"planner", "checker"} {
		a := h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Agent", Action: admission.Delegate, DelegateTo: agent, Text: fmt.Sprint(h.now)})
		told.Context += a.Context
		told.Deny += a.Deny
		done := hosts.Event{Type: hosts.AfterTool, Session: "s", Tool: "Agent", Action: admission.Delegate, DelegateTo: agent}
		if agent == "planner" {
			h.run(hosts.Event{Type: hosts.AfterTool, Session: "s", Subagent: "x", Agent: agent, Tool: "Write", Action: admission.Write, Paths: []string{file}})
		} else {
			done.Output = report
		}
		h.run(done)
	}
	return told
}

// anchors are the contents of all anchors.
func (h *house) anchors() string {
	files, _ := filepath.Glob(h.root.Abs(".idumb/anchors/*.json"))
	all := ""
	for _, file := range files {
		data, _ := os.ReadFile(file)
		all += string(data)
	}
	return all
}

// To write the same plan again is no progress where its checker is as little pleased as before.
func TestAReviewThatGoesRoundInCircles(t *testing.T) {
	h := triggeredHouse(t, map[string]string{
		"circles": `"event": "review", "count": 3, "action": "warn"`,
		"enough":  `"event": "review", "count": 5, "action": "halt"`,
		"rounds":  `"event": "round", "count": 3, "action": "halt"`,
	})
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{"a.go"}})
	for range 4 {
		require.Empty(t, h.planned("PLAN.md", "Score: 6/10").Context)
	}
	told := h.planned("PLAN.md", "Score: 5/10")
	assert.Contains(t, told.Context, "GOVERNANCE WARNING (circles): the same agents were started in turns, 3 times or more, no other file was written in between, and no report was better")
	assert.Contains(t, told.Context, "The reports, in order: 6/10; 6/10; 6/10; 6/10.")
	h.planned("PLAN.md", "Score: 6/10")
	assert.Contains(t, h.planned("PLAN.md", "Score: 6/10").Deny, `trigger "enough" halted it`)
	assert.Contains(t, h.anchors(), "Stuck at task a: the same agents were started in turns, 5 times or more")

	h.planned("PLAN.md", "Score: 7/10")
	assert.Empty(t, h.planned("PLAN.md", "Score: 7/10").Deny, "a better report")
	for i := range 8 {
		require.Empty(t, h.planned(fmt.Sprint("part", i, ".md"), "").Context, "each time another file")
	}
	for i := range 8 {
		h.run(hosts.Event{Type: hosts.AfterTool, Session: "s", Tool: "Bash", Action: admission.Governance, Command: fmt.Sprint("idumb complete t", i)})
		require.Empty(t, h.planned("main.go", "").Context, "each time another task")
	}
	for range 4 {
		h.planned("PLAN.md", "")
	}
	h.ask()
	require.Empty(t, h.planned("PLAN.md", "").Context, "the user spoke")
}
