package packer

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
		{"a word", "session", 960},
		{"a sentence", "the form posts to the server.", 6*960 + 1050},
		{"a capital belongs to its word", "The Form", 2 * 960},
		{"a capital alone", "X", 1060},
		{"words in one", "buildLoginForm", 960 + 2*360},
		{"capitals", "UNDER", 5 * 280},
		{"digits in threes", "20260312", 3 * 1290},
		{"punctuation in a row", `"/>`, 1050 + 2*130},
		{"punctuation before a word", ".form", 350 + 960},
		{"punctuation that is noise", "<&>?;", 1050 + 4*130 + 500},
		{"white space", "a        b", 2*960 + 620},
		{"indentation", "\ta\n  b", 870 + 850 + 2*960 + 860},
		{"ends of lines", "a\nb;\n\n", 2*960 + 860 + 1050 + 450},
		{"CJK", "登录失败", 4 * 1040},
		{"CJK behind a blank", "登录 失败", 4*1040 + 900},
		{"Cyrillic", "вход", 4 * 570},
		{"words beside letters with accents", "für alle", 1200 + 7*300},
		{"noise", "xqzjw", 960 + 4*750},
		{"noise beside them", "é xqzjw", 1200 + 2*960 + 4*750},
		{"emoji", "👍", 2500},
		{"a long word", "internationalization", 960 + 13*200 + 750},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, meterOf(test.in).milli())
			assert.Equal(t, wholeTokens(test.want), Expect(test.in))
			assert.Equal(t, wholeTokens(test.want*115/100), Estimate(test.in), "with headroom")
		})
	}
}

func TestSizeOfLinesAddsUp(t *testing.T) {
	text := string(Build(userAuth()).Bytes) + "登录 👍 вход\nX\nYz\n 12\n\n"
	var sum size
	for l := range strings.Lines(text) {
		sum = sum.plus(measure(l))
	}
	whole := measure(text)
	assert.Equal(t, whole.characters, sum.characters)
	assert.InDelta(t, whole.milli, sum.milli, float64(strings.Count(text, "\n")), "each line may round down once")
}

func TestCharactersAreCodeUnits(t *testing.T) {
	assert.Equal(t, 2, measure("👍").characters)
	assert.Equal(t, 3, measure("é登x").characters)
}
