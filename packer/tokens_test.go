package packer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     int // in tokens, the model factor of 115 percent included, rounded up
	}{
		{"nothing", "", 0},
		{"a word", "session", 2},                           // 1
		{"a sentence", "the form posts to the server.", 9}, // 6 words, 1 mark: 7
		{"a capital belongs to its word", "The Form", 3},   // 2
		{"two words in one", "buildLoginForm", 4},          // 3
		{"capitals", "AVOID", 3},                           // 5 * 0.35 = 1.75
		{"digits in threes", "20260312", 4},                // 3
		{"punctuation in a row", `"/>`, 3},                 // 1 + 0.5 + 0.5 = 2
		{"indentation", "a        b", 4},                   // 2 words, 1 run
		{"newlines", "a\nb\n", 4},                          // 2 + 1.4
		{"CJK", "登录失败", 6},                                 // 5
		{"other letters", "вход", 4},                       // 4 * 0.72 = 2.88
		{"letters with accents", "für", 3},                 // 0.5 + f and r, each a run: 2.5
		{"words beside them", "für Zugangsdaten", 9},       // 2.5, and 12 letters at 0.3, three rare pairs: 7.3
		{"noise", "xqzjw", 3},                              // 1 + 4 pairs at 0.4 = 2.6
		{"emoji", "👍", 3},                                  // 2.5
		{"a long word", "internationalization", 4},         // 1 + 13 * 0.1, a rare pair: 2.7
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, Estimate(test.in)) })
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
