package documents_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// Of several frameworks the one rules that a person named, and none until then.
func TestRuling(t *testing.T) {
	gsd := map[string]string{".planning/PROJECT.md": "# Shop\n"}
	both := map[string]string{".planning/PROJECT.md": "# Shop\n", "_bmad/config.yaml": "version: 6\n", ".idumb/brain/x.json": "{}"}
	for _, c := range []struct {
		files   map[string]string
		primary string
		rules   string
		open    bool
	}{
		{map[string]string{"a.md": "# A\n"}, "", "", false},
		{gsd, "", "gsd", false},
		{gsd, "bmad", "gsd", false}, // what was named is not there any more
		{both, "", "", true},
		{both, "kiro", "", true},
		{both, "bmad", "bmad", false},
	} {
		rules, open := documents.FrameworkInUse(documents.Frameworks(write(t, c.files)), c.primary)
		assert.Equal(t, c.rules, rules, "%v with %q", c.files, c.primary)
		assert.Equal(t, c.open, open, "%v with %q", c.files, c.primary)
	}
}

// Every framework that plans may be named as the one that rules, and nothing else.
func TestAllFrameworksMayRule(t *testing.T) {
	all := documents.Planning(documents.Frameworks(write(t, map[string]string{
		"_bmad/a": "", ".planning/STATE.md": "", ".specify/a": "", "openspec/project.md": "", ".kiro/specs/a": "", ".agent-os/a": "",
		".taskmaster/a": "", "backlog/config.yml": "", ".beads/a": "", ".hivemind/a": "", ".idumb/brain/a": "",
	})))
	kind, _ := resources.KindOf(resources.Configs)
	field, ok := kind.LookupField("spec.planning.primary")
	assert.True(t, ok)
	assert.Equal(t, field.Enum, all)
}
