package questions

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is told lies between the lines that both begin with and those that both end with, and is bounded.
func TestCompare(t *testing.T) {
	many := strings.Split(strings.Repeat("x\n", mostLines+2), "\n")
	for name, test := range map[string]struct {
		then, now string
		want      Difference
	}{
		"the same":     {"a\nb", "a\nb", Difference{Gone: []string{}, Come: []string{}}},
		"one line":     {"a\n30 days\nz", "a\n7 days\nz", Difference{Gone: []string{"30 days"}, Come: []string{"7 days"}}},
		"put in":       {"a\nz", "a\n\nnew\nz", Difference{Gone: []string{}, Come: []string{"new"}}},
		"taken out":    {"a\nold\nz", "a\nz", Difference{Gone: []string{"old"}, Come: []string{}}},
		"the same end": {"a\na", "a", Difference{Gone: []string{"a"}, Come: []string{}}},
		"gone":         {"a", "", Difference{Gone: []string{"a"}, Come: []string{}}},
		"much":         {strings.Join(many, "\n"), "", Difference{Gone: many[:mostLines], Come: []string{}, More: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			var d Difference
			d.compare(strings.Split(test.then, "\n"), strings.Split(test.now, "\n"))
			assert.Equal(t, test.want, d)
		})
	}
}
