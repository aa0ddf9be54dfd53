package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestARuleForOneHostsToolHoldsForAll(t *testing.T) {
	for _, tc := range []struct {
		tool    string
		pattern string
		want    bool
	}{
		{"Write", "write", true},
		{"write_file", "write", true},
		{"apply_patch", "write", true}, // it is how Codex writes
		{"apply_patch", "edit", true},
		{"apply_patch", "read", false},
		{"Bash", "write", false},
		{"exec_command", "bash", true},
		{"mcp__files__write_file", "mcp__files__*", true},
	} {
		assert.Equal(t, tc.want, matchesTool(tc.tool, []string{tc.pattern}), "%s under %q", tc.tool, tc.pattern)
	}
}
