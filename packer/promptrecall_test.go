package packer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/tokens"
)

// A text is cut at a word, and an entry that is cut is no longer than it may be, however much of it has to be
// escaped.
func TestCutEntries(t *testing.T) {
	assert.Equal(t, "one two", shorten(" one\n two ", 7))
	assert.Equal(t, "one two...", shorten("one two three", 11))
	for _, most := range []int{60, 100, 300} {
		for _, text := range []string{"words and words and words and words and words and words and words", "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", "\"'&\"'&\"'&\"'&\"'&\"'&\"'&\"'&\"'&\"'&\"'&\"'& \x1b[31m"} {
			entry := cutEntry("2026-11-21", text, "mems/x", most)
			assert.LessOrEqual(t, tokens.Measure(entry).Characters, most)
			assert.Regexp(t, `^- (\[2026-11-21\] )?.* \(mems/x\)$`, entry)
			assert.Equal(t, most >= maxExcerpt, strings.Contains(entry, "2026-11-21"), "the date, where there is room")
		}
	}
}
