package onboarding_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What agents are told is held against what there is: links, and the package manager.
func TestRulesThatAreNotSo(t *testing.T) {
	manifest := `{"scripts": {"test": "vitest", "build": "vite build"}}`
	rules := "# Rules\n\nRun `npm test`, never `npm publish`. Prose says npm test.\nRead [it](docs/gone.md).\n\n```\nyarn install\npnpm run build\n```\n"
	found := look(t, map[string]string{"package.json": manifest, "pnpm-lock.yaml": "lockfileVersion: '9.0'\n", "AGENTS.md": rules})
	assert.Equal(t, []string{
		"AGENTS.md:4 names docs/gone.md, which does not exist",
		"AGENTS.md:3 names npm, but the repository uses pnpm",
		"AGENTS.md:7 names yarn, but the repository uses pnpm",
	}, found.Contradictions)
	assert.Empty(t, look(t, map[string]string{"AGENTS.md": "Run `npm test`.\n"}).Contradictions, "nothing says with what it is built")
}
