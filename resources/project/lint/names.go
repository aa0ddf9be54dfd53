package lint

import (
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/source"
)

// minNameLength is the minimum length of a name in bytes, to distinguish it from a word.
const minNameLength = 5

// GoneNames returns the comments and documents that name a declaration of an earlier tree
// which no code names any longer. It only considers names that cannot be words: with an
// inner capital, digit or underscore.
func GoneNames(before, after Tree) []Finding {
	s := search{tree: &after, missing: departed(before, after)}
	if len(s.missing) == 0 {
		return nil
	}
	vendored, frameworks := project.Vendored(after.Files), documents.Frameworks(after.Files)
	for _, path := range after.Files.Paths() {
		data, err := after.Files.Read(path)
		if err != nil {
			continue
		}
		switch kept := !vendored(path) && !project.IsFixture(path) && after.covers(path); {
		case documents.IsDocument(path):
			if d := documents.Read(path, data, frameworks); kept && !isPast(path) && slices.Contains(current[:], d.Class) && !slices.Contains(endedStates[:], d.State) {
				s.document(path, linesOf(data))
			}
		default:
			s.code(fileOf(path, data, source.Scan(path, data)), kept)
		}
	}
	named := slices.DeleteFunc(s.findings, func(f Finding) bool { return s.usedNames[f.Symbol] })
	return ordered(named)
}

// current lists the classes of documents that must match the code.
var current = [...]string{documents.Rules, documents.Guide, documents.Readme, documents.Reference, documents.Architecture}

// departed returns the names that were declared before and are no longer declared, with the
// declaring file.
func departed(before, after Tree) map[string]string {
	gone := map[string]string{}
	for _, path := range before.Files.Paths() {
		if project.IsTest(path) || project.IsFixture(path) {
			continue
		}
		for _, s := range before.Facts(path).Symbols {
			if isTelling(s.Name) {
				gone[s.Name] = path
			}
		}
	}
	for _, path := range after.Files.Paths() {
		for _, s := range after.Facts(path).Symbols {
			delete(gone, s.Name)
		}
	}
	return gone
}

// isTelling reports whether a name cannot be a word of natural language.
func isTelling(name string) bool {
	return len(name) >= minNameLength && strings.IndexFunc(name[1:], func(r rune) bool { return r == '_' || unicode.IsUpper(r) || unicode.IsDigit(r) }) >= 0 &&
		strings.ToUpper(name) != name
}

// search searches code and documents for names whose declarations were removed.
type search struct {
	tree      *Tree
	missing   map[string]string
	usedNames map[string]bool // names that code still contains
	findings  []Finding
}

// code searches a file that is not a document. Everything outside of comments is code.
func (s *search) code(f file, kept bool) {
	comments := map[int]source.Comment{}
	for _, c := range f.facts.Comments {
		for n := c.From; n <= c.To && n <= len(f.lines); n++ {
			comments[n] = c
		}
	}
	for i, line := range f.lines {
		for _, name := range s.namesIn(line) {
			switch c, inside := comments[i+1]; {
			case !inside || !beginsComment(line, i+1 > c.From):
				// Comments with a name that code still contains are not reported.
				if s.usedNames == nil {
					s.usedNames = map[string]bool{}
				}
				s.usedNames[name] = true
			case kept && f.facts.Partial == "" && !f.facts.Generated && !isCode(line) && !saysSo(strings.Split(c.Text, "\n")[:1]) && !saysSo([]string{line}):
				s.add(f.path, i+1, name, line)
			}
		}
	}
}

// document searches the inline code of a document.
func (s *search) document(path string, lines []string) {
	for i, line := range source.Prose(lines) {
		spans := strings.Split(line, "`")
		if len(spans) < 3 || saysSo(spans) {
			continue
		}
		for n, span := range spans {
			if name := strings.TrimSuffix(span, "()"); n%2 == 1 && s.missing[name] != "" {
				s.add(path, i+1, name, line)
			}
		}
	}
}

// add adds a finding for a line that names a removed declaration.
func (s *search) add(path string, line int, name, words string) {
	s.findings = append(s.findings, Finding{Rule: GoneName, File: path, Line: line, Symbol: name, Words: words, Is: "no code names " + name + " any more; " + s.missing[name] + " declared it", Evidence: s.missing[name]})
}

// namesIn returns the removed names in a line.
func (s *search) namesIn(line string) (names []string) {
	for _, name := range strings.FieldsFunc(line, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if s.missing[name] != "" {
			names = append(names, name)
		}
	}
	return names
}

// beginsComment reports whether a line of a comment contains nothing else. further means
// that it is not the first line of the comment.
func beginsComment(line string, further bool) bool {
	line = strings.TrimSpace(line)
	return further && !strings.Contains(line, "*/") || strings.HasPrefix(line, "*") || strings.HasPrefix(line, "/") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "\"\"\"")
}

// isCode reports whether a line of a comment looks like disabled code.
func isCode(line string) bool {
	line = strings.TrimSpace(line)
	return strings.ContainsAny(line, "={};") || strings.HasSuffix(line, ")") || strings.HasSuffix(line, ",")
}
