package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEffectiveRules: a repository makes rules stricter and never milder, the person both, and
// the list says who did.
func TestEffectiveRules(t *testing.T) {
	r := NewRules(
		Change{Verdicts: map[string]string{"no-verify": Deny, "git-history": Ask, "publish": Allow, "none": Deny}, Patterns: []Pattern{{Match: "make ship", Verdict: Deny, Why: "ships"}, {Match: "ls", Verdict: Allow}}},
		Change{Verdicts: map[string]string{"no-verify": Allow, "git-force-push": Ask, "publish": "nothing"}, Patterns: []Pattern{{Match: "terraform destroy", Verdict: Allow}}},
	)
	effective := map[string]Effective{}
	for _, h := range r.All() {
		effective[h.Name] = h
	}
	require.Len(t, effective, len(shipped)+2)
	for name, want := range map[string]Effective{
		"no-verify": {Rule{Verdict: Deny}, FromRepository}, "git-history": {Rule{Verdict: Deny}, FromIdumb}, "git-force-push": {Rule{Verdict: Ask}, FromPerson}, "publish": {Rule{Verdict: Deny}, FromIdumb},
		"make ship": {Rule{Verdict: Deny}, FromRepository}, "terraform destroy": {Rule{Verdict: Allow}, FromPerson},
	} {
		assert.Equal(t, want.Verdict, effective[name].Verdict, name)
		assert.Equal(t, want.Source, effective[name].Source, name)
	}
	assert.Equal(t, "ships", effective["make ship"].Why)
	for i, h := range (*Rules)(nil).All() {
		assert.Equal(t, Effective{shipped[i], FromIdumb}, h)
	}
}

// TestShippedRulesAreWhole: each rule has a verdict, a reason and a step in its place.
func TestShippedRulesAreWhole(t *testing.T) {
	names := map[string]bool{}
	for _, r := range Shipped() {
		assert.False(t, names[r.Name], r.Name)
		names[r.Name] = true
		assert.Contains(t, []string{Ask, Deny}, r.Verdict, r.Name)
		assert.NotEmpty(t, r.Why, r.Name)
		assert.NotEmpty(t, r.Instead, r.Name)
	}
	for _, r := range rowsOfSort("harm") {
		assert.True(t, names[r.get("rule")], "%s: %s", r.names, r.get("rule"))
	}
}

// TestTableHasNoUnknownColumns: a column that is misspelt would be left out in silence.
func TestTableHasNoUnknownColumns(t *testing.T) {
	columns := map[string]bool{}
	for line := range strings.Lines(commandsText) {
		if head, ok := strings.CutPrefix(line, "#   "); ok && head[0] != ' ' {
			columns[strings.Fields(head)[0]] = true
		}
		cells := strings.Split(strings.TrimSpace(line), "; ")
		if strings.HasPrefix(line, "#") || cells[0] == "" {
			continue
		}
		kind, names, _ := strings.Cut(cells[0], " ")
		assert.NotEmpty(t, strings.Fields(names), line)
		assert.NotEmpty(t, rowsOfSort(kind), line)
		for _, cell := range cells[1:] {
			column, value, _ := strings.Cut(cell, " ")
			assert.True(t, columns[column], line)
			assert.False(t, strings.Contains(value, ";"), line)
		}
	}
	for column, known := range map[string]string{
		"runs": " joined each optional dashed ", "file": " but-first behind-two last moved first rewritten second filled none ", "data": " mongo redis ",
	} {
		for _, r := range rowsOfSort(column) {
			assert.Contains(t, known, " "+r.get("how"), r.names)
		}
	}
	for _, r := range rowsOfSort("file") {
		assert.Contains(t, " removes moves permits truncates makes harmless by-itself ", " "+r.get("effect"), r.names)
	}
}
