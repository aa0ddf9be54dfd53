package controllerprocess

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Whoever writes into a framework that does not rule is told of it once, of code nothing.
func TestNotRuling(t *testing.T) {
	files := map[string]string{
		".planning/ROADMAP.md": "# Roadmap\n", ".planning/phases/1-PLAN.md": "# Plan\n", "_bmad-output/prd.md": "# PRD\n", "_bmad-output/epic-1.md": "# Epic\n", "a.ts": "", "README.md": "# Shop\n",
	}
	s := newTree(t, files)
	written := []string{"_bmad-output/prd.md", "_bmad-output/epic-1.md", "a.ts", "README.md"}
	told := s.NotRuling(written)
	assert.Equal(t, "_bmad-output/prd.md belongs to bmad, one of several planning frameworks here (bmad, gsd), and planning.primary of .idumb/config.json names none of them: ask the user before you plan in it.", textOf(told))
	assert.True(t, told[0].Truncated, "another file of it is the same news")
	assert.Empty(t, s.NotRuling([]string{"a.ts", "README.md", "gone.md"}))

	s.write(layout.Dir+"/config.json", `{"spec": {"planning": {"primary": "gsd"}}}`)
	assert.Equal(t, "_bmad-output/epic-1.md belongs to bmad, but the plans of gsd are in effect (planning.primary): write there, or ask the user.", textOf(s.NotRuling([]string{"_bmad-output/epic-1.md"})))
	assert.Empty(t, s.NotRuling([]string{".planning/phases/1-PLAN.md"}), "it rules")

	delete(files, ".planning/ROADMAP.md")
	assert.Empty(t, newTree(t, files).NotRuling(written), "there is no other")
}
