package scaffold

import (
	"strings"
	"testing"

	"github.com/idumb-dev/idumb/resources"
)

// TestShippedChainRules: the seven of the rule table are there, each with its level.
func TestShippedChainRules(t *testing.T) {
	levels := map[string]string{}
	for _, e := range entries(t) {
		name, ok := strings.CutPrefix(strings.TrimSuffix(e.Path, ".json"), "chainrules/")
		if !ok {
			continue
		}
		o, _, err := resources.Read(resources.Key{Kind: resources.ChainRules, Name: name}, e.Data)
		if err != nil {
			t.Fatal(err)
		}
		r := o.(*resources.ChainRule)
		levels[name] = r.Spec.Level
		if r.Spec.Because == "" || r.Spec.Instead == "" || r.Spec.Disabled {
			t.Errorf("%s does not teach: %+v", name, r.Spec)
		}
	}
	want := map[string]string{
		"init-01": "HARD_BLOCK", "proj-01": "SOFT_BLOCK", "proj-02": "SOFT_BLOCK",
		"phase-01": "HARD_BLOCK", "phase-02": "WARN", "phase-03": "WARN", "val-01": "HARD_BLOCK",
	}
	for name, level := range want {
		if levels[name] != level {
			t.Errorf("%s is %q; want %s", name, levels[name], level)
		}
	}
	if len(levels) != len(want) {
		t.Errorf("got %v", levels)
	}
}
