package hooks

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

const softRule = `{"spec": {"level": "SOFT_BLOCK", "when": {"commands": ["idumb start"]}, "requires": [{"files": ["ROADMAP.md"]}]}}`

func startEvent(command string) hosts.Event {
	return hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Bash", Action: admission.Governance, Command: command}
}

// A step past a rule is an event that says who, what and with which word.
func TestBypassIsAnEvent(t *testing.T) {
	h := newHouse(t)
	h.file("sessions/s", `{"spec": {"role": "executor"}}`) // whose task it is
	h.file("chainrules/proj-02", softRule)
	assert.Contains(t, h.run(startEvent("idumb start a")).Deny, `rule "proj-02" requires "ROADMAP.md" first`)
	assert.Empty(t, h.run(startEvent("idumb start a --force")).Deny)
	past := h.past()
	require.Len(t, past, 1)
	assert.Equal(t, "chainrule/proj-02", past[0].Object)
	assert.Equal(t, "SOFT_BLOCK passed with --force in session s: idumb start a --force", past[0].Message)
	require.NoError(t, os.WriteFile(h.root.Abs("ROADMAP.md"), nil, 0o644))
	assert.Empty(t, h.run(startEvent("idumb start a")).Deny)
}

// past lists the events of steps past a rule.
func (h *house) past() []resources.Event {
	var past []resources.Event
	files, err := filepath.Glob(h.root.Abs(layout.EventsDir) + "/*.jsonl")
	require.NoError(h.t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(h.t, err)
		for line := range bytes.Lines(data) {
			var e resources.Event
			require.NoError(h.t, json.Unmarshal(line, &e))
			if e.Reason == "ChainBypassed" {
				past = append(past, e)
			}
		}
	}
	return past
}

// A broken rule goes on as it was when it could be read.
func TestBreakingARuleOpensNothing(t *testing.T) {
	h := newHouse(t)
	h.file("chainrules/proj-02", `{"spec": {"level"`)
	key := resources.Key{Kind: resources.ChainRules, Name: "proj-02"}
	mark, err := json.Marshal(store.Mark{LastGood: []byte(softRule)})
	require.NoError(t, err)
	require.NoError(t, h.root.Replace(layout.QuarantinePath(key), mark))
	repo := openPacking(h.root, nil, h.now)
	assert.Len(t, repo.ChainRules("idumb"), 1)
}

// TestRulesCostWhatTheyAreAbout counts the files of rules that a call reads.
func TestRulesCostWhatTheyAreAbout(t *testing.T) {
	write := hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{"src/a"}}
	look := hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: "git status"}
	for _, tc := range []struct {
		name    string
		rules   int
		event   hosts.Event
		listed  bool // the folder's names were read
		decoded int
	}{
		{"no rules, a write", 0, write, true, 0},
		{"no rules, a command", 0, startEvent("idumb start a"), true, 0},
		{"rules about a command, a write", 3, write, true, 0},
		{"rules about a command, that command", 3, startEvent("idumb start a"), true, 3},
		{"rules about a command, one that looks", 3, look, false, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := newHouse(t)
			h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
			h.file("tasks/c", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
			for i := range tc.rules {
				h.file("chainrules/r"+string(rune('0'+i)), softRule)
			}
			tc.event.Agent = "executor"
			tc.event.Cwd = string(h.root)
			handler := &handler{repo: openPacking(h.root, nil, h.now), event: tc.event, limit: 10000}
			handler.handle()
			_, listed := handler.repo.specs.lists[resources.ChainRules]
			assert.Equal(t, tc.listed, listed)
			decoded := 0
			for key := range handler.repo.specs.objects {
				if key.Kind == resources.ChainRules {
					decoded++
				}
			}
			assert.Equal(t, tc.decoded, decoded)
		})
	}
}

func TestHasFile(t *testing.T) {
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret"), nil, 0o644))
	h := newHouse(t)
	for _, file := range []string{"PLAN.md", "docs/deep/er/PLAN.md", "node_modules/x/HIDDEN.md"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(h.root.Abs(file)), 0o755))
		require.NoError(t, os.WriteFile(h.root.Abs(file), nil, 0o644))
	}
	repo := openPacking(h.root, nil, h.now)
	for glob, want := range map[string]bool{
		"PLAN.md": true, "./PLAN.md": true, "docs": true, "docs/**/PLAN.md": true, "**/er/*.md": true, "{A,PLAN}.md": true,
		"plan.txt": false, "docs/PLAN.md": false, "none/**/x": false, "**/HIDDEN.md": false,
		"../" + filepath.Base(outside) + "/secret": false, outside + "/secret": false, "../**/secret": false, "docs/../../**": false, "": false,
	} {
		assert.Equal(t, want, repo.HasFile(glob), glob)
	}
}
