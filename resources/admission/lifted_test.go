package admission

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// The config names the rules that may be lifted, and no others.
func TestTheConfigNamesWhatMayBeLifted(t *testing.T) {
	kind, _ := resources.KindOf(resources.Configs)
	field, found := kind.LookupField("spec.allowOnce")
	require.True(t, found)
	named, liftable := slices.Clone(field.Enum), LiftableRules()
	slices.Sort(named)
	slices.Sort(liftable)
	assert.Equal(t, liftable, named)
	for _, rule := range resources.DefaultConfig().AllowOnce {
		assert.Contains(t, liftable, rule)
	}
	assert.Equal(t, []string{"shell-gate", "task-paths", "file-owner"}, resources.DefaultConfig().AllowOnce)
	for _, rule := range []string{"governed-path", "governed-shell", "governed-key", "governed-command", "own-terms", "owner", "persons-plan", "decision", "recalled", undecided} {
		assert.NotContains(t, liftable, rule)
	}
}

// What is lifted is one rule; all others judge the call, and what keeps governance is never lifted.
func TestLifting(t *testing.T) {
	w := newWorld()
	all := append(RuleNames(), undecided)
	gate := &command.Verdict{Verdict: command.Deny, Rule: "git-force-push", Part: "git push --force"}
	for name, tc := range map[string]struct {
		call Call
		rule string // that denies it, whatever is lifted
	}{
		"a governed file":   {Call{Action: Write, Tool: "Write", Paths: []Path{{Given: ".idumb/config.json", Repo: ".idumb/config.json"}}}, "governed-path"},
		"a grant":           {Call{Action: Write, Tool: "Write", Paths: []Path{{Given: ".idumb/grants/x.json", Repo: ".idumb/grants/x.json"}}}, "governed-path"},
		"a grant, by shell": {Call{Action: Shell, Command: "cp x .idumb/grants/x.json", Gate: gate, Paths: []Path{{Repo: ".idumb/grants/x.json", By: "cp"}}}, "governed-shell"},
		"trust":             {Call{Action: Governance, Runs: runs("idumb trust")}, "governed-command"},
		"allowing":          {Call{Action: Governance, Runs: runs("idumb allow s1")}, "governed-command"},
		"allowing, besides": {Call{Action: Shell, Command: "git push --force; idumb allow s1", Gate: gate, Runs: runs("git push --force", "idumb allow --fine s1")}, "governed-command"},
		"the user's key":    {Call{Action: Read, Paths: []Path{{Repo: ".idumb/run/api/token"}}}, "governed-key"},
	} {
		tc.call.Lifted = all
		v := Decide(tc.call, w)
		assert.Equal(t, Deny, v.Outcome, name)
		assert.Equal(t, tc.rule, v.Reason.Rule, name)
	}
	push := Call{Action: Shell, Command: "git push --force", Runs: runs("git push --force"), Gate: gate}
	assert.Equal(t, "shell-gate", Decide(push, w).Reason.Rule)
	push.Lifted = []string{"task-paths"}
	assert.Equal(t, "shell-gate", Decide(push, w).Reason.Rule)
	push.Lifted = []string{"shell-gate"}
	assert.Equal(t, NoOpinion, Decide(push, w).Outcome)
	asked := *gate
	asked.Verdict = command.Ask
	push.Gate = &asked
	assert.Equal(t, NoOpinion, Decide(push, w).Outcome, "what a user would be asked is lifted as well")
}
