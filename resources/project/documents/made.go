package documents

import (
	"strings"
	"unicode"
)

// made is how a document is made, apart from what its headings say.
type made struct {
	opening  string // its first lines of prose, in lower case
	lines    int    // that say something
	rows     int    // of tables
	orders   int    // items and lines that tell somebody to do something
	past     int    // words that tell what was done
	musts    int    // what must be, and must not
	ids      int    // requirements with a number: FR-001, L1-APP-040
	commands int    // blocks of a shell
	diagrams int    // drawings, in characters or a language for them
	badges   int    // pictures in the first lines
	calls    int    // headings that are calls of an interface
	quoted   int    // headings that are names of code
	dated    bool   // its title or first lines have a date
}

// openingLines are those that a document says of itself what it is in.
const openingLines = 12

// shells and drawings are languages of blocks.
const (
	shells   = " bash sh shell console zsh powershell "
	drawings = " mermaid plantuml dot "
)

// readMade looks at all lines, those of code too.
func (t *text) readMade(lines []string) {
	fence := ""
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		if mark := trimmed[:min(3, len(trimmed))]; mark == "```" || mark == "~~~" {
			if fence == "" {
				fence = " " + strings.ToLower(firstField(strings.Trim(trimmed, "`~ "))) + " "
				t.commands += count(fence != "  " && strings.Contains(shells, fence))
				t.diagrams += count(fence != "  " && strings.Contains(drawings, fence))
			} else {
				fence = ""
			}
			continue
		}
		if fence != "" {
			t.diagrams += count(strings.ContainsAny(trimmed, "┌└│▼▶") && !strings.Contains(trimmed, "├──") && !strings.HasPrefix(trimmed, "└──") && strings.ContainsAny(trimmed, "┌┐┘▼▶"))
			continue
		}
		t.readLine(trimmed)
	}
}

// moved reports whether a document only says where it is now.
func (m made) moved() bool { return m.lines <= 4 && strings.Contains(m.opening, "moved to") }

// readLine looks at a line of prose.
func (t *text) readLine(line string) {
	t.lines++
	lower := strings.ToLower(line)
	if t.lines <= openingLines {
		t.opening += strings.ReplaceAll(lower, "*", "") + "\n"
		t.badges += count(strings.Contains(line, "[![") || strings.Contains(lower, "<img") || strings.HasPrefix(line, "![") && (strings.Contains(lower, "badge") || strings.Contains(lower, "shields")))
		t.dated = t.dated || t.lines <= 6 && hasDate(line)
	}
	switch {
	case line[0] == '|':
		t.rows++
	case line[0] == '#':
		name := strings.Trim(line, "# 0123456789.")
		t.quoted += count(strings.HasPrefix(name, "`"))
		t.calls += endpoints([]string{strings.ToLower(name)})
	default:
		t.orders += count(begins(firstWord(lower), orders) > 0)
	}
	t.musts += begins(line, "MUST|SHALL|must not|must |never |Never |Always |always ")
	t.past += begins(lower, "was |were |added|verified|fixed|observed|measured|confirmed|passed|failed|completed|shipped")
	t.ids += count(hasID(line))
}

// orders are verbs that tell somebody to do something, at the beginning of a line.
const orders = "run|install|create|add|use|set|open|click|configure|start|clone|build|copy|select|choose|download|make|check|replace|edit|navigate|press|enable|verify|ensure|write|read|keep|do not|don't|see|update"

// firstWord is a line without the marks of a list before it.
func firstWord(line string) string {
	return strings.TrimLeft(line, "-*+>0123456789.) _[]`")
}

// hasDate reports whether a line has a date: 2026-05-12, or a year behind a month's name.
func hasDate(line string) bool {
	for i := 0; i+10 <= len(line); i++ {
		if digits(line[i:i+4]) && line[i+4] == '-' && digits(line[i+5:i+7]) && line[i+7] == '-' && digits(line[i+8:i+10]) {
			return true
		}
	}
	return false
}

func digits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// hasID reports whether a line has the number of a requirement: letters in upper case, a dash, digits.
func hasID(line string) bool {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("|*`():,[]", r) }) {
		name, number, found := strings.Cut(word, "-")
		if at := strings.LastIndexByte(word, '-'); at > 0 {
			number = word[at+1:]
		}
		if found && name != "" && len(name) <= 5 && len(number) >= 2 && digits(number) && name == strings.ToUpper(name) && unicode.IsUpper(rune(name[0])) && name != "ADR" && name != "UTF" {
			return true
		}
	}
	return false
}
