package hosts

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/admission"
)

// published reads testdata/schemas.txt, which says itself what its lines mean: the tools of each
// server, as "server tool", and their parameters with the marks.
func published(t *testing.T) map[string][]string {
	text, err := os.ReadFile("testdata/schemas.txt")
	require.NoError(t, err)
	tools := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] != "#" {
			tools[words[0]+" "+words[1]] = words[2:]
		}
	}
	return tools
}

// TestPublishedTools: the table knows every tool of the ten servers by their published schemas, and
// each parameter that is a command, SQL or a file that is written is judged as one, alone and as
// text or as a list; no other tool is held to write or to run anything.
func TestPublishedTools(t *testing.T) {
	servers := map[string]bool{}
	for name, params := range published(t) {
		server, tool, _ := strings.Cut(name, " ")
		servers[server] = true
		how, _ := foreignRow("mcp__" + server + "__" + tool)
		assert.NotEmpty(t, how, "%s: no row of foreign.txt knows it", name)
		marked := false
		for _, p := range params {
			key := strings.TrimRight(p, "!$>")
			for _, value := range []any{"src/given", []string{"src/given"}} {
				marked = marked || key != p
				action, seen := judged(t, server, tool, key, value)
				switch p[len(key):] {
				case "!", "$":
					assert.Equal(t, admission.Shell, action, name+" "+key)
					assert.Contains(t, seen, "src/given", name+" "+key)
				case ">":
					assert.Equal(t, admission.Write, action, name+" "+key)
					assert.Equal(t, "src/given", seen, name+" "+key)
				default:
					assert.False(t, action == admission.Write && seen != "", name+" "+key)
				}
			}
		}
		assert.False(t, how == "reads" && marked, name)
		assert.False(t, (how == "writes" || how == "saves") && !marked, name)
	}
	assert.Len(t, servers, 10)
}

// judged is what a call with one argument does, and the command or the file of it.
func judged(t *testing.T, server, tool, key string, value any) (admission.Action, string) {
	text, err := json.Marshal(map[string]any{key: value})
	require.NoError(t, err)
	args, err := ReadObject(text)
	require.NoError(t, err)
	e := Event{}
	claude.tools.describe(&e, "mcp__"+server+"__"+tool, args)
	return e.Action, e.Command + strings.Join(e.Paths, " ")
}

// TestOptionalArguments: a tool that saves only where a file is named reads where none is, and a
// part of a command line stands only with its argument.
func TestOptionalArguments(t *testing.T) {
	for _, tool := range []string{"browser_take_screenshot", "browser_snapshot", "browser_file_upload"} {
		action, seen := judged(t, "playwright", tool, "none", "x")
		assert.Equal(t, admission.Other, action, tool)
		assert.Empty(t, seen, tool)
	}
	for key, line := range map[string]string{"code": "node  -e 'x'", "filename": "node 'x'"} {
		_, seen := judged(t, "playwright", "browser_run_code_unsafe", key, "x")
		assert.Equal(t, line, seen)
	}
}
