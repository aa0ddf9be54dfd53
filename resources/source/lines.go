package source

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// block finds a part of a file without a scanner: the line that declares a name, else the
// first line that contains the text, and the block that the line begins.
func block(data []byte, name string) resources.Part {
	lines := linesOf(data)
	part := resources.Part{SHA256: firstSum(lines, name)}
	part.Exists = part.SHA256 != ""
	if !part.Exists || !isName(name) {
		return part
	}
	if sum := blockSum(lines, declaring(name)); sum != "" {
		part.SHA256, part.Formers = sum, []string{part.SHA256}
		return part
	}
	part.Mentioned = true
	return part
}

// firstSum returns the checksum of the block that begins at the first line with a text, or
// "". Older releases only used this checksum.
func firstSum(lines []string, text string) string {
	return blockSum(lines, func(line string) bool { return strings.Contains(line, text) })
}

// isName reports whether a text can be the name of a declaration in most languages, as
// opposed to the text of a line.
func isName(text string) bool {
	const longest = 200
	return len(text) <= longest && utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && r != '.' && r != '$' && r < 0x80 && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
	}) < 0
}

// declares lists the keywords that precede a declared name in common languages.
var declares = [...]string{
	"class", "const", "def", "enum", "fn", "fun", "func", "function", "impl", "interface", "let", "macro", "mod", "module", "namespace",
	"object", "proc", "protocol", "record", "struct", "sub", "table", "trait", "type", "union", "val", "var", "view",
}

// declaring returns a function that reports whether a line declares a name: a keyword of
// declares precedes the name, the line assigns a value to it, or it is a function with a
// body. Comments and imports do not declare a name.
func declaring(name string) func(line string) bool {
	quoted := regexp.QuoteMeta(name)
	keyword := regexp.MustCompile(`(?i)^[^"'(=]*\b(` + strings.Join(declares[:], "|") + `)[*\s]+` + quoted + `(\W|$)`)
	value := regexp.MustCompile(`^["']?` + quoted + `["']?\s*[?!]?(:|=|:=)([^=]|$)`)
	function := regexp.MustCompile(`^[^"'(=.}]*\b` + quoted + `\s*\(.*[{:]$`)
	return func(line string) bool {
		line = strings.TrimSpace(line)
		if slices.ContainsFunc(neverDeclare[:], func(prefix string) bool { return strings.HasPrefix(line, prefix) }) {
			return false
		}
		return keyword.MatchString(line) || value.MatchString(line) || function.MatchString(line)
	}
}

// neverDeclare lists the prefixes of comments, imports and control statements.
var neverDeclare = [...]string{
	"//", "/*", "*", "#", "--", ";", "<!--", `"""`, "import ", "import{", "from ", "use ", "using ", "require", "include", "export {", "export * ",
	"if ", "if(", "for ", "for(", "while ", "while(", "switch ", "switch(", "return ", "else ", "elif ", "catch ", "with ", "await ", "new ", "case ",
}

// blockSum returns the checksum of blockLines, or "" if there are none.
func blockSum(lines []string, fits func(line string) bool) string {
	found := blockLines(lines, fits)
	if found == nil {
		return ""
	}
	return sumOf(found)
}

// blockLines returns the first line for which fits returns true, and its indented block. It
// returns nil if there is no such line.
func blockLines(lines []string, fits func(line string) bool) []string {
	from := slices.IndexFunc(lines, fits)
	if from < 0 {
		return nil
	}
	depth := indent(lines[from])
	for i := from + 1; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) != "" && indent(lines[i]) <= depth && !closes(lines[i]) {
			return lines[from:i]
		}
	}
	return lines[from:]
}

// indent returns the indentation of a line in columns. A tab counts as eight.
func indent(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8
		default:
			return n
		}
	}
	return n
}

// closes reports whether a line only closes an earlier bracket or block.
func closes(line string) bool {
	line = strings.TrimSpace(line)
	return line == "end" || strings.IndexByte("})]", line[0]) >= 0
}

// beginsLine reports whether a line end without a backslash precedes a token.
func (l *lexer) beginsLine(i int) bool {
	if i <= 0 || i >= len(l.tokens) {
		return true
	}
	gap := l.data[l.tokens[i-1].to:l.tokens[i].from]
	for at := 0; at < len(gap); at++ {
		switch gap[at] {
		case '\n', '#':
			return true
		case '\\':
			at += max(joined(gap[at:])-1, 0)
		}
	}
	return false
}

// joined returns the length of a backslash and the following line end, or 0 if there is
// none.
func joined(data []byte) int {
	switch {
	case bytes.HasPrefix(data, []byte("\\\n")):
		return 2
	case bytes.HasPrefix(data, []byte("\\\r\n")):
		return 3
	}
	return 0
}
