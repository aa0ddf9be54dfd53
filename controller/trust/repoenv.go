package trust

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// settingsFiles lists the repository files that set environment variables for
// agents, their hooks and their tools.
var settingsFiles = [...]string{
	".claude/settings.json", ".claude/settings.local.json", ".mcp.json",
	"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc",
	".codex/config.toml", ".envrc",
	".github/mcp.json", ".github/hooks/idumb.json", ".gemini/settings.json", ".gemini/.env",
}

// SetByRepository reports whether the repository itself may have set a variable: one of
// the files from which agents' hosts and direnv take variables names it. The
// value of such a variable is not trusted. A file that cannot be read
// completely may name any variable.
func SetByRepository(root layout.Root, variable string) bool {
	for _, name := range settingsFiles {
		file := root.Abs(name)
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			continue // hosts cannot read it either
		}
		if f, err := openPlain(file); err != nil || mayName(f, variable) {
			return true
		}
	}
	return false
}

// mayName reports whether a file may name a variable, and closes the file.
func mayName(f *os.File, variable string) bool {
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	return err != nil || len(data) > maxRecord || strings.Contains(unescaped(string(data)), variable)
}

// unescaped returns a text without backslashes and with the JSON and TOML
// escapes \u and \U decoded.
func unescaped(text string) string {
	parts := strings.Split(text, `\`)
	for i, part := range parts[1:] {
		digits := 0
		switch {
		case strings.HasPrefix(part, "u"):
			digits = 4
		case strings.HasPrefix(part, "U"):
			digits = 8
		}
		if digits == 0 || len(part) <= digits {
			continue
		}
		if code, err := strconv.ParseUint(part[1:1+digits], 16, 32); err == nil {
			parts[i+1] = string(rune(code)) + part[1+digits:]
		}
	}
	return strings.Join(parts, "")
}
