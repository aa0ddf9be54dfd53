package trust

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
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

// unescaped is a text with what JSON and TOML write as \u and four digits, or \U and
// eight, written out.
func unescaped(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, `\`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if r, after, ok := character(rest); ok {
			b.WriteRune(r)
			rest = after
		}
		text = rest
	}
}

// character reads what stands behind a backslash.
func character(rest string) (r rune, after string, ok bool) {
	digits := 0
	switch {
	case strings.HasPrefix(rest, "u"):
		digits = 4
	case strings.HasPrefix(rest, "U"):
		digits = 8
	}
	if digits == 0 || len(rest) <= digits {
		return 0, rest, false
	}
	code, err := strconv.ParseUint(rest[1:1+digits], 16, 32)
	return rune(code), rest[1+digits:], err == nil
}
