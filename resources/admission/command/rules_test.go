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

// TestInsteadFitsTheCommand: the alternative keeps what this command would throw away.
func TestInsteadFitsTheCommand(t *testing.T) {
	o := Options{Root: "/r", Exists: func(string) bool { return true }, Changed: func(string) bool { return true }}
	for line, want := range map[string]string{
		"git checkout a.go":                   "`git stash push -u -- a.go`",
		"git -C sub restore 'b c.go'":         "`git stash push -u -- ':/sub/b c.go'`",
		"git checkout --pathspec-from-file=l": "Name the files",
		"git branch -D topic":                 "`git branch backup-NAME COMMIT`",
		"git stash drop":                      "`git branch backup-NAME stash@{0}`",
		"git stash clear":                     "`git branch backup-NAME stash@{0}`",
		"git worktree remove --force ../w":    "without `--force`",
		"git submodule deinit -f lib":         "without `--force`",
		"hg update -C":                        "`hg shelve`",
		"git apply -R a.diff":                 "Commit the changes first",
		"npm publish":                         "Try it with `--dry-run`",
		"goreleaser release --clean":          "Try it with `--snapshot`",
		"np":                                  "Try it with `--preview`",
		"twine upload dist/*":                 "Leave publishing",
		"mvn deploy":                          "Leave publishing",
		"cargo yank --vers 1.0.0":             "Leave publishing",
		"gradle publish":                      "Try it with `--dry-run`",
	} {
		assert.Contains(t, Read(line, o).Verdict.UseInstead, want, line)
	}
}
