package trust

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// settings are the files of a repository by which it sets variables for the agents that
// are started in it, and for their hooks and tools.
var settings = [...]string{
	".claude/settings.json", ".claude/settings.local.json", ".mcp.json",
	"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc",
	".codex/config.toml", ".envrc",
}

// Brought reports whether the repository itself may have set a variable: one of the files
// that agents' hosts and direnv take variables from names it. Such a variable is no word
// of the person's. A file that cannot be read to its end may name anything.
func Brought(root layout.Root, variable string) bool {
	for _, name := range settings {
		file := root.Abs(name)
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			continue // a host could not read it either
		}
		if f, err := openPlain(file); err != nil || names(f, variable) {
			return true
		}
	}
	return false
}

// names reports whether a file may name a variable, and closes it.
func names(f *os.File, variable string) bool {
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	return err != nil || len(data) > maxRecord || strings.Contains(unescaped(string(data)), variable)
}

// unescaped is a text without backslashes, and with what JSON and TOML write as \u and four
// digits, or \U and eight, written out.
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
