package hosts

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is written by hand is what encoding/json writes.
func TestLinesAreThoseOfEncodingJSON(t *testing.T) {
	const text = "a <b> & \"c\"\n\u2028\xff"
	for _, out := range []hookOutput{
		{}, {Notice: text}, {Decision: "block", Reason: text}, {Specific: &hookAnswer{}}, {Specific: &hookAnswer{Event: "PreToolUse"}},
		{Notice: "n", Specific: &hookAnswer{Event: "PreToolUse", Decision: "deny", Reason: text, Context: text}},
	} {
		assert.Equal(t, string(Line(out)), string(out.Line()))
	}
}
