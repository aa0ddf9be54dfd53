package tokens

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     int // in thousandths of a token
	}{
		{"nothing", "", 0},
		{"a word", "session", 1100},
		{"a sentence", "the form posts to the server.", 6*1100 + 650},
		{"a capital belongs to its word", "The Form", 2 * 1100},
		{"words in one", "buildLoginForm", 3 * 1100},
		{"capitals", "UNDER", 2600 + 4*400},
		{"digits", "20260312", 300 + 7*550},
		{"punctuation in a row", `"/>`, 650 + 2*570},
		{"white space", "a        b", 2*1100 + 850 + 7*50},
		{"ends of lines", "a\nb;\n\n", 2*1100 + 650 + 3*550},
		{"CJK", "登录失败", 2200 + 3*1150},
		{"Cyrillic", "вход", 700 + 3*780},
		{"emoji", "👍", 2200},
		{"a long word", "internationalization", 1100 + 13*1100},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, Measure(test.in).Milli)
			assert.Equal(t, Whole(test.want), Estimate(test.in))
		})
	}
}

func TestSizeOfLinesAddsUp(t *testing.T) {
	text := "<task>\n- login: Build the form [3/4] (`web/**`, 70%)\n\n</task>\n" + "登录 👍 вход\nX\nYz\n 12\n\n"
	var sum Size
	for l := range strings.Lines(text) {
		sum = sum.Plus(Measure(l))
	}
	assert.Equal(t, Measure(text), sum)
}

func TestCharactersAreCodeUnits(t *testing.T) {
	assert.Equal(t, 2, Measure("👍").Characters)
	assert.Equal(t, 3, Measure("é登x").Characters)
}
