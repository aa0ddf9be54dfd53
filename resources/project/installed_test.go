package project_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/project"
)

type one struct{ path, text string }

func (o one) Paths() []string { return []string{o.path} }

func (o one) Read(path string) ([]byte, error) {
	if path != o.path {
		return nil, errors.New("no such file")
	}
	return []byte(o.text), nil
}

func TestInstalled(t *testing.T) {
	const hook = `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "idumb-hook claude", "timeout": 10}]}]`
	for _, c := range []struct {
		path, text string
		want       bool
	}{
		{".claude/agents/idumb-executor.md", "", true},
		{".claude/agents/reviewer.md", "", false},
		{".claude/commands/idumb/next.md", "", true},
		{".opencode/plugin/idumb.js", "", true},
		{"docs/idumb-notes.md", "", false},
		{".claude/settings.json", hook + `}}`, true},
		{".claude/settings.json", hook + `}, "model": "opus"}`, false},
		{".claude/settings.json", hook + `, "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}`, false},
		{".claude/settings.json", `{`, false},
		{".claude/settings.json", `{}`, false},
		{".mcp.json", `{"mcpServers": {"idumb": {"type": "stdio", "command": "idumb-mcp"}}}`, true},
		{".mcp.json", `{"mcpServers": {"idumb": {"command": "idumb-mcp"}, "db": {"command": "db-mcp"}}}`, false},
		{"opencode.json", `{"$schema": "x", "mcp": {"idumb": {}}, "agent": {"idumb-executor": {"mode": "all"}}}`, true},
		{"opencode.json", `{"theme": "dark", "mcp": {"idumb": {}}}`, false},
		{".codex/config.toml", "# >>> idumb 46: x >>>\n[mcp_servers.idumb]\n# <<< idumb <<<\n", true},
		{".codex/config.toml", "model = \"o\"\n# >>> idumb 46: x >>>\n[mcp_servers.idumb]\n# <<< idumb <<<\n", false},
	} {
		assert.Equal(t, c.want, project.Installed(one{c.path, c.text}, c.path), "%s %s", c.path, c.text)
	}
}
