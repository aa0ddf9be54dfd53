package mems

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// maxHinted is the maximum number of parts in one hint.
const maxHinted = 3

// hint adds a hint for a mem that cites a whole file and names parts of it.
// Most files change soon for reasons unrelated to the mem.
func (s *Saved) hint(m *resources.Mem, e resources.MemEvidence, w View) {
	if e.Section != "" {
		return
	}
	var flags, names []string
	for _, name := range namedIn(m.Spec.Title+"\n"+m.Spec.Content, w.SourceNames(e.Path)) {
		part := resources.MemEvidence{Path: e.Path, Section: name}
		flags, names = append(flags, "--evidence "+quoted(part.Cites())), append(names, name)
	}
	if len(flags) > 0 {
		s.Hints = append(s.Hints, fmt.Sprintf("cites all of %s; %s watches just %s", e.Path, strings.Join(flags, " "), strings.Join(names, " and ")))
	}
}

// quoted quotes a word for a shell.
func quoted(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool { return r != '#' && strings.ContainsRune(" '\"`$&|;<>()*?!\\", r) }) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// namedIn returns the names that a text contains, at most maxHinted. It looks
// for full names first, and otherwise for names without their owners.
func namedIn(text string, names []string) []string {
	find := func(called func(name string) string) (found []string) {
		for _, name := range names {
			if len(found) < maxHinted && mentions(text, called(name)) {
				found = append(found, name)
			}
		}
		return found
	}
	if found := find(func(name string) string { return name }); len(found) > 0 {
		return found
	}
	return find(func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] })
}

// mentions reports whether a text contains a name as a word. A plain lower-case
// word must be marked as code.
func mentions(text, name string) bool {
	plain := strings.ToLower(name) == name && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLower(r) })
	for rest := text; name != ""; {
		before, after, found := strings.Cut(rest, name)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if !isWord(last) && !isWord(next) && (!plain || last == '`' || next == '(' || last == '#') {
			return true
		}
		rest = after
	}
	return false
}

// isWord reports whether a character can be part of a name.
func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
