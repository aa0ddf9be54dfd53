package hosts

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answered is what Claude Code prints, shortened.
const answered = "warning: no JSON\n" + `{"type":"result","subtype":"success","is_error":false,"result":"FINDING: so","session_id":"abc","total_cost_usd":0.25,"usage":{"input_tokens":3,"output_tokens":4}}`

func TestReadOutcome(t *testing.T) {
	o, err := ReadOutcome([]byte(answered))
	require.NoError(t, err)
	cost := 0.25
	assert.Equal(t, Outcome{Session: "abc", Text: "FINDING: so", CostUSD: &cost, Tokens: 7}, o)
}

func TestReadOutcomeOfFailures(t *testing.T) {
	_, err := ReadOutcome([]byte("Segmentation fault\n"))
	assert.ErrorContains(t, err, "no answer")
	o, err := ReadOutcome([]byte(`{"type":"result","is_error":true,"result":"no credit"}`))
	require.NoError(t, err)
	assert.Equal(t, "no credit", o.Failure)
}

func FuzzReadOutcome(f *testing.F) {
	f.Add([]byte(answered))
	f.Fuzz(func(t *testing.T, output []byte) {
		o, err := ReadOutcome(output)
		assert.True(t, utf8.ValidString(o.Text))
		assert.GreaterOrEqual(t, o.Tokens, 0)
		assert.Equal(t, err != nil, o.Text == "" && o.Failure == "")
	})
}
