package hooks

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzCodexInput: whatever comes in, the hook does not panic, and what goes out is
// nothing, or what does not make the client drop the answer and open the gate.
func FuzzCodexInput(f *testing.F) {
	for _, input := range sentLines(f, "codex-0.169.0.jsonl") {
		f.Add([]byte(input))
	}
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch"}}`))
	f.Add([]byte(`{"hook_event_name":"PreToolUse"`))
	fuzzHost(f, "codex", func(t *testing.T, out hostAnswer) {
		if out.Specific == nil {
			return
		}
		assert.Contains(t, []string{"", "deny"}, out.Specific.Decision)
		assert.Equal(t, out.Specific.Decision == "deny", out.Specific.Reason != "")
	})
}

// sentLines are what a real client sent.
func sentLines(t testing.TB, file string) []string {
	f, err := os.Open(filepath.Join("hosts", "testdata", file))
	require.NoError(t, err)
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	require.NotEmpty(t, lines)
	return lines
}
