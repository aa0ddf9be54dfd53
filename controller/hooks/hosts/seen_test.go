package hosts

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var updateSeen = flag.Bool("update-seen", false, "write testdata/*.events anew")

// seenEvents are inputs that the real clients sent to a hook, by their versions.
var seenEvents = []struct {
	host Host
	file string
}{
	{claude, "claude-2.1.329.jsonl"},
	{codex, "codex-0.169.0.jsonl"},
	{copilot, "copilot-1.0.102.jsonl"},
	{gemini, "gemini-0.61.0.jsonl"},
}

// TestSeenEvents reads what the clients really sent, and compares with what was made
// of it when somebody last looked.
func TestSeenEvents(t *testing.T) {
	for _, tc := range seenEvents {
		t.Run(tc.file, func(t *testing.T) {
			var b strings.Builder
			for _, input := range seenLines(t, tc.file) {
				e, err := tc.host.Parse([]byte(input))
				require.NoError(t, err, input)
				assert.Equal(t, tc.host.Name(), e.Host)
				b.WriteString(described(e) + "\n")
			}
			file := filepath.Join("testdata", strings.TrimSuffix(tc.file, ".jsonl")+".events")
			if *updateSeen {
				require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), b.String())
		})
	}
}

func seenLines(t testing.TB, file string) []string {
	f, err := os.Open(filepath.Join("testdata", file))
	require.NoError(t, err)
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	require.NotEmpty(t, lines)
	return lines
}

var typeNames = [...]string{"ignored", "before-tool", "after-tool", "prompt", "session-start", "before-compact", "stop", "session-end", "subagent-start", "subagent-stop", "settings-change", "waits"}

// described shows what is known of an event, in one line.
func described(e Event) string {
	text := typeNames[e.Type]
	v := reflect.ValueOf(e)
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		if field.IsZero() || !v.Type().Field(i).IsExported() || name == "Type" || name == "Host" || name == "Transcript" || name == "Args" {
			continue
		}
		text += fmt.Sprintf(" %s=%q", name, fmt.Sprint(field.Interface()))
	}
	return text
}
