package demo

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIndent(t *testing.T) {
	long := strings.Repeat("word ", 15)
	for _, test := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"short", "a\n\n  b\n", "    a\n\n      b\n"},
		{"as wide as can be", strings.Repeat("x", 76) + "\n", "    " + strings.Repeat("x", 76) + "\n"},
		{"no space in it", strings.Repeat("x", 90) + "\n", "    " + strings.Repeat("x", 90) + "\n"},
		{"continued", long + "and more\n", "    " + strings.TrimSpace(long) + "\n      and more\n"},
		{"counted in characters", strings.Repeat("é", 70) + " end\n", "    " + strings.Repeat("é", 70) + " end\n"},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, indent([]byte(test.in))) })
	}
}
