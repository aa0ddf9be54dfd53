package queries

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is told lies between the lines that both begin with and those that both end with, and is bounded.
func TestCompared(t *testing.T) {
	much := append(strings.Split(strings.TrimSuffix(strings.Repeat("- x\n", maxLines), "\n"), "\n"), "and 2 lines more")
	for name, test := range map[string]struct {
		then, now string
		want      []string
	}{
		"the same":     {"a\nb", "a\nb", nil},
		"one line":     {"a\n30 days\nz", "a\n7 days\nz", []string{"- 30 days", "+ 7 days"}},
		"put in":       {"a\nz", "a\n\n\tnew\nz", []string{"+   new"}},
		"taken out":    {"a\nold\nz", "a\nz", []string{"- old"}},
		"the same end": {"a\na", "a", []string{"- a"}},
		"gone":         {"a", "", []string{"- a"}},
		"much":         {strings.Repeat("x\n", maxLines+2), "", much},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, changedLines(strings.Split(test.then, "\n"), strings.Split(test.now, "\n")))
		})
	}
}
