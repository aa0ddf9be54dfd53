package terminal

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain",
		"Größe 数 👩‍🚀 می\u200cخواهم":  "Größe 数 👩‍🚀 می\u200cخواهم", // joiners are part of words and pictures
		"two\nlines\tand a tab":      "two\nlines\tand a tab",
		"\x1b[2J\x1b]0;title\a":      `\x1b[2J\x1b]0;title\x07`,
		"over\rwritten\b":            `over\rwritten\x08`,
		"c1 \u009b31m del \x7f":      `c1 \u009b31m del \x7f`,
		"right \u202eto left \u2066": `right \u202eto left \u2066`,
		"zero\u200bwidth \ufeff":     `zero\u200bwidth \ufeff`,
		"tag \U000e0041":             `tag \U000e0041`,
		"not UTF-8 \xff\xc0":         `not UTF-8 \xff\xc0`,
		"line \u2028 separator":      `line \u2028 separator`,
	} {
		assert.Equal(t, want, Escape(in))
	}
	assert.Equal(t, `a\nb\tc`, EscapeLine("a\nb\tc"))
}

func FuzzEscape(f *testing.F) {
	f.Add("\x1b[31m\u202e\xff")
	f.Fuzz(func(t *testing.T, in string) {
		for _, r := range Escape(in) {
			if unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\u202e' {
				t.Fatalf("%q lets %U through", in, r)
			}
		}
	})
}
