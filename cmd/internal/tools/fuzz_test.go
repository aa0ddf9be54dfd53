package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
)

// FuzzArguments: whatever a model sends, no tool breaks, and what is refused is
// refused in four parts.
func FuzzArguments(f *testing.F) {
	for _, t := range allTools(acts.All()) {
		for _, a := range t.actions {
			f.Add(t.name, []byte(`{"action":"`+a.name+`","task":"x","plan":"x","name":"x","query":"x","content":"x","reason":"x"}`))
		}
		f.Add(t.name, []byte(`{"action":null,"tasks":[{"evidence":[{}]}]}`))
		f.Add(t.name, []byte(`[1]`))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if tool, known := findTool(acts.All(), name); known {
			if args, err := readArguments(data); err == nil {
				_ = args.check(tool.allParams(), "")
			}
		}
		if name == "govern_shell" {
			return // it would run them
		}
		dir := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, ".idumb"), 0o700))
		s := &Service{Env: []string{"CLAUDE_PROJECT_DIR=" + dir}, Now: time.Now}
		answer := s.Call(t.Context(), Request{Tool: name, Arguments: data, Client: identifiedClient})
		var parts map[string]any
		require.NoError(t, json.Unmarshal(answer.JSON, &parts), string(answer.JSON))
		if answer.Error {
			for _, part := range []string{"what", "why", "useInstead", "evidence"} {
				require.NotEmpty(t, parts[part], "%s: %s", part, answer.JSON)
			}
		}
	})
}

// FuzzOutput: what is shown of a command is bounded and holds nothing that a
// terminal acts on.
func FuzzOutput(f *testing.F) {
	f.Add([]byte("a\x1b[31mb\x1b[0m"), 3)
	f.Fuzz(func(t *testing.T, data []byte, times int) {
		var e truncatedOutput
		for range min(max(times, 0), 5000) {
			_, _ = e.Write(data)
		}
		s := e.String()
		require.NotContains(t, s, "\x1b")
		require.LessOrEqual(t, len(s), headSize+tailSize+100)
	})
}
