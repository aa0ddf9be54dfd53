package source

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// block finds, in a file that no scanner reads, the line that declares a name, else the
// first that holds the text, and what that line begins.
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

// firstSum is the sum of what the first line that holds a text begins; "" if none does. It is
// all that older releases went by.
func firstSum(lines []string, text string) string {
	return blockSum(lines, func(line string) bool { return strings.Contains(line, text) })
}

// isName reports whether a text is the name of a declaration, as in most languages: not the
// text of a line.
func isName(text string) bool {
	const longest = 200
	return len(text) <= longest && utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && r != '.' && r != '$' && r < 0x80 && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
	}) < 0
}

// declares are words that stand before a name that is declared, in the languages that are
// common.
var declares = [...]string{
	"class", "const", "def", "enum", "fn", "fun", "func", "function", "impl", "interface", "let", "macro", "mod", "module", "namespace",
	"object", "proc", "protocol", "record", "struct", "sub", "table", "trait", "type", "union", "val", "var", "view",
}

// declaring matches the lines that declare a name: one of declares stands before it; or the
// line begins with it, and a value follows; or it is a function's whose body begins there.
// Lines of comments and imports are none.
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

// neverDeclare is how lines of comments, imports and control begin.
var neverDeclare = [...]string{
	"//", "/*", "*", "#", "--", ";", "<!--", `"""`, "import ", "import{", "from ", "use ", "using ", "require", "include", "export {", "export * ",
	"if ", "if(", "for ", "for(", "while ", "while(", "switch ", "switch(", "return ", "else ", "elif ", "catch ", "with ", "await ", "new ", "case ",
}

// blockSum is the sum of blockLines; "" if there are none.
func blockSum(lines []string, fits func(line string) bool) string {
	found := blockLines(lines, fits)
	if found == nil {
		return ""
	}
	return sumOf(found)
}

// blockLines are the first line that fits and the block that it begins; nil if
// there is none.
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

// indent is how far a line is indented, a tab as eight blanks.
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

// closes reports whether a line only closes what an earlier one opened.
func closes(line string) bool {
	line = strings.TrimSpace(line)
	return line == "end" || strings.IndexByte("})]", line[0]) >= 0
}
